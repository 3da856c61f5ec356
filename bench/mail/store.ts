import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createSqliteBlobs, createSqliteQueue, createSqliteSignals, createSqliteStorage } from "@letterslot/adapter-sqlite";
import { createLetterslot, type Letterslot, type LetterslotConfig } from "@letterslot/core";
import { migrations } from "../../packages/adapter-sqlite/src/migrations.ts";
import { announce } from "../../packages/core/src/inbound/announce.ts";
import { storeMessage } from "../../packages/core/src/messages/store.ts";
import { addToThread } from "../../packages/core/src/threads/attach.ts";
import { unitOfWork } from "../../packages/core/src/unit-of-work.ts";
import { storedMail } from "./stored-mail.ts";

/** A data folder with stored mail, that the server can be started on. */
export interface Store {
  folder: string;
  mails: number;
  account_id: string;
  api_key: string;
  inbox_id: string;
}

const perTransaction = 50;
/** Part of the folder's name: with another schema, or another number here, stores are built anew. */
const version = `2-${hash("sha256", JSON.stringify(migrations)).slice(0, 8)}`;

/** Where stores are kept between runs. */
export const cacheFolder = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "letterslot-bench");

/**
 * A store of so many mails in one inbox, made through the code that stores mail in production. It is built once; when that is broken
 * off, the next call goes on where it stopped.
 */
export async function storeOf(mails: number, seed: number, say: (line: string) => void): Promise<Store> {
  const folder = join(cacheFolder, `v${version}-${seed}-${mails}`);
  const note = join(folder, "store.json");
  mkdirSync(folder, { recursive: true });
  const storage = createSqliteStorage({ path: join(folder, "letterslot.db") });
  try {
    const letterslot = createLetterslot(partsOn(folder, storage));
    const store = existsSync(note)
      ? (JSON.parse(readFileSync(note, "utf8")) as Store)
      : await openAccount(letterslot, folder, note);
    await fill(letterslot, store, mails, seed, say);
    writeFileSync(note, JSON.stringify({ ...store, mails }));
    return { ...store, mails };
  } finally {
    await storage.close();
  }
}

/** Ports of which only the storage does anything. */
function partsOn(folder: string, storage: ReturnType<typeof createSqliteStorage>): LetterslotConfig {
  return {
    storage,
    blobs: createSqliteBlobs({ storage, folder: join(folder, "blobs") }),
    queue: createSqliteQueue(),
    signals: createSqliteSignals(),
    transport: { name: "none", send: () => Promise.reject(new Error("nothing is sent here")), close: async () => {} },
    webhookHttp: { refusal: () => null, post: () => Promise.reject(new Error("nothing is posted here")), close: async () => {} },
    senderAuth: { check: () => Promise.reject(new Error("nothing comes in here")) },
    encryption_keys: [new Uint8Array(32)],
    options: { mail_domain: "agents.example.org" },
  };
}

async function openAccount(letterslot: Letterslot, folder: string, note: string): Promise<Store> {
  const { account_id, api_key, inbox } = await letterslot
    .as({ type: "public", ip: null })
    .accounts.onboard({ username: "agent" });
  const store: Store = { folder, mails: 0, account_id, api_key, inbox_id: inbox.id };
  writeFileSync(note, JSON.stringify(store));
  return store;
}

async function fill(
  { parts }: Letterslot,
  store: Store,
  mails: number,
  seed: number,
  say: (line: string) => void,
): Promise<void> {
  const { account_id, inbox_id } = store;
  // Every mail is an event, so the account's sequence counts them.
  let stored = (await parts.storage.get("accounts", account_id))?.event_sequence ?? 0;
  const began = performance.now();
  const first = stored;
  let said = began;
  while (stored < mails) {
    const now = parts.clock.now();
    const count = Math.min(perTransaction, mails - stored);
    await unitOfWork(parts, account_id, now, async (work) => {
      for (let number = stored; number < stored + count; number++) {
        const { message, body, answers } = storedMail({ number, seed, account_id, inbox_id, makeId: parts.makeId, now });
        const [answered] =
          answers === null ? [] : await work.find("message_references", { where: { inbox_id, reference: answers }, limit: 1 });
        const thread = answered === undefined ? undefined : await work.get("threads", answered.thread_id);
        const joined = thread === undefined ? message : { ...message, thread_id: thread.id };
        await storeMessage(work, joined, body);
        await addToThread(work, thread, joined, { human: true, trusted: true });
        announce(parts, work, joined, { held: false, owner: undefined, update_task_id: null, task_id: null });
      }
    });
    stored += count;
    if (performance.now() - said < 5_000) continue;
    said = performance.now();
    const left = ((said - began) / (stored - first)) * (mails - stored);
    say(`building the store of ${mails}: ${stored} mails, ${Math.round(left / 1000)} s to go`);
  }
}
