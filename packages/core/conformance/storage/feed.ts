import assert from "node:assert/strict";
import type { FeedFilter } from "../../src/events/feed/index.ts";
import { readFeed } from "../../src/events/feed/index.ts";
import { appendEvents } from "../../src/kernel/events/append.ts";
import type { PendingEvent } from "../../src/kernel/work.ts";
import type { Storage } from "../../src/ports/storage.ts";
import { race } from "../kit.ts";
import { accountOf, createKitIds, MADE_AT } from "../records.ts";
import type { StorageTest } from "./opened.ts";

const account_id = "acct_feed";
const WRITERS = 16;
const WRITES_EACH = 25;

/**
 * The feed: sequences follow the commit order, and readers miss no event and see none twice during concurrent
 * writes.
 */
export function testFeed(test: StorageTest): void {
  test("readers that follow the feed while 16 writers append miss none and see none twice", async ({
    storage,
  }) => {
    await storage.insert("accounts", { ...accountOf("feed"), id: account_id });
    let writing = true;
    const readers = [
      follow(storage, { types: [], inbox_ids: undefined }, 7, () => writing),
      follow(storage, { types: [], inbox_ids: undefined }, 200, () => writing),
      follow(storage, { types: ["message.sent"], inbox_ids: undefined }, 5, () => writing),
      follow(storage, { types: [], inbox_ids: ["inb_1"] }, 5, () => writing),
      follow(storage, { types: ["message.received"], inbox_ids: ["inb_2"] }, 3, () => writing),
    ];
    const written = (await race(WRITERS, (writer) => write(storage, writer))).flat();
    writing = false;
    const [all = [], big, sent, first, second] = await Promise.all(readers);

    assert.deepEqual(
      all.map(({ sequence }) => sequence),
      Array.from(written, (_, index) => index + 1),
    );
    assert.deepEqual(all.map(({ id }) => id).toSorted(), written.toSorted());
    assert.deepEqual(big, all);
    assert.deepEqual(
      sent,
      all.filter(({ type }) => type === "message.sent"),
    );
    assert.deepEqual(
      first,
      all.filter(({ inbox_id }) => inbox_id === "inb_1"),
    );
    assert.deepEqual(
      second,
      all.filter(({ inbox_id, type }) => inbox_id === "inb_2" && type === "message.received"),
    );
    // The events of one writer come in the order in which they were written.
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = all
        .filter(({ data }) => data["writer"] === writer)
        .map(({ data }) => Number(data["number"]));
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      );
    }
  });
}

/**
 * Commits one to three events at a time. Every fifth transaction fails at the end, and its sequences are used
 * again.
 */
async function write(storage: Storage, writer: number): Promise<string[]> {
  const makeId = createKitIds();
  const written: string[] = [];
  for (let number = 0; number < WRITES_EACH; number++) {
    const events = Array.from({ length: 1 + ((writer + number) % 3) }, (_, index) => ({
      type: index === 1 ? ("message.sent" as const) : ("message.received" as const),
      inbox_id: `inb_${(writer + number) % 4}`,
      data: { writer, number },
    }));
    const fails = number % 5 === 4;
    const ids = await storage
      .transaction(async (tx) => {
        const records = await appendEvents(
          tx,
          { account_id, now: new Date(MADE_AT), makeId: uniquely(makeId, writer) },
          // To the storage, an event is JSON of any shape.
          events as unknown as PendingEvent[],
        );
        if (fails) throw new Error("taken back");
        return records.map(({ id }) => id);
      })
      .catch((error: Error) => {
        if (error.message !== "taken back") throw error;
        return [];
      });
    written.push(...ids);
  }
  return written;
}

/** Ids of one writer, so that no two writers create the same one. */
function uniquely(makeId: ReturnType<typeof createKitIds>, writer: number): typeof makeId {
  return (prefix) => `${makeId(prefix)}${writer}`;
}

/** Reads page by page until the writers are done and nothing is left. */
async function follow(storage: Storage, filter: FeedFilter, limit: number, writing: () => boolean) {
  const seen = [];
  let from = 0;
  for (;;) {
    const last = !writing();
    const page = await readFeed({ storage, account_id }, filter, from, limit);
    assert.ok(page.examined >= from, "a cursor never goes back");
    seen.push(...page.events);
    from = page.examined;
    if (last && !page.more) return seen;
    // Lets the writers run if everything is in one process.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
