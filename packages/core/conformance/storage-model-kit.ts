import assert from "node:assert/strict";
import type { SearchDocument } from "../src/ports/search.ts";
import type { Condition, Storage, StorageWriter, Where } from "../src/ports/storage.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { type Kit, type Opened, withFresh } from "./kit.ts";
import { createRandom, type SeededRandom } from "./seeded-random.ts";
import { storageOrderKit } from "./storage-order-kit.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const STEPS = 300;

/** An operation on a storage and its result, in a comparable form. */
type Step = (storage: StorageWriter) => Promise<unknown>;

/**
 * Checks that random operations, alone and in transactions, have the same results as in memory, and transactions that run
 * at the same time those of some order.
 */
export function storageModelKit(kit: Kit<Opened & { storage: Storage }>): void {
  const test = withFresh(kit);
  for (const seed of SEEDS) {
    test(`random operations have the same results as in memory, seed ${seed}`, async ({ storage }) => {
      const memory = createMemoryStorage();
      const random = createRandom(seed);
      for (let number = 0; number < STEPS; number++) {
        const turn =
          random.below(10) === 0 ? transactionStep(random) : { say: "single", run: single(step(random)) };
        const [expected, found] = await Promise.all([memory, storage].map(turn.run));
        assert.deepEqual(found, expected, `step ${number} (${turn.say})`);
      }
    });
  }
  storageOrderKit(kit);
}

function single(run: Step): (storage: Storage) => Promise<unknown> {
  return (storage) => run(storage).catch(() => "failed");
}

/** Several steps and some indexing in a transaction that sometimes fails at the end. */
function transactionStep(random: SeededRandom): { say: string; run: (storage: Storage) => Promise<unknown> } {
  const steps = Array.from({ length: 1 + random.below(4) }, () => step(random));
  const documents = Array.from({ length: random.below(4) }, () => document(random));
  const removed = Array.from({ length: random.below(2) }, () => messageId(random));
  const fails = random.below(4) === 0;
  const run = (storage: Storage) =>
    storage
      .transaction(async (tx) => {
        const results: unknown[] = [];
        tx.index(documents);
        for (const one of steps) results.push(await one(tx).catch(() => "failed"));
        tx.unindex(removed);
        if (fails) throw new Error("no");
        return results;
      })
      .catch(() => "rolled back");
  return { say: "transaction", run };
}

function step(random: SeededRandom): Step {
  const id = `job_${random.below(40)}`;
  const where = conditions(random);
  switch (random.below(8)) {
    case 0:
    case 1: {
      const job = {
        id,
        kind: random.pick(["message.send", "blobs.collect"] as const),
        due_at: moment(random),
        subject_id: subject(random),
        payload: { n: random.below(3), s: subject(random) },
        attempts: random.below(5),
        lease: random.pick([null, "a", "b"]),
        created_at: moment(random),
      };
      return (storage) => storage.insert("jobs", job);
    }
    case 2: {
      const change = {
        attempts: random.pick([{ add: 1 }, { add: -2 }, random.below(9)]),
        lease: random.pick([null, "c"]),
        subject_id: subject(random),
      };
      return async (storage) => sorted(await storage.update("jobs", where, change));
    }
    case 3:
      return random.below(3) === 0
        ? (storage) => storage.delete("jobs", where)
        : (storage) => storage.delete("jobs", { id });
    case 4: {
      const order = { by: "id" as const, direction: random.pick(["asc", "desc"] as const) };
      const limit = 1 + random.below(20);
      return (storage) => storage.find("jobs", { where, order, limit });
    }
    case 5:
      return (storage) => storage.count("jobs", where, 25);
    case 6: {
      const term = { inbox_id: subject(random), term: subject(random), message_id: id };
      return random.below(2) === 0
        ? (storage) => storage.insert("message_terms", term)
        : (storage) => storage.delete("message_terms", { inbox_id: term.inbox_id, term: term.term });
    }
    default: {
      const words = [random.pick(VOCABULARY), ...(random.below(3) === 0 ? [random.pick(VOCABULARY)] : [])];
      const term = {
        words,
        prefix: random.below(3) === 0,
        field: random.pick([null, null, "subject" as const]),
      };
      const before = random.pick([null, messageId(random)]);
      const query = {
        account_id: "acct_1",
        inbox_id: random.pick([null, "inb_1"]),
        thread_id: null,
        terms: [term],
        before,
        limit: 30,
      };
      return (storage) => storage.search(query);
    }
  }
}

const SUBJECTS = ["", "a", "B", "ä", "東京", "🎈", "\ue000", "a b", "%", "_", "'", "z"];
const VOCABULARY = ["alpha", "alphabet", "beta", "be", "東京", "京都", "都", "2026"];

function subject(random: SeededRandom): string {
  return random.pick(SUBJECTS);
}

function moment(random: SeededRandom): string {
  return new Date(Date.UTC(2026, 0, 1 + random.below(28))).toISOString();
}

function messageId(random: SeededRandom): string {
  return `msg_1kdvdna0${random.below(10)}000000000${random.below(5)}0`;
}

function document(random: SeededRandom): SearchDocument {
  const words = () => Array.from({ length: random.below(6) }, () => random.pick(VOCABULARY));
  return {
    message_id: messageId(random),
    account_id: "acct_1",
    inbox_id: random.pick(["inb_1", "inb_2"]),
    thread_id: "thr_1",
    fields: { subject: words(), text: words(), sender: words(), recipients: [], attachments: [] },
  };
}

function conditions(random: SeededRandom): Where<"jobs"> {
  const where: Where<"jobs"> = {};
  if (random.below(2) === 0) where.subject_id = textCondition(random);
  if (random.below(3) === 0)
    where.attempts = random.pick<Condition<number>>([
      1,
      { gt: 2 },
      { lte: 3 },
      { not: 0 },
      { in: [1, 2, 2] },
    ]);
  if (random.below(3) === 0)
    where.lease = random.pick<Condition<string | null>>([
      null,
      "a",
      { not: null },
      { not: "a" },
      { in: ["a", "c"] },
    ]);
  if (random.below(3) === 0) where.due_at = { gte: moment(random) };
  return where;
}

function textCondition(random: SeededRandom): Condition<string> {
  const bounds = [subject(random), subject(random)];
  return random.pick<Condition<string>>([
    bounds[0] ?? "",
    { in: bounds },
    { not: bounds[0] ?? "" },
    { gte: bounds[0] ?? "", lt: bounds[1] ?? "" },
  ]);
}

function sorted(records: { id: string }[]): unknown[] {
  return records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
