import { afterAll, beforeAll, expect, test } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createTestService, type TestService } from "../packages/core/testing/index.ts";
import { type Racer, startRacer } from "./support/racers.ts";

const PROGRAM = new URL("support/pairing-racer.ts", import.meta.url);
const ROUNDS = 60;
const AT_ONCE = 4;

const undo: (() => unknown)[] = [];
let storage: PostgresStorage;
let service: TestService;
let racers: Racer[];

beforeAll(async () => {
  const { url, drop } = await freshDatabase();
  undo.push(drop);
  storage = await createPostgresStorage({ connectionString: url });
  undo.push(() => storage.close());
  service = createTestService({ storage });
  racers = await Promise.all([1, 2].map(() => startRacer(PROGRAM, [url])));
  undo.push(...racers.map(({ stop }) => stop));
}, 60_000);
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

test("of two agents in two processes with one code at once, one gets an account, and nothing of the other is left", async () => {
  const won = [0, 0];
  const race = async (round: number) => {
    const email = `person-${round}@owner.example`;
    const person = service.letterslot.asOwner({ email, account_id: "" });
    const { code } = await person.pairings.create({});
    const names = [`first-${round}`, `other-${round}`];
    // Each process begins as often.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    const outcomes = await Promise.all(
      order.map(async (which) => [which, await racers[which]?.ask(code, `${code} ${names[which]}`)] as const),
    );
    const [winner, ...others] = outcomes.filter(([, outcome]) => outcome === "won");
    expect([others, outcomes.map(([, outcome]) => String(outcome)).toSorted()]).toEqual([
      [],
      ["pairing_invalid", "won"],
    ]);
    won[winner?.[0] ?? 0] = (won[winner?.[0] ?? 0] ?? 0) + 1;
    const accounts = await storage.find("accounts", { where: { first_owner_email: email }, limit: 9 });
    expect(accounts).toHaveLength(1);
    const account_id = accounts[0]?.id ?? "";
    const [inboxes, keys, authorities] = await Promise.all([
      storage.find("inboxes", { where: { account_id }, limit: 9 }),
      storage.find("keys", { where: { account_id }, limit: 9 }),
      storage.find("authorities", { where: { email }, limit: 9 }),
    ]);
    expect([inboxes.map(({ username }) => username), keys.length, authorities.length]).toEqual([
      [names[winner?.[0] ?? 0]],
      1,
      1,
    ]);
  };
  for (let round = 0; round < ROUNDS; round += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(round + index)));
  // Neither always comes first, or nothing raced.
  expect(Math.min(...won)).toBeGreaterThan(0);
}, 120_000);
