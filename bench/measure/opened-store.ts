import type { calls as floorCalls } from "../floors/api-floor.ts";
import type { calls as loadCalls } from "../load/http-load.ts";
import { type Store, storeOf } from "../mail/store.ts";
import type { Run } from "../metric.ts";
import { type Product, startProduct } from "./product.ts";
import { type Program, startProgram } from "./program.ts";

/** The server on a store, and who asks it. */
export interface Opened {
  store: Store;
  product: Product;
  load: Program<typeof loadCalls>;
  headers: Record<string, string>;
}

/** Starts the server on a store of so many mails. */
export async function openStore(
  run: Run,
  mails: number,
  ends: { push(end: () => unknown): void },
): Promise<Opened> {
  const store = await storeOf(mails, run.seed, run.say);
  const load = await startProgram<typeof loadCalls>(new URL("../load/http-load.ts", import.meta.url));
  ends.push(load.end);
  const product = await startProduct(store.folder, { SMTP_PORT: "off" });
  ends.push(product.end);
  return { store, product, load, headers: { authorization: `Bearer ${store.api_key}` } };
}

/** Starts the floor that reads the same tables. */
export async function openFloor(
  store: Store,
  ends: { push(end: () => unknown): void },
  folder: string,
): Promise<{ pid: number; base_url: string }> {
  const { api_key, inbox_id, account_id } = store;
  const floor = await startProgram<typeof floorCalls>(new URL("../floors/api-floor.ts", import.meta.url));
  ends.push(floor.end);
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
