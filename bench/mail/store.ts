import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createLetterslot, type Letterslot } from "@letterslot/core";
import { SQLITE_SCHEMA } from "../../packages/adapter-sqlite/src/schema.ts";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { storeMessage } from "../../packages/core/src/mailbox/messages/store.ts";
import { addToThread } from "../../packages/core/src/mailbox/messages/threading/attach.ts";
import { publishReceived } from "../../packages/core/src/traffic/inbound/publish-received.ts";
import { createConfig, openEngine } from "../measure/service.ts";
import { generateMail } from "./stored-mail.ts";

/** The account that owns a store's mail. */
export interface StoreAccount {
  account_id: string;
  api_key: string;
  inbox_id: string;
}

/** A data folder with stored mail on which the server can be started. */
export interface Store extends StoreAccount {
  folder: string;
  mails: number;
}

const PER_TRANSACTION = 50;
/** Part of the folder's name: with another schema, or another number here, stores are rebuilt. */
const VERSION = `2-${hash("sha256", JSON.stringify(SQLITE_SCHEMA.create())).slice(0, 8)}`;

/** The folder in which stores are cached between runs. */
export const CACHE_FOLDER = join(
  process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
  "letterslot-bench",
);

/**
 * Returns a store of `mails` mails in one inbox, built by the code that stores mail in production. It is built
 * once; after an interruption the next call resumes.
 */
export async function buildStore(mails: number, seed: number, log: (line: string) => void): Promise<Store> {
  const folder = join(CACHE_FOLDER, `v${VERSION}-${seed}-${mails}`);
  const note = join(folder, "store.json");
  mkdirSync(folder, { recursive: true });
  const letterslot = createLetterslot(createConfig(await openEngine({ folder })));
  try {
    const known = existsSync(note)
      ? (JSON.parse(readFileSync(note, "utf8")) as StoreAccount)
      : await openAccount(letterslot);
    writeFileSync(note, JSON.stringify(known));
    await fill(letterslot, known, mails, seed, log);
    return { ...known, folder, mails };
  } finally {
    await letterslot.services.storage.close();
  }
}

/**
 * Stores the same mails in a PostgreSQL database: in a new account, or up to `mails` in one that this made before.
 */
export async function buildPostgresStore(
  database_url: string,
  mails: number,
  options: { seed: number; log: (line: string) => void; account?: StoreAccount },
): Promise<StoreAccount> {
  const letterslot = createLetterslot(createConfig(await openEngine({ database_url })));
  try {
    const account = options.account ?? (await openAccount(letterslot));
    await fill(letterslot, account, mails, options.seed, options.log);
    return account;
  } finally {
    await letterslot.services.storage.close();
  }
}

async function openAccount(letterslot: Letterslot): Promise<StoreAccount> {
  const publicly = letterslot.as({ type: "public", ip: null });
  const { account_id, api_key, inbox } = await publicly.accounts.onboard({ username: "agent" });
  return { account_id, api_key, inbox_id: inbox.id };
}

async function fill(
  { services }: Letterslot,
  { account_id, inbox_id }: StoreAccount,
  mails: number,
  seed: number,
  log: (line: string) => void,
): Promise<void> {
  // Every mail is one event, so the account's sequence counts them.
  let stored = (await services.storage.get("accounts", account_id))?.event_sequence ?? 0;
  const began = performance.now();
  const first = stored;
  let said = began;
  while (stored < mails) {
    const now = services.clock.now();
    const count = Math.min(PER_TRANSACTION, mails - stored);
    await unitOfWork(services, account_id, now, async (work) => {
      for (let number = stored; number < stored + count; number++) {
        const { message, body, answers } = generateMail({
          number,
          seed,
          account_id,
          inbox_id,
          makeId: services.makeId,
          now,
        });
        const [answered] =
          answers === null
            ? []
            : await work.find("message_references", { where: { inbox_id, reference: answers }, limit: 1 });
        const thread = answered === undefined ? undefined : await work.get("threads", answered.thread_id);
        const joined = thread === undefined ? message : { ...message, thread_id: thread.id };
        await storeMessage(work, joined, body);
        await addToThread(work, thread, joined, { human: true, trusted: true });
        publishReceived(work, joined, { held: false, owner: undefined, update_task_id: null, task_id: null });
      }
    });
    stored += count;
    if (performance.now() - said < 5_000) continue;
    said = performance.now();
    const left = ((said - began) / (stored - first)) * (mails - stored);
    log(`building the store of ${mails}: ${stored} mails, ${Math.round(left / 1000)} s to go`);
  }
}
