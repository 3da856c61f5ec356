import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { createIds } from "../../packages/core/src/catalogue/ids.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { createTextExtraction } from "../../packages/text-extraction/src/index.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { callOverWire } from "../support/wire-call.ts";

/** An id of ours: its kind, the time and chance, and a check character. */
const ID = /\b([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{19,}\b/g;

const extraction = createTextExtraction();
let served: Served;
let ada: Furnished;
let eve: Furnished;

beforeAll(async () => {
  served = await serve({ config: { textExtraction: extraction } });
  ada = await furnish(served, "ada");
  eve = await furnish(served, "eve");
});
afterAll(async () => {
  await served.close();
  await extraction.close();
});

const makeId = createIds(() => Date.UTC(2026, 0, 1));

/** The same value with each id replaced by one that nobody has, with a right check character. */
const madeUp = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(ID, (_, kind: string) => makeId(kind as never)));

/** Every way to name a record of another's: all ids of an operation's input, or each alone beside one's own. */
function strangersOf(name: OperationName): [string, Record<string, unknown>][] {
  const theirs = createInputs(ada, served)[name];
  const own = createInputs(eve, served)[name];
  const naming = Object.keys(theirs).filter((field) => JSON.stringify(theirs[field]).search(ID) >= 0);
  return [
    ...(naming.length > 1 ? [["all", { ...own, ...pick(theirs, naming) }] as [string, typeof own]] : []),
    ...naming.map((field): [string, typeof own] => [field, { ...own, [field]: theirs[field] }]),
  ];
}

const pick = (from: Record<string, unknown>, fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, from[field]]));

/** An answer without what differs between any two: ids, times, and the length that follows from these. */
async function answerTo(name: OperationName, input: Record<string, unknown>, api_key: string) {
  const { status, headers, text } = await callOverWire(served, name, input, {
    authorization: `Bearer ${api_key}`,
  });
  const kept = [...headers].filter(([field]) => !["x-request-id", "date"].includes(field));
  return { status, headers: kept, text: text.replace(ID, "$1_…") };
}

const keyed = (Object.keys(routes) as OperationName[]).filter((name) => {
  const { scope, callers } = operationNamed(name);
  return scope !== "public" && callers?.includes("key") !== false;
});

describe("another account's record and one that nobody has answer the same bytes but for the id", () => {
  test.each(keyed)("%s", async (name) => {
    for (const [which, input] of strangersOf(name)) {
      if (which === "claim_token" || which === "token") continue;
      const reads = (routes[name] as Route).method === "GET";
      const foreign = await answerTo(name, input, eve.api_key);
      // A successful call may have changed something, so only reads are repeated then.
      if (foreign.status < 300 && !reads) continue;
      const own = createInputs(eve, served)[name];
      const invented = Object.fromEntries(
        Object.entries(input).map(([field, value]) => [
          field,
          JSON.stringify(value) === JSON.stringify(own[field]) ? value : madeUp(value),
        ]),
      );
      expect({ which, ...(await answerTo(name, invented, eve.api_key)) }).toEqual({ which, ...foreign });
    }
  });
});

/** Returns the distance between two samples' ranks in standard deviations (Mann-Whitney, normal approximation). */
function rankDistance(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((time) => ({ time, mine: true })), ...other.map((time) => ({ time, mine: false }))];
  all.sort((a, b) => a.time - b.time);
  const ranks = all.reduce((sum, { mine }, index) => (mine ? sum + index + 1 : sum), 0);
  const [n, m] = [one.length, other.length];
  const expected = (n * (n + m + 1)) / 2;
  return (ranks - expected) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

describe("the time doesn't tell another account's inbox from one that nobody has", () => {
  const ROUNDS = 1_000;
  /** Without a difference, more than that comes out once in a million runs; 40 µs are more than twenty. */
  const FAR = 5;

  test.each(["inboxes.get", "messages.list", "messages.get", "inboxes.update"] as const)(
    "%s",
    async (name) => {
      const { letterslot } = served;
      const caller = await letterslot.authenticate(eve.api_key, null);
      const input = createInputs(eve, served)[name];
      const time = async (inbox_id: string) => {
        const start = process.hrtime.bigint();
        // Every call fails with 404: only its time is of interest here, and other tests compare the answers.
        await letterslot.call(caller, name, { ...input, inbox_id }).catch(() => undefined);
        return Number(process.hrtime.bigint() - start);
      };
      const times = { foreign: [] as number[], made_up: [] as number[], control: [] as number[] };
      const order = Object.keys(times) as (keyof typeof times)[];
      for (let round = 0; round < ROUNDS + 100; round++) {
        // Each of the three comes first, second and last equally often.
        order.push(order.shift() as keyof typeof times);
        for (const which of order) {
          const took = await time(which === "foreign" ? ada.inbox_id : makeId("inb"));
          // The first ones warm up.
          if (round >= 100) times[which].push(took);
        }
      }
      const control = Math.abs(rankDistance(times.made_up, times.control));
      const foreign = Math.abs(rankDistance(times.foreign, times.made_up));
      expect(foreign).toBeLessThan(Math.max(FAR, 2 * control));
    },
  );
});
