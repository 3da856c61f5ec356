import { afterAll, describe, expect, test } from "vitest";
import { FINDING_CODES, type FindingCode } from "../packages/core/src/traffic/gate/findings.ts";
import { CHECK_NAMES, type CheckName } from "../packages/core/src/traffic/gate/rules.ts";
import {
  ATTACKS,
  type Attack,
  CONTENT_ATTACKS,
  outcomeOf,
  type Place,
  placeFor,
  premises,
} from "../packages/core/test/attacks.fixture.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { createPatientScanner } from "./support/patient-scanner.ts";

/*
 * Each check of the gate is taken out of its list, and something gets through that it stops: a check that could be
 * taken out unnoticed would be none.
 */

const contentScanner = createPatientScanner();
afterAll(() => contentScanner.close());

/** Runs while a list has only some of its entries. */
async function having<T extends string, R>(
  list: readonly T[],
  kept: (each: T) => boolean,
  run: () => Promise<R>,
): Promise<R> {
  const all = [...list];
  const here = list as T[];
  here.splice(0, here.length, ...all.filter(kept));
  try {
    return await run();
  } finally {
    here.splice(0, here.length, ...all);
  }
}

/** An address that nobody named, for the policy that asks about everybody new. */
const toSomebodyNew: Attack = {
  ...{ name: "writes to somebody new", kind: "mail", code: "new_recipient", wrote: () => "Hi" },
  async act({ as, inbox, domain, service }) {
    const { storage } = service.letterslot.services;
    const outbound = { untrusted: null, content: null, new_recipients: "approve" } as const;
    const [stored] = await storage.find("inboxes", { where: { id: inbox.id }, limit: 1 });
    const effective_outbound = { ...stored?.effective_outbound, new_recipients: "approve" as const };
    await storage.update("inboxes", { id: inbox.id }, { outbound, effective_outbound } as never);
    return as.messages.send({ inbox_id: inbox.id, to: [`bo@${domain}`], text: "Hello" });
  },
};

describe("of what is found", () => {
  const table = [...ATTACKS, ...CONTENT_ATTACKS, toSomebodyNew].filter(({ kind }) => kind === "mail");
  /** Findings whose attacks others find too: a mail that nothing proves is a stranger's, in a stranger's thread. */
  const FOUND_BY_OTHERS: readonly FindingCode[] = ["unproven_recipient"];

  const premise = () => premises("guarded", "key", { service: createTestService({ contentScanner }) });

  /** Which attacks of a finding leave while only some findings are looked for. */
  async function left(code: FindingCode, kept: (each: FindingCode) => boolean): Promise<boolean[]> {
    const at = await premise();
    const done: boolean[] = [];
    for (const each of table.filter((attack) => attack.code === code)) {
      const place = await placeFor(at, each.wrote);
      const outcome = await having(FINDING_CODES, kept, () => outcomeOf(place, each.act));
      done.push(outcome.said === "done");
    }
    return done;
  }

  test.each(FINDING_CODES.map((each) => [each]))("%s alone stops its attacks", async (code) => {
    expect(await left(code, (each) => each === code)).not.toContain(true);
    expect(await left(code, () => false)).not.toContain(false);
  });

  test.each(FINDING_CODES.map((each) => [each]))("without %s an attack gets through", async (code) => {
    const through = await left(code, (each) => each !== code);
    expect(through.includes(true)).toBe(!FOUND_BY_OTHERS.includes(code));
  });
});

type Case = [name: CheckName, code: string, prepare: (place: Place) => Promise<() => Promise<unknown>>];
const send = ({ as, inbox }: Place, more: Record<string, unknown> = {}) =>
  as.messages.send({ inbox_id: inbox.id, to: ["bo@friend.example"], text: "Hello", ...more });
const text = ({ as, inbox }: Place, more: Record<string, unknown> = {}) =>
  as.messages.sendSms({ inbox_id: inbox.id, to: "+14155550177", text: "Hello", ...more });
const withNumber = ({ admin, inbox }: Place) =>
  admin.phoneNumbers.create({ inbox_id: inbox.id, area_code: "415" });
const storageOf = ({ service }: Place) => service.letterslot.services.storage;

const REFUSED: Case[] = [
  [
    "words",
    "missing_text",
    async (p) => {
      await withNumber(p);
      return () => text(p, { text: "   " });
    },
  ],
  ["recipients", "no_recipients", async (p) => () => send(p, { to: [] })],
  ["body", "missing_body", async (p) => () => send(p, { text: "" })],
  ["labels", "protected_label", async (p) => () => send(p, { labels: ["held"] })],
  ["number", "phone_number_not_found", async (p) => () => text(p)],
  [
    "inbox",
    "inbox_paused",
    async (p) => {
      await p.as.inboxes.update({ inbox_id: p.inbox.id, status: "paused" });
      return () => send(p);
    },
  ],
  [
    "allowance",
    "daily_call_cap",
    async (p) => {
      await withNumber(p);
      for (let nth = 0; nth < 100; nth++) {
        await p.as.messages.call({ inbox_id: p.inbox.id, to: "+14155550177", say: "Hello" });
        if (nth % 10 === 9) await p.service.clock.advance(61_000);
      }
      return () => p.as.messages.call({ inbox_id: p.inbox.id, to: "+14155550177", say: "Hello" });
    },
  ],
  [
    "expiry",
    "inbox_expired",
    async (p) => {
      await withNumber(p);
      const expires_at = new Date(p.service.clock.now().getTime() - 1_000).toISOString();
      await storageOf(p).update("inboxes", { id: p.inbox.id }, { expires_at });
      return () => text(p);
    },
  ],
  [
    "canary",
    "canary_leaked",
    async (p) => {
      const canary = ATTACKS.find(({ code }) => code === "canary_leaked");
      return () => canary?.act(p) as Promise<unknown>;
    },
  ],
  [
    "claim",
    "account_unclaimed",
    async (p) => {
      p.service.letterslot.services.options.onboarding = "claimed";
      await storageOf(p).update("accounts", { id: p.account_id }, { claimed: false });
      return () => send(p);
    },
  ],
  [
    "lists",
    "recipient_blocked",
    async (p) => {
      await p.as.lists.create({ direction: "send", type: "block", entry: "bo@friend.example" });
      return () => send(p);
    },
  ],
  [
    "suppressions",
    "recipient_suppressed",
    async (p) => {
      await p.as.suppressions.create({ address: "bo@friend.example" });
      return () => send(p);
    },
  ],
  [
    "health",
    "sending_paused",
    async (p) => {
      const day = new Date(p.service.clock.now().getTime() - 24 * 3600_000).toISOString().slice(0, 10);
      const counts = { sent: 1_000, bounced: 500, complained: 0 };
      await storageOf(p).insert("sending_days", { account_id: p.account_id, day, ...counts });
      for (const nth of [1, 2, 3, 4, 5]) {
        const report = { account_id: p.account_id, day, kind: "hard" as const, domain: `gone${nth}.example` };
        await storageOf(p).insert("sending_reports", report);
      }
      return () => send(p);
    },
  ],
  ["own_secret", "own_secret", async (p) => () => send(p, { text: p.secret })],
];

describe("of what refuses", () => {
  /** Checks behind which another one stands where a mail is stored: taken out, they are only told later. */
  const TWICE: Partial<Record<CheckName, string>> = {
    words: "missing_text",
    number: "phone_number_not_found",
    inbox: "inbox_paused",
    allowance: "daily_call_cap",
    // What trips pauses sending before it is stored.
    canary: "sending_paused",
  };

  test("these are all", () => {
    expect(REFUSED.map(([name]) => name)).toEqual([...CHECK_NAMES]);
  });

  test.each(REFUSED)("without %s, what is %s gets through", async (name, code, prepare) => {
    const at = await premises("direct", "key");
    const place = await placeFor(at, () => "Hi");
    const act = await prepare(place);
    await expect(act()).rejects.toMatchObject({ code });
    // The canary that was stopped keeps the inbox from sending, which isn't what is tried here.
    await storageOf(place).update("inboxes", { id: place.inbox.id }, { sending_paused_at: null });
    const without = await having(
      CHECK_NAMES,
      (each) => each !== name,
      () => outcomeOf(place, act),
    );
    if (Object.hasOwn(TWICE, name)) expect(without).toMatchObject({ said: "refused", codes: [TWICE[name]] });
    else expect(without.said).toBe("done");
  });
});
