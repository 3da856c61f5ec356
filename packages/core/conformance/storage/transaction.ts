import assert from "node:assert/strict";
import type { Transaction } from "../../src/ports/storage.ts";
import { gate, race } from "../kit.ts";
import { accountOf, counterOf, createKitIds, eventOf, inboxOf, jobOf, MADE_AT } from "../records.ts";
import type { StorageTest } from "./opened.ts";

/** Transactions: atomic and isolated. */
export function testTransactions(test: StorageTest): void {
  test("a transaction returns what run returns, and all of it is stored", async ({ storage }) => {
    const answer = await storage.transaction(async (tx) => {
      await tx.insert("jobs", jobOf(1));
      tx.append("jobs", [jobOf(2), jobOf(3)]);
      await tx.update("jobs", { id: "job_0002" }, { attempts: 2 });
      assert.equal(await tx.delete("jobs", { id: "job_0003" }), 1);
      return "done";
    });
    assert.equal(answer, "done");
    assert.deepEqual(
      await storage.find("jobs", { where: {}, order: { by: "id", direction: "asc" }, limit: 9 }),
      [jobOf(1), jobOf(2, { attempts: 2 })],
    );
  });

  test("a transaction reads its own writes, including batched ones", async ({ storage }) => {
    await storage.transaction(async (tx) => {
      tx.append("jobs", [jobOf(1)]);
      assert.deepEqual(await tx.get("jobs", "job_0001"), jobOf(1));
      tx.append("jobs", [jobOf(2)]);
      assert.equal(await tx.count("jobs", {}, 9), 2);
      tx.append("jobs", [jobOf(3)]);
      assert.equal((await tx.insert("jobs", jobOf(3, { attempts: 1 }))).inserted, false);
      tx.append("jobs", []);
      assert.equal((await tx.find("jobs", { where: { subject_id: "msg_1" }, limit: 9 })).length, 3);
    });
  });

  test("what a transaction asks at once happens in the order in which it was asked", async ({ storage }) => {
    await storage.insert("counters", counterOf("a", 1));
    await storage.insert("jobs", jobOf(1));
    const count = { add: 1 };
    // Often enough for a storage that prepares what comes often.
    for (let times = 0; times < 6; times++) {
      const name = `new ${times}`;
      const found = await storage.transaction(async (tx) => {
        const asked = [
          tx.get("counters", "a"),
          tx.get("jobs", "job_0001"),
          tx.update("counters", { name: "a" }, { count }),
          tx.update("jobs", { id: "job_0001" }, { attempts: { add: 1 } }),
          tx.get("counters", "a"),
          tx.insert("slots", { name, holder: "first", expires_at: MADE_AT }),
          tx.insert("slots", { name: `${name} too`, holder: "second", expires_at: MADE_AT }),
          tx.update("slots", { name, holder: "first" }, { holder: "third" }),
          tx.find("slots", { where: { name }, limit: 2 }),
          tx.delete("slots", { name }),
          tx.count("slots", { name }, 5),
        ] as const;
        tx.append("slots", [{ name: `last ${times}`, holder: "me", expires_at: MADE_AT }]);
        const last = tx.get("slots", `last ${times}`);
        return [...(await Promise.all(asked)), await last] as const;
      });
      const [before, , [changed], [job], after, first, second, [third], slots, deleted, left, last] = found;
      const a = times + 1;
      assert.deepEqual([before?.count, changed?.count, after?.count], [a, a + 1, a + 1]);
      assert.equal(job?.attempts, times + 1);
      assert.deepEqual([first.inserted, second.inserted, third?.holder], [true, true, "third"]);
      assert.deepEqual(
        [slots.length, slots[0]?.holder, deleted, left, last?.holder],
        [1, "third", 1, 0, "me"],
      );
    }
  });

  test("what a transaction asks at once and doesn't await is committed with it", async ({ storage }) => {
    for (let times = 0; times < 6; times++) {
      const id = `job_${String(times).padStart(4, "0")}`;
      await storage.transaction(async (tx) => {
        void tx.insert("jobs", jobOf(times));
        void tx.get("counters", "none");
        void tx.update("jobs", { id }, { attempts: 7 });
        void tx.insert("counters", counterOf(`c${times}`));
      });
      assert.equal((await storage.get("jobs", id))?.attempts, 7);
      assert.equal((await storage.get("counters", `c${times}`))?.count, 0);
    }
  });

  test("an error in run rolls everything back and is rethrown unchanged", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    const error = new Error("no");
    const outcome = storage.transaction(async (tx) => {
      await tx.update("jobs", { id: "job_0001" }, { attempts: 5 });
      await tx.insert("jobs", jobOf(2));
      tx.append("jobs", [jobOf(3)]);
      tx.index([
        {
          message_id: createKitIds()("msg"),
          account_id: "acct_1",
          inbox_id: "inb_1",
          thread_id: "thr_1",
          fields: fieldsOf("gone"),
        },
      ]);
      await tx.delete("jobs", { id: "job_0001" });
      throw error;
    });
    await assert.rejects(outcome, (thrown) => thrown === error);
    assert.deepEqual(await storage.find("jobs", { where: {}, limit: 9 }), [jobOf(1)]);
    assert.deepEqual(await storage.search(searchOf("gone")), []);
  });

  test("a failed transaction does not affect concurrent ones", async ({ storage }) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        storage.transaction(async (tx) => {
          await tx.insert("jobs", jobOf(index));
          tx.append("jobs", [jobOf(index + 100)]);
          if (index % 3 === 0) throw new Error("no");
        }),
      ),
    );
    const stored = (await storage.find("jobs", { where: {}, limit: 100 })).map(({ id }) => id).toSorted();
    const kept = outcomes.flatMap(({ status }, index) =>
      status === "fulfilled" ? [jobOf(index).id, jobOf(index + 100).id] : [],
    );
    assert.equal(kept.length, 26);
    assert.deepEqual(stored, kept.toSorted());
  });

  test("a conflict among appended records fails the whole transaction", async ({ storage }) => {
    await storage.insert("jobs", jobOf(1));
    const outcome = storage.transaction(async (tx) => {
      await tx.insert("jobs", jobOf(2));
      tx.append("jobs", [jobOf(3), jobOf(1)]);
    });
    await assert.rejects(outcome);
    const caught = storage.transaction(async (tx) => {
      tx.append("jobs", [jobOf(3), jobOf(1)]);
      await tx.get("jobs", "job_0003").catch(() => undefined);
    });
    await assert.rejects(caught);
    assert.deepEqual(await storage.find("jobs", { where: {}, limit: 9 }), [jobOf(1)]);
  });

  test("the outer storage throws inside a transaction, and nothing hangs", async ({ storage }) => {
    await storage.transaction(async () => {
      await assert.rejects(storage.get("jobs", "job_0001"));
      await assert.rejects(storage.find("jobs", { where: {}, limit: 1 }));
      await assert.rejects(storage.count("jobs", {}, 1));
      await assert.rejects(storage.search(searchOf("word")));
      await assert.rejects(storage.insert("jobs", jobOf(1)));
      await assert.rejects(storage.update("jobs", {}, { attempts: 1 }));
      await assert.rejects(storage.delete("jobs", {}));
      await assert.rejects(storage.transaction(async () => undefined));
    });
    assert.equal(await storage.count("jobs", {}, 1), 0);
  });

  test("code started by a transaction may use the storage once it has ended", async ({ storage }) => {
    const ended = gate();
    let later: Promise<unknown> = Promise.resolve();
    await storage.transaction(async () => {
      later = ended.passed.then(() => storage.insert("jobs", jobOf(1)));
    });
    ended.open();
    await later;
    assert.equal(await storage.count("jobs", {}, 9), 1);
  });

  test("the handle throws after its transaction has ended in any way", async ({ storage }) => {
    const handles: Transaction[] = [];
    await storage.transaction(async (tx) => void handles.push(tx));
    await storage
      .transaction(async (tx) => {
        handles.push(tx);
        throw new Error("no");
      })
      .catch(() => undefined);
    assert.equal(handles.length, 2);
    for (const tx of handles) {
      await assert.rejects(tx.get("jobs", "job_0001"));
      await assert.rejects(tx.find("jobs", { where: {}, limit: 1 }));
      await assert.rejects(tx.count("jobs", {}, 1));
      await assert.rejects(tx.search(searchOf("word")));
      await assert.rejects(tx.insert("jobs", jobOf(1)));
      await assert.rejects(tx.update("jobs", {}, { attempts: 1 }));
      await assert.rejects(tx.delete("jobs", {}));
      assert.throws(() => tx.append("jobs", [jobOf(1)]));
      assert.throws(() => tx.index([]));
      assert.throws(() => tx.unindex([]));
    }
    assert.equal(await storage.count("jobs", {}, 1), 0);
  });

  test("an operation that is not awaited does nothing once its transaction has failed", async ({
    storage,
  }) => {
    let late: Promise<unknown> | undefined;
    const failing = storage.transaction(async (tx) => {
      tx.append("jobs", [jobOf(1)]);
      late = Promise.allSettled([
        tx.insert("jobs", jobOf(1)),
        tx.update("jobs", { id: "job_0001" }, { attempts: 2 }),
      ]);
      throw new Error("no");
    });
    await assert.rejects(failing, { message: "no" });
    await late;
    assert.equal(await storage.count("jobs", {}, 9), 0);
  });

  test("uncommitted changes are not visible outside", async ({ storage }) => {
    const written = gate();
    const hold = gate();
    const outcome = storage.transaction(async (tx) => {
      await tx.insert("jobs", jobOf(1));
      tx.append("jobs", [jobOf(2)]);
      await tx.count("jobs", {}, 9);
      written.open();
      await hold.passed;
      throw new Error("no");
    });
    await written.passed;
    const seen = Promise.all([storage.get("jobs", "job_0001"), storage.count("jobs", {}, 9)]);
    hold.open();
    await assert.rejects(outcome);
    assert.deepEqual(await seen, [undefined, 0]);
  });

  test("no update is lost between a read and a write", async ({ storage }) => {
    await storage.insert("counters", counterOf("c"));
    await race(20, () =>
      storage.transaction(async (tx) => {
        const counter = await tx.get("counters", "c");
        await tx.update("counters", { name: "c" }, { count: (counter?.count ?? 0) + 1 });
      }),
    );
    assert.equal((await storage.get("counters", "c"))?.count, 20);
  });

  test("what a transaction read stays true until it commits", async ({ storage }) => {
    const taken = await race(10, (index) =>
      storage.transaction(async (tx) => {
        if ((await tx.count("inboxes", { account_id: "acct_1" }, 10)) >= 3) return false;
        await tx.insert("inboxes", inboxOf(index));
        return true;
      }),
    );
    assert.equal(taken.filter(Boolean).length, 3);
    assert.equal(await storage.count("inboxes", {}, 10), 3);
  });

  test("a rule over two records holds under concurrency", async ({ storage }) => {
    await storage.insert("counters", counterOf("left", 1));
    await storage.insert("counters", counterOf("right", 1));
    await race(10, (index) =>
      storage.transaction(async (tx) => {
        const counters = await tx.find("counters", { where: { name: { in: ["left", "right"] } }, limit: 2 });
        if (counters.reduce((sum, { count }) => sum + count, 0) < 2) return;
        await tx.update("counters", { name: index % 2 === 0 ? "left" : "right" }, { count: { add: -1 } });
      }),
    );
    const counters = await storage.find("counters", { where: {}, limit: 2 });
    assert.equal(
      counters.reduce((sum, { count }) => sum + count, 0),
      1,
    );
  });

  test("event sequences have no gaps and follow the commit order, per account", async ({ storage }) => {
    const makeId = createKitIds();
    for (const account of [1, 2]) await storage.insert("accounts", accountOf(account));
    const committed: Record<string, number[]> = { acct_1: [], acct_2: [] };
    await race(60, async (index) => {
      const account_id = `acct_${(index % 2) + 1}`;
      const run = storage.transaction(async (tx) => {
        const [account] = await tx.update("accounts", { id: account_id }, { event_sequence: { add: 1 } });
        const sequence = account?.event_sequence ?? 0;
        tx.append("events", [eventOf(account_id, sequence, makeId("evt"))]);
        if (index % 5 === 0) throw new Error("no");
        return sequence;
      });
      await run.then(
        (sequence) => committed[account_id]?.push(sequence),
        () => undefined,
      );
    });
    for (const [account_id, sequences] of Object.entries(committed)) {
      const events = await storage.find("events", {
        where: { account_id },
        order: { by: "sequence", direction: "asc" },
        limit: 100,
      });
      const whole = Array.from({ length: 24 }, (_, index) => index + 1);
      assert.deepEqual(
        events.map(({ sequence }) => sequence),
        whole,
      );
      assert.deepEqual(
        sequences.toSorted((a, b) => a - b),
        whole,
      );
    }
  });

  test("concurrent single writes and transactions don't interfere", async ({ storage }) => {
    await storage.insert("counters", counterOf("c"));
    await race(30, async (index) => {
      if (index % 3 === 0) await storage.update("counters", { name: "c" }, { count: { add: 1 } });
      else if (index % 3 === 1)
        await storage.transaction(
          async (tx) => void (await tx.update("counters", { name: "c" }, { count: { add: 1 } })),
        );
      else await storage.insert("jobs", jobOf(index));
    });
    assert.equal((await storage.get("counters", "c"))?.count, 20);
    assert.equal(await storage.count("jobs", {}, 100), 10);
  });
}

function fieldsOf(...text: string[]) {
  return { subject: [], text, sender: [], recipients: [], attachments: [] };
}

function searchOf(...words: string[]) {
  const terms = [{ words, prefix: false, field: null }];
  return { account_id: "acct_1", inbox_id: null, thread_id: null, terms, before: null, limit: 10 };
}
