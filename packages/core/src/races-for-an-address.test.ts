import { expect, test } from "vitest";
import { createTestService, provenDomain } from "../testing/index.ts";
import { insertInbox } from "./account/inboxes/index.ts";
import { LetterslotError } from "./catalogue/errors.ts";
import { unitOfWork } from "./kernel/unit-of-work.ts";
import { addVerifiedOwner, removeOwner } from "./owners/owners/index.ts";

const FIRM = "firm.test";
const ROUNDS = 1_000;
const AT_ONCE = 20;

/** A service whose account has a domain and an inbox, and what races for addresses there. */
async function open() {
  const service = createTestService();
  const { services } = service.letterslot;
  const { storage, clock } = services;
  const account = await service.signUp("ada");
  const { account_id } = account;
  await provenDomain(services, account_id, { domain: FIRM, mail: { receiving: false, sending: true } });
  const record = await storage.get("accounts", account_id);
  const inbox = await storage.get("inboxes", account.inbox.id);
  if (record === undefined || inbox === undefined) throw new Error("nothing was opened");
  const now = clock.now();
  const inOneStep = <T>(run: Parameters<typeof unitOfWork<T>>[3]) =>
    unitOfWork(services, account_id, now, run);
  return {
    storage,
    makeInbox: async (username: string) => {
      await someTurns();
      return inOneStep(async (work) => {
        await someTurns();
        return insertInbox(services, work, { account_id, username, domain: FIRM }, now);
      });
    },
    makeOwner: async (email: string) => {
      await someTurns();
      return inOneStep(async (work) => {
        await someTurns();
        await addVerifiedOwner(services, work, { account: record, inbox, email }, now);
        await someTurns();
      });
    },
    endOwner: async (owner_id: string) => {
      await someTurns();
      return inOneStep((work) => removeOwner(work, inbox.id, owner_id));
    },
    ownersAt: (email: string) => storage.find("owners", { where: { email }, limit: 9 }),
    inboxAt: async (email: string) => {
      const { inbox_id = null } = (await storage.get("addresses", email)) ?? {};
      return inbox_id === null ? undefined : storage.get("inboxes", inbox_id);
    },
  };
}

/** Gives others a random number of turns. */
async function someTurns(): Promise<void> {
  for (let turns = Math.floor(Math.random() * 4); turns > 0; turns--)
    await new Promise((resolve) => setImmediate(resolve));
}

const codeOf = (result: PromiseSettledResult<unknown>): string | undefined => {
  if (result.status === "fulfilled") return undefined;
  if (result.reason instanceof LetterslotError) return result.reason.code;
  throw result.reason;
};

async function inRounds(rounds: number, run: (name: string) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => run(`cfo-${round + index}`)));
}

test("of an inbox and a person that want an address at once, one gets it and the other is told why", async () => {
  const { storage, makeInbox, makeOwner, ownersAt, inboxAt } = await open();
  const won = { inbox: 0, person: 0 };
  await inRounds(ROUNDS, async (name) => {
    const email = `${name}@${FIRM}`;
    const [inbox, owner] = await Promise.allSettled([makeInbox(name), makeOwner(email)]);
    const kind = inbox.status === "fulfilled" ? "inbox" : "person";
    expect([codeOf(inbox), codeOf(owner)]).toEqual(
      kind === "inbox" ? [undefined, "address_is_inbox"] : ["username_taken", undefined],
    );
    expect(await storage.get("addresses", email)).toMatchObject({ kind });
    expect(await ownersAt(email)).toHaveLength(kind === "person" ? 1 : 0);
    expect((await inboxAt(email)) !== undefined).toBe(kind === "inbox");
    won[kind]++;
  });
  expect(won.inbox + won.person).toBe(ROUNDS);
}, 240_000);

test("while the last right of a person ends, the address goes to one of those who want it", async () => {
  const { storage, makeInbox, makeOwner, endOwner, ownersAt, inboxAt } = await open();
  await inRounds(200, async (name) => {
    const email = `${name}@${FIRM}`;
    await makeOwner(email);
    const [before] = await ownersAt(email);
    // The same inbox has no second owner at the address: the next one comes as the first one is gone.
    const next = endOwner(before?.id ?? "").then(() => makeOwner(email));
    const [owner, inbox] = await Promise.allSettled([next, makeInbox(name)]);
    codeOf(owner);
    codeOf(inbox);
    const owners = await ownersAt(email);
    const is_inbox = (await inboxAt(email)) !== undefined;
    expect(owners.length > 0 && is_inbox).toBe(false);
    const { kind } = (await storage.get("addresses", email)) ?? {};
    expect(kind).toBe(is_inbox ? "inbox" : owners.length > 0 ? "person" : undefined);
  });
}, 240_000);
