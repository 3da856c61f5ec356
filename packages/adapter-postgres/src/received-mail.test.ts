import { setTimeout } from "node:timers/promises";
import type { Storage, Transaction } from "@letterslot/core/ports";
import { createTestService } from "@letterslot/core/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { createPostgresBlobs } from "./blobs/postgres-blobs.ts";
import type { configOf } from "./connections/client-connection.ts";
import { createPostgresStorage, type PostgresStorage } from "./storage/postgres-storage.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let storage: PostgresStorage;
let service: ReturnType<typeof createTestService>;
let to: string;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  storage = await createPostgresStorage({ connectionString: database.url });
  service = createTestService({ storage, blobs: createPostgresBlobs({ storage }) });
  to = (await service.signUp("ada")).inbox.email;
  await receive();
}, 120_000);

afterAll(async () => {
  await storage.close();
  await database.drop();
});

const receive = (email = to) => {
  const number = ++made;
  return service.receive({ from: `Bo <bo-${number}@sender.example>`, to: email, text: `Mail ${number}.\n` });
};

/** Returns the statements that reach the server while `use` runs: each one's verb and first table. */
async function statementsOf(use: () => Promise<unknown>) {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await use();
    const reads: string[] = [];
    const transaction: string[] = [];
    let within = false;
    for (const [config] of query.mock.calls as unknown as [ReturnType<typeof configOf> | string][]) {
      // A new connection first runs plain-text statements.
      if (typeof config === "string") continue;
      const { text } = config;
      // The storage moves new words into the search index in its own time.
      if (text.includes("gin_clean_pending_list")) continue;
      within ||= text.startsWith("begin");
      (within ? transaction : reads).push(shortOf(text));
      if (text === "commit") within = false;
    }
    return { reads, transaction };
  } finally {
    query.mockRestore();
  }
}

const shortOf = (text: string): string => {
  const [word = ""] = text.split(" ");
  const table = /"letterslot"\."(\w+)"/.exec(text)?.[1];
  return table === undefined ? text : `${word} ${table}`;
};

describe("a received mail", () => {
  test("gets its account's numbers with what it asks, in one statement; what nobody reads back is another", async () => {
    for (let times = 0; times < 4; times++) await receive();
    const { transaction } = await statementsOf(() => receive());
    // It begins by locking the account.
    expect(transaction).toEqual(["begin accounts", "with inboxes", "with blob_uses", "commit"]);
  });

  test("shares what nobody reads back with the other mails of its commit", async () => {
    const signUps = Array.from({ length: 10 }, (_, index) => service.signUp(`grace${index}`));
    const inboxes = (await Promise.all(signUps)).map(({ inbox }) => inbox.email);
    const receiveMany = () => Promise.all(inboxes.map((email) => receive(email)));
    for (let times = 0; times < 8; times++) await receiveMany();
    // How many share one depends on when each mail was read; on a busy machine some groups are small.
    let fewest = inboxes.length;
    for (let times = 0; times < 8; times++) {
      const { transaction } = await statementsOf(receiveMany);
      const countOf = (verb: string) => transaction.filter((each) => each.startsWith(verb)).length;
      expect(countOf("with")).toBe(inboxes.length + countOf("commit"));
      fewest = Math.min(fewest, countOf("commit"));
    }
    expect(fewest).toBeLessThan(inboxes.length / 2);
  });

  test("that is here already is found, and nothing of its copy stays", async () => {
    const copy = { from: "Bo <bo@sender.example>", to, text: "Once.\n", message_id: "<once@sender.example>" };
    const [first, second] = [await service.receive(copy), await service.receive(copy)];
    expect(second.results).toMatchObject([
      { outcome: "duplicate", message_id: first.results[0]?.message_id },
    ]);
    const { rows } = await storage.database.run({
      sql: "select (select count(*) from letterslot.messages)::int as messages, (select count(*) from letterslot.message_bodies)::int as bodies",
      parameters: [],
    });
    expect(rows).toEqual([{ messages: made + 1, bodies: made + 1 }]);
  });

  test("that found its inbox open is stored before a parent account closes it, and goes with it", async () => {
    const parent = await service.signUp("parent");
    const { id, api_key = "" } = await parent.as.workspaces.create({ name: "Branch", inbox_quota: 1 });
    const within = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const { email } = await within.inboxes.create({ username: "room" });
    const [found, closes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = await createPostgresStorage({ connectionString: database.url });
    const slow: Storage = {
      ...other,
      transaction: (run, intent) =>
        other.transaction(
          (tx) =>
            run(
              new Proxy(tx, {
                get(of, name: keyof Transaction) {
                  if (name !== "get" || intent?.reads_own !== true) return of[name];
                  return async (table: "inboxes", ...key: [string]) => {
                    const got = await of.get(table, ...key);
                    found.resolve();
                    await closes.promise;
                    return got;
                  };
                },
              }),
            ),
          intent,
        ),
    };
    const coming = createTestService({
      storage: slow,
      blobs: createPostgresBlobs({ storage: other }),
    }).receive({
      ...{ from: "Bo <bo@sender.example>", to: email, text: "Hello" },
    });
    await found.promise;
    const closing = parent.as.workspaces.delete({ workspace_id: id, delete_inboxes: true });
    await Promise.race([closing, setTimeout(500)]);
    await service.work();
    closes.resolve();
    await Promise.all([coming, closing]);
    await service.work();
    await other.close();
    const { rows } = await storage.database.run({
      sql: `select count(*)::int as lost from letterslot.messages
        where not exists (select from letterslot.inboxes where inboxes.id = messages.inbox_id)`,
      parameters: [],
    });
    expect(rows).toEqual([{ lost: 0 }]);
  });
});

describe("what is asked before", () => {
  test("is the address with its inbox and account, beside whose domain sent it, and then all that bears on the mail: two statements", async () => {
    const again = () =>
      service.receive({
        from: "Bo <known@sender.example>",
        to,
        text: `Mail ${++made} of one whom it knows.\n`,
      });
    for (let times = 0; times < 5; times++) await again();
    const { reads } = await statementsOf(again);
    expect(reads).toEqual(["select proven_domains", expect.stringContaining("select ")]);
  });

  test("is two more where a newcomer has the display name of somebody who is known", async () => {
    for (let times = 0; times < 4; times++) await receive();
    const { reads } = await statementsOf(() => receive());
    expect(reads).toEqual([
      "select proven_domains",
      expect.stringContaining("select "),
      "select message_terms",
      "select messages",
    ]);
  });

  test("of several mails at once is asked for all of them", async () => {
    const account = await service.signUp("bea");
    const inbox_id = account.inbox.id;
    const { email } = account.inbox;
    const senders = [
      "friend@sender.example",
      "other@sender.example",
      "owner@sender.example",
      "friend@sender.example",
    ];
    const batch = async () =>
      Promise.all(senders.map((from) => service.receive({ from, to: email, text: `A mail by ${from}.\n` })));
    for (let times = 0; times < 5; times++) await batch();
    const { reads } = await statementsOf(batch);
    expect(reads.filter((read) => /proven_domains|addresses/.test(read))).toHaveLength(1);
    const { data } = await account.as.messages.list({ inbox_id, limit: 100 });
    expect(data).toHaveLength(24);
    for (const { from, extracted_text } of data) expect(extracted_text).toContain(from);
  });
});

describe("inserts of a transaction", () => {
  const slot = (name: string, holder: string) => ({ name, holder, expires_at: "2026-01-01T00:00:00.000Z" });

  test("that are made at once are one statement, and each knows whether it inserted", async () => {
    await storage.insert("slots", slot("taken", "earlier"));
    const { transaction } = await statementsOf(() =>
      storage.transaction(async (tx) => {
        const inserting = ["free", "taken", "twice", "twice"].map((name, index) =>
          tx.insert("slots", slot(name, `holder ${index}`)),
        );
        tx.append("counters", [{ name: "beside", count: 1, expires_at: "2026-01-01T00:00:00.000Z" }]);
        expect(await Promise.all(inserting)).toEqual([
          { record: slot("free", "holder 0"), inserted: true },
          { record: slot("taken", "earlier"), inserted: false },
          { record: slot("twice", "holder 2"), inserted: true },
          { record: slot("twice", "holder 2"), inserted: false },
        ]);
      }),
    );
    expect(transaction.slice(0, 2)).toEqual(["begin isolation level serializable", "with slots"]);
    expect(await storage.get("counters", "beside")).toMatchObject({ count: 1 });
  });

  test("are seen by what is read next, and committed when nobody awaits them", async () => {
    const found = await storage.transaction(async (tx) => {
      void tx.insert("slots", slot("read", "me"));
      const read = await tx.get("slots", "read");
      void tx.insert("slots", slot("last", "me"));
      return read;
    });
    expect(found).toEqual(slot("read", "me"));
    expect(await storage.get("slots", "last")).toEqual(slot("last", "me"));
  });

  test("keep their place among records that are appended to the same table", async () => {
    const after = storage.transaction(async (tx) => {
      void tx.insert("slots", slot("same", "first"));
      tx.append("slots", [slot("same", "second")]);
    });
    await expect(after).rejects.toMatchObject({ code: "23505" });
    const before = await storage.transaction(async (tx) => {
      tx.append("slots", [slot("same", "first")]);
      return tx.insert("slots", slot("same", "second"));
    });
    expect(before).toEqual({ record: slot("same", "first"), inserted: false });
  });

  test("are gone with it, and fail once it has ended", async () => {
    let late: Promise<unknown> | undefined;
    const failed = storage.transaction(async (tx) => {
      late = tx.insert("slots", slot("gone", "me"));
      throw new Error("it is not to be");
    });
    await expect(failed).rejects.toThrow("it is not to be");
    await expect(late).rejects.toThrow("the transaction has ended");
    expect(await storage.get("slots", "gone")).toBeUndefined();
  });

  test("whose statement fails end it, even if that is caught", async () => {
    const failed = storage.transaction(async (tx) => {
      const wrong = { ...slot("wrong", "me"), expires_at: null } as never;
      // Caught on purpose: the transaction must fail all the same.
      await tx.insert("slots", wrong).catch(() => undefined);
      await tx.insert("slots", slot("after", "me")).catch(() => undefined); // on purpose, too
    });
    await expect(failed).rejects.toMatchObject({ code: "23502" });
    expect(await storage.get("slots", "after")).toBeUndefined();
  });
});
