import type { calls as floorCalls } from "../floors/api-floor.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { buildStore, type Store } from "../mail/store.ts";
import type { Run } from "../metric.ts";
import { type Product, startProduct } from "./product.ts";
import { type Program, startProgram } from "./program.ts";

/** The server running on a store, with its load generator. */
export interface Opened {
  store: Store;
  product: Product;
  load: Program<typeof loadCalls>;
  headers: Record<string, string>;
}

/** Starts the server on a store of `mails` mails. */
export async function openStore(
  run: Run,
  mails: number,
  cleanups: { push(end: () => unknown): void },
): Promise<Opened> {
  const store = await buildStore(mails, run.seed, run.log);
  const load = await startProgram<typeof loadCalls>("load/http-load.ts", cleanups);
  const product = await startProduct(store.folder, { SMTP_PORT: "off" });
  cleanups.push(product.end);
  return { store, product, load, headers: { authorization: `Bearer ${store.api_key}` } };
}

/** Starts the floor, which reads the same tables. */
export async function openFloor(
  store: Store,
  cleanups: { push(end: () => unknown): void },
  folder: string,
): Promise<{ pid: number; base_url: string }> {
  const { api_key, inbox_id, account_id } = store;
  const floor = await startProgram<typeof floorCalls>("floors/api-floor.ts", cleanups);
  const scope = `_${account_id}_${inbox_id}`;
  const { base_url } = await floor.call("listen", {
    folder,
    api_key,
    data_dir: store.folder,
    inbox_id,
    scope,
  });
  return { pid: floor.pid, base_url };
}
