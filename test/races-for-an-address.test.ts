import { afterAll, beforeAll, expect, test } from "vitest";
import { createPostgresStorage, type PostgresStorage } from "../packages/adapter-postgres/src/index.ts";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createTestService, provenDomain } from "../packages/core/testing/index.ts";
import { type Racer, startRacer } from "./support/racers.ts";

const PROGRAM = new URL("support/address-racer.ts", import.meta.url);
const FIRM = "firm.test";
const ROUNDS = 120;
const AT_ONCE = 20;

const undo: (() => unknown)[] = [];
let storage: PostgresStorage;
let racers: Racer[];

beforeAll(async () => {
  const { url, drop } = await freshDatabase();
  undo.push(drop);
  storage = await createPostgresStorage({ connectionString: url });
  undo.push(() => storage.close());
  const service = createTestService({ storage });
  const { account_id, api_key } = await service.signUp("eve");
  const { inbox } = await service.signUp("ada");
  const mail = { receiving: false, sending: true };
  await provenDomain(service.letterslot.services, account_id, { domain: FIRM, mail });
  racers = await Promise.all([1, 2].map(() => startRacer(PROGRAM, [url, api_key, inbox.id])));
  undo.push(...racers.map(({ stop }) => stop));
});
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

test("of an inbox and a person that two processes make at once, exactly one gets the address", async () => {
  const won = { inbox: 0, person: 0 };
  const race = async (round: number) => {
    const email = `cfo-${round}@${FIRM}`;
    const person = round % 4 < 2 ? "authority" : "owner";
    // Each process makes both, and each begins as often.
    const [one, other] = round % 2 === 0 ? racers : racers.toReversed();
    const asked = [() => one?.ask(email, `inbox ${email}`), () => other?.ask(email, `${person} ${email}`)];
    const [first, second] = await Promise.all(
      (round % 8 < 4 ? asked : asked.toReversed()).map(async (ask) => ask()),
    );
    const [of_inbox, of_person] = round % 8 < 4 ? [first, second] : [second, first];
    const { kind } = (await storage.get("addresses", email)) ?? {};
    expect([email, kind, of_inbox, of_person]).toEqual(
      of_inbox === "won"
        ? [email, "inbox", "won", "address_is_inbox"]
        : [email, "person", "username_taken", "won"],
    );
    const where = { email };
    const [inboxes, owners, authorities] = await Promise.all([
      storage.find("inboxes", { where, limit: 9 }),
      storage.find("owners", { where, limit: 9 }),
      storage.find("authorities", { where, limit: 9 }),
    ]);
    expect([email, inboxes.length, owners.length + authorities.length]).toEqual(
      kind === "inbox" ? [email, 1, 0] : [email, 0, 1],
    );
    won[kind === "inbox" ? "inbox" : "person"] += 1;
  };
  for (let round = 0; round < ROUNDS; round += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(round + index)));
  expect(won.inbox + won.person).toBe(ROUNDS);
  // Neither always comes first, or nothing raced.
  expect(Math.min(won.inbox, won.person)).toBeGreaterThan(0);
}, 60_000);
