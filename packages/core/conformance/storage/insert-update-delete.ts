import assert from "node:assert/strict";
import { race } from "../kit.ts";
import { counterOf, inboxOf, jobOf, MADE_AT } from "../records.ts";
import type { StorageTest } from "./opened.ts";

/** insert, update and delete, alone and in races. */
export function testWriting(test: StorageTest): void {
  test("an insert returns its record; a second one with the same key returns the first", async ({
    storage,
  }) => {
    assert.deepEqual(await storage.insert("jobs", jobOf(1)), { record: jobOf(1), inserted: true });
    assert.deepEqual(await storage.insert("jobs", jobOf(1, { attempts: 7 })), {
      record: jobOf(1),
      inserted: false,
    });
    assert.deepEqual(await storage.get("jobs", "job_0001"), jobOf(1));
  });

  test("a conflict in a unique index returns the existing record", async ({ storage }) => {
    const first = inboxOf(1, { client_id: "same" });
    await storage.insert("inboxes", first);
    assert.deepEqual(await storage.insert("inboxes", inboxOf(2, { client_id: "same" })), {
      record: first,
      inserted: false,
    });
    assert.equal(
      (await storage.insert("inboxes", inboxOf(3, { client_id: "same", account_id: "acct_2" }))).inserted,
      true,
    );
  });

  test("nulls don't conflict in a unique index", async ({ storage }) => {
    assert.equal((await storage.insert("inboxes", inboxOf(1))).inserted, true);
    assert.equal((await storage.insert("inboxes", inboxOf(2))).inserted, true);
  });

  test("a key of several columns conflicts only as a whole", async ({ storage }) => {
    const use = { hash: "aa", message_id: "msg_1" };
    assert.equal((await storage.insert("blob_uses", use)).inserted, true);
    assert.equal((await storage.insert("blob_uses", { ...use, message_id: "msg_2" })).inserted, true);
    assert.deepEqual(await storage.insert("blob_uses", use), { record: use, inserted: false });
  });

  test("an update returns the updated records", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1, { attempts: 2 }));
    await storage.insert("jobs", jobOf(2));
    await storage.insert("jobs", jobOf(3, { subject_id: "msg_3" }));
    const changed = await storage.update(
      "jobs",
      { subject_id: "msg_1" },
      { attempts: { add: 3 }, payload: { a: [1] }, lease: "me" },
    );
    const expected = [
      jobOf(1, { attempts: 5, payload: { a: [1] }, lease: "me" }),
      jobOf(2, { attempts: 3, payload: { a: [1] }, lease: "me" }),
    ];
    assert.deepEqual(
      changed.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      expected,
    );
    assert.deepEqual(await storage.get("jobs", "job_0003"), jobOf(3, { subject_id: "msg_3" }));
  });

  test("an update can decrement, and write null, false and an empty list", async ({ storage }) => {
    await storage.insert("inboxes", inboxOf(1, { display_name: "One", labels: ["a"] }));
    const [changed] = await storage.update(
      "inboxes",
      { id: "inb_0001" },
      { display_name: null, labels: [], require_sender_auth: false },
    );
    assert.deepEqual(changed, inboxOf(1, { require_sender_auth: false }));
    await storage.insert("counters", counterOf("c", 5));
    assert.equal((await storage.update("counters", { name: "c" }, { count: { add: -7 } }))[0]?.count, -2);
  });

  test("an update that matches nothing changes nothing", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    assert.deepEqual(await storage.update("jobs", { id: "job_0001", lease: "other" }, { attempts: 9 }), []);
    assert.deepEqual(await storage.get("jobs", "job_0001"), jobOf(1));
  });

  test("an update that would violate a unique index throws and changes nothing", async ({ storage }) => {
    await storage.insert("inboxes", inboxOf(1));
    await storage.insert("inboxes", inboxOf(2));
    await assert.rejects(storage.update("inboxes", { account_id: "acct_1" }, { client_id: "same" }));
    assert.deepEqual(await storage.get("inboxes", "inb_0001"), inboxOf(1));
    assert.deepEqual(await storage.get("inboxes", "inb_0002"), inboxOf(2));
  });

  test("a delete returns the number of deleted records", async ({ storage }) => {
    for (const name of [1, 2, 3])
      await storage.insert("jobs", jobOf(name, { subject_id: name === 3 ? "msg_3" : "msg_1" }));
    assert.equal(await storage.delete("jobs", { subject_id: "msg_1" }), 2);
    assert.equal(await storage.delete("jobs", { subject_id: "msg_1" }), 0);
    assert.equal(await storage.count("jobs", {}, 10), 1);
  });

  test("of many concurrent inserts of one key one wins, and all return its record", async ({ storage }) => {
    const answers = await race(20, (index) =>
      storage.insert("inboxes", inboxOf(index, { client_id: "same" })),
    );
    const winners = answers.filter(({ inserted }) => inserted);
    assert.equal(winners.length, 1);
    for (const { record } of answers) assert.deepEqual(record, winners[0]?.record);
    assert.equal(await storage.count("inboxes", {}, 100), 1);
  });

  test("of many concurrent compare-and-sets one wins", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    const answers = await race(20, (index) =>
      storage.update("jobs", { id: "job_0001", lease: null }, { lease: `worker ${index}` }),
    );
    const winners = answers.flat();
    assert.equal(winners.length, 1);
    assert.deepEqual(await storage.get("jobs", "job_0001"), winners[0]);
  });

  test("a slot whose lease expired is taken by one", async ({ storage }) => {
    await storage.insert("slots", { name: "s:0", holder: "gone", expires_at: MADE_AT });
    const expires_at = "2026-01-01T00:01:00.000Z";
    const answers = await race(20, (index) =>
      storage.update(
        "slots",
        { name: "s:0", expires_at: { lte: MADE_AT } },
        { holder: `h${index}`, expires_at },
      ),
    );
    assert.equal(answers.flat().length, 1);
  });

  test("no concurrent increment is lost", async ({ storage }) => {
    await storage.insert("counters", counterOf("c"));
    const counts = (
      await race(50, () => storage.update("counters", { name: "c" }, { count: { add: 1 } }))
    ).map(([record]) => record?.count ?? 0);
    assert.deepEqual(
      counts.toSorted((a, b) => a - b),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  test("a storage with a version changes a table's at each commit that changes the table, and never without a commit", async ({
    storage,
  }) => {
    if (storage.version === undefined) return;
    const versions = new Set<number>();
    const tell = () => versions.add(storage.version?.(["jobs"]) ?? Number.NaN);
    tell();
    for (const write of [
      () => storage.insert("jobs", jobOf(1)),
      () => storage.update("jobs", { id: "job_0001" }, { attempts: 1 }),
      () => storage.transaction(async (tx) => tx.append("jobs", [jobOf(2)])),
      () => storage.delete("jobs", { id: "job_0001" }),
    ]) {
      await write();
      tell();
      await storage.get("jobs", "job_0002");
      tell();
    }
    assert.equal(versions.size, 5);
  });

  test("of many concurrent deletes of one record one counts it", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    const counts = await race(20, () => storage.delete("jobs", { id: "job_0001" }));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    );
  });
}
