import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { LetterslotError } from "../src/catalogue/errors.ts";
import type { Storage, Transaction } from "../src/ports/storage.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import { type Kit, type Opened, withFresh } from "./kit.ts";
import { counterOf, jobOf } from "./records.ts";
import { createRandom, type SeededRandom } from "./seeded-random.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];
const ROUNDS = 60;
const AT_ONCE = 3;
/** The names of new counters sort after the others. */
const NEW = "new";
const ORDERS = permutations(Array.from({ length: AT_ONCE }, (_, index) => index));

/** One thing that a transaction does; its result, in a comparable form. */
interface Step {
  say: string;
  /** It may take several statements, which what is asked beside it may come between. */
  isAlone?: true;
  run(tx: Transaction): Promise<unknown>;
}
/** Steps that are asked at once; each list follows the one before. */
type Plan = readonly { steps: readonly Step[]; pauses: boolean }[];

/**
 * Checks that transactions that run at the same time read and leave what they would have if they had run one after
 * the other, in some order.
 */
export function storageOrderKit(kit: Kit<Opened & { storage: Storage }>): void {
  const test = withFresh(kit);
  const check = (seed: number, said: string, intentOf: (number: number) => Intent) =>
    test(`transactions at the same time ${said}have the results of some order, seed ${seed}`, async ({
      storage,
    }) => {
      const random = createRandom(seed);
      for (let round = 0; round < ROUNDS; round++) {
        const before = await contents(storage);
        const plans = Array.from({ length: AT_ONCE }, () => planOf(random, round));
        const found = await Promise.all(
          plans.map((plan, number) => runAtOnce(storage, plan, intentOf(number))),
        );
        const after = await contents(storage);
        assert.ok(
          await isSomeOrder(before, plans, { found, after }),
          `round ${round}: ${JSON.stringify({ before, plans: plans.map(described), found, after })}`,
        );
        await storage.delete("counters", { name: { gte: NEW } });
      }
    });
  for (const seed of SEEDS) {
    check(seed, "", (number) => ({
      changes: { table: "counters", id: `c${number % 2}` },
      shares_commit: true,
    }));
    // All records are those of the one that they declare. The last one is kept apart from everything.
    check(seed, "that read their own records ", (number) => ({
      changes: { table: "counters", id: "c0" },
      shares_commit: number === 0,
      reads_own: number < 2,
    }));
  }
}

/** Whether one of the orders, in memory, has these results and leaves these records. */
async function isSomeOrder(
  before: Contents,
  plans: readonly Plan[],
  { found, after }: { found: readonly unknown[]; after: Contents },
): Promise<boolean> {
  for (const order of ORDERS) {
    const memory = createMemoryStorage();
    for (const counter of before.counters) await memory.insert("counters", counter);
    for (const job of before.jobs) await memory.insert("jobs", job);
    const results: unknown[] = [];
    for (const number of order) results[number] = await runInOrder(memory, plans[number] ?? []);
    if (isEqual(results, found) && isEqual(await contents(memory), after)) return true;
  }
  return false;
}

const described = (plan: Plan): string =>
  plan
    .map(({ steps, pauses }) => steps.map(({ say }) => say).join(" & ") + (pauses ? ", a pause" : ""))
    .join("; ");

type Contents = Awaited<ReturnType<typeof contents>>;
async function contents(storage: Storage) {
  const [counters, jobs] = await Promise.all([
    storage.find("counters", { where: {}, order: { by: "name", direction: "asc" }, limit: 99 }),
    storage.find("jobs", { where: {}, order: { by: "id", direction: "asc" }, limit: 99 }),
  ]);
  return { counters, jobs };
}

const isEqual = (one: unknown, other: unknown): boolean => {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
};

type Intent = Parameters<Storage["transaction"]>[1];

function runAtOnce(storage: Storage, plan: Plan, intent: Intent): Promise<unknown> {
  return orRolledBack(
    storage.transaction(async (tx) => {
      const results: unknown[] = [];
      for (const { steps, pauses } of plan) {
        results.push(...(await Promise.all(steps.map((step) => step.run(tx)))));
        if (pauses) await setImmediate();
      }
      return results;
    }, intent),
  );
}

/**
 * The reference for operations issued together: runs them one after the other in the order in which they were issued.
 */
function runInOrder(storage: Storage, plan: Plan): Promise<unknown> {
  return orRolledBack(
    storage.transaction(async (tx) => {
      const results: unknown[] = [];
      for (const { steps } of plan) for (const step of steps) results.push(await step.run(tx));
      return results;
    }),
  );
}

/** A storage that gave up says so itself: in no order would it. */
const orRolledBack = (transaction: Promise<unknown>): Promise<unknown> =>
  transaction.catch((error: unknown) => {
    if (error instanceof LetterslotError) throw error;
    return "rolled back";
  });

function planOf(random: SeededRandom, round: number): Plan {
  return Array.from({ length: 1 + random.below(3) }, () => {
    const steps = Array.from({ length: 1 + random.below(2) }, () => stepOf(random, round));
    const alone = steps.find(({ isAlone }) => isAlone);
    return { steps: alone === undefined ? steps : [alone], pauses: random.below(2) === 0 };
  });
}

function stepOf(random: SeededRandom, round: number): Step {
  const name = nameOf(random);
  const count = random.below(5);
  const where = random.pick([{ name }, { name: { in: [name, nameOf(random)] } }, { count }]);
  const job = jobOf(random.below(6), { attempts: count });
  const change = random.pick([{ attempts: { add: 1 } }, { lease: name }]);
  // It is new, but for a few that fail their transaction.
  const appended = counterOf(random.below(100) === 0 ? name : `${NEW} ${round} ${random.next()}`, count);
  const said = JSON.stringify(where);
  switch (random.below(13)) {
    case 0:
    case 1:
      return { say: `get ${name}`, run: (tx) => tx.get("counters", name) };
    case 2:
      return {
        say: `find ${said}`,
        run: async (tx) => sorted(await tx.find("counters", { where, limit: 9 })),
      };
    case 3:
      return { say: `count ${said}`, run: (tx) => tx.count("counters", where, 9) };
    case 4:
      return {
        say: `insert ${name}`,
        isAlone: true,
        run: async (tx) => (await tx.insert("counters", counterOf(name, count))).inserted,
      };
    case 5:
    case 6:
      return {
        say: `add to ${name}`,
        run: (tx) => tx.update("counters", { name }, { count: { add: 1 } }),
      };
    case 7:
      return {
        say: `set ${said} to ${count}`,
        run: async (tx) => sorted(await tx.update("counters", where, { count })),
      };
    case 8:
      return { say: `delete ${said}`, run: (tx) => tx.delete("counters", where) };
    case 9:
      return { say: `append ${appended.name}`, run: async (tx) => tx.append("counters", [appended]) };
    case 10:
      return {
        say: `add up ${name} by ${count}`,
        isAlone: true,
        run: (tx) => addUp(tx, name, count),
      };
    case 11:
      return {
        say: `insert ${job.id}`,
        isAlone: true,
        run: async (tx) => (await tx.insert("jobs", job)).inserted,
      };
    default:
      return {
        say: `change ${job.id} ${JSON.stringify(change)}`,
        run: (tx) => tx.update("jobs", { id: job.id }, change),
      };
  }
}

const nameOf = (random: SeededRandom): string => `c${random.below(9)}`;

async function addUp(tx: Transaction, name: string, count: number): Promise<void> {
  const added = await tx.update("counters", { name }, { count: { add: count } });
  if (added.length === 0) await tx.insert("counters", counterOf(name, count));
}

const sorted = (records: readonly { name: string }[]) =>
  records.toSorted((one, other) => (one.name < other.name ? -1 : 1));

function permutations(of: readonly number[]): number[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) =>
    permutations(of.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  );
}
