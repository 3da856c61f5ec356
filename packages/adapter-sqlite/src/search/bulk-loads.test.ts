import { join } from "node:path";
import type { SearchDocument } from "@letterslot/core/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { copyAsAfterCrash, temporaryFolder } from "../../test/temporary-folder.ts";
import { createSqliteStorage, type SqliteStorage } from "../sqlite-storage.ts";

const MAILS = 100;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
let storage: SqliteStorage;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.folder, "mail.db");
  storage = createSqliteStorage({ path });
});
afterEach(async () => {
  await storage.close();
  await folder.remove();
});

let made = 0;
/** The id of a message created in the millisecond of its number. */
const makeId = () => `msg_${(++made).toString().padStart(9, "0")}00000000000`;

function documentOf(word: string): SearchDocument {
  const fields = { subject: [], text: ["common", word], sender: [], recipients: [], attachments: [] };
  return { message_id: makeId(), account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_1", fields };
}

/** Indexes mails one by one, each of which becomes a segment of the index. */
async function indexMails(): Promise<void> {
  for (let number = 0; number < MAILS; number++)
    await storage.transaction(async (tx) => tx.index([documentOf(`word${number}`)]));
}

const segments = () =>
  storage.read((connection) =>
    Number(connection.row('select count(distinct "segid") as "count" from "search_idx"')?.["count"]),
  );
const automerge = () =>
  storage.read(
    (connection) => connection.row(`select "v" from "search_config" where "k" = 'automerge'`)?.["v"],
  );
const found = (word: string) =>
  storage.search({
    ...{ account_id: "acct_1", inbox_id: null, thread_id: null, before: null, limit: 2 * MAILS },
    terms: [{ words: [word], prefix: false, field: null }],
  });

test("segments of the search index are merged late during a load, and as usual after it", async () => {
  await storage.bulkLoad?.(async () => {
    await indexMails();
    expect(await segments()).toBeGreaterThan(30);
  });
  expect(await segments()).toBeLessThan(16);
  expect(await automerge()).toBe(4);
  await indexMails();
  expect(await segments()).toBeLessThan(16);
  expect(await found("common")).toHaveLength(2 * MAILS);
});

test("of two loads at a time the last to end merges", async () => {
  const ends: (() => void)[] = [];
  const loads = [0, 1].map(() => storage.bulkLoad?.(() => new Promise<void>((end) => ends.push(end))));
  await until("both loads", () => ends.length === 2 || undefined);
  ends[0]?.();
  await loads[0];
  await indexMails();
  expect(await segments()).toBeGreaterThan(30);
  ends[1]?.();
  await loads[1];
  expect(await segments()).toBeLessThan(16);
});

test("what a crash left unmerged is merged when the storage is opened again, however often that breaks off", async () => {
  const copy = join(folder.folder, "copy.db");
  await storage.bulkLoad?.(async () => {
    await indexMails();
    await copyAsAfterCrash(path, copy);
  });
  await storage.close();
  for (let starts = 0; starts < 3; starts++) await createSqliteStorage({ path: copy }).close();
  storage = createSqliteStorage({ path: copy });
  await until("the usual merging", async () => (await automerge()) === 4 || undefined);
  expect(await segments()).toBeLessThan(16);
  expect(await found("common")).toHaveLength(MAILS);
  expect(await found(`word${MAILS - 1}`)).toHaveLength(1);
});
