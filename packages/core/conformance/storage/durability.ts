import assert from "node:assert/strict";
import { parseQuery } from "../../src/mailbox/search/index.ts";
import { race } from "../kit.ts";
import { createKitIds, jobOf } from "../records.ts";
import type { StorageTest } from "./opened.ts";

/** Durability: committed data is there after a crash and reopening. */
export function testDurability(test: StorageTest): void {
  test("committed data is there after reopening, and nothing else", async ({ storage, reopen }) => {
    if (reopen === undefined) return;
    const message_id = createKitIds()("msg");
    await race(20, (index) => storage.insert("jobs", jobOf(index)));
    await storage.update("jobs", { id: "job_0003" }, { attempts: 3 });
    await storage.delete("jobs", { id: "job_0004" });
    await storage.transaction(async (tx) => {
      tx.append("jobs", [jobOf(20)]);
      tx.index([
        {
          message_id,
          account_id: "acct_1",
          inbox_id: "inb_1",
          thread_id: "thr_1",
          fields: { subject: ["word"], text: [], sender: [], recipients: [], attachments: [] },
        },
      ]);
    });
    const failed = storage.transaction(async (tx) => {
      tx.append("jobs", [jobOf(21)]);
      throw new Error("no");
    });
    await assert.rejects(failed);

    const again = await reopen();
    const ids = (
      await again.find("jobs", { where: {}, order: { by: "id", direction: "asc" }, limit: 100 })
    ).map(({ id }) => id);
    const expected = Array.from({ length: 21 }, (_, index) => jobOf(index).id).filter(
      (id) => id !== "job_0004",
    );
    assert.deepEqual(ids, expected);
    assert.equal((await again.get("jobs", "job_0003"))?.attempts, 3);
    const query = { account_id: "acct_1", inbox_id: null, thread_id: null, before: null, limit: 5 };
    assert.deepEqual(await again.search({ ...query, terms: parseQuery("word").terms }), [message_id]);
  });

  test("ping succeeds while the storage is open; every operation throws once it is closed", async ({
    storage,
  }) => {
    await storage.ping();
    await storage.close();
    await assert.rejects(storage.ping());
    await assert.rejects(storage.get("jobs", "job_0001"));
    await assert.rejects(storage.insert("jobs", jobOf(1)));
    await assert.rejects(storage.transaction(async () => undefined));
    await storage.close();
  });

  test("closing finishes the current operations", async ({ storage, reopen }) => {
    const writes = Array.from({ length: 10 }, (_, index) => storage.insert("jobs", jobOf(index)));
    await storage.close();
    const settled = await Promise.allSettled(writes);
    if (reopen === undefined) return;
    const kept = settled.filter(({ status }) => status === "fulfilled").length;
    assert.equal(await (await reopen()).count("jobs", {}, 100), kept);
  });
}
