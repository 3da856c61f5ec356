import { createContentScanner } from "../../packages/content-scan/src/index.ts";
import type { SendCheck } from "../../packages/core/src/model/send-checks.ts";
import type { SenderFacts } from "../../packages/core/src/model/sender-facts.ts";
import {
  createTestService,
  signedBy,
  type TestAccount,
  type TestService,
} from "../../packages/core/testing/index.ts";
import { CANNED } from "./own-conversations.ts";

/** A day in milliseconds. */
export const DAY_MS = 24 * 3600_000;
/** The owner of every inbox. */
export const OWNER = "grace@owner.example";
/** Dry runs of one key in a minute. */
const PER_MINUTE = 60;

/** A mail to play, when it came and from whom. */
export interface Played {
  id: string;
  raw: Uint8Array;
  from: string;
  at: number;
}

interface Held {
  id: string;
  codes: string[];
  details: string[];
}

/** How many replies were judged, and which were held. */
export interface Tally {
  judged: number;
  held: Held[];
}

/** A line of the table: a set of mail and what may be held of it. */
export interface Line extends Tally {
  set: string;
  goal: number;
}

/** Nothing judged yet. */
export const tally = (): Tally => ({ judged: 0, held: [] });
/** What looks for secrets and personal data. */
export const scanner = createContentScanner({
  fingerprintKey: new Uint8Array(32).fill(7),
  deadlineMs: 20_000,
});

/** A guarded inbox with an owner. */
export async function open(): Promise<Guarded> {
  const service = createTestService({ contentScanner: scanner });
  const account = await service.signUp();
  const inbox_id = account.inbox.id;
  // Screening has its own figures; what it holds couldn't be answered here.
  await account.as.inboxes.update({ inbox_id, screening: "off" });
  await service.addOwner(account, OWNER);
  await account.as.inboxes.update({ inbox_id, send_mode: "guarded" });
  const { send_mode } = await account.as.inboxes.get({ inbox_id });
  if (send_mode !== "guarded") throw new Error("the inbox isn't guarded");
  return { service, account, tried: 0 };
}

/** An inbox, and how many dry runs it had. */
export interface Guarded {
  service: TestService;
  account: TestAccount;
  tried: number;
}

/** Judges one dry run, and counts it. */
export async function judge(
  guarded: Guarded,
  into: Tally,
  id: string,
  run: () => Promise<unknown>,
): Promise<SendCheck | undefined> {
  guarded.tried += 1;
  if (guarded.tried % PER_MINUTE === 0) await guarded.service.clock.advance(61_000);
  try {
    const checked = (await run()) as SendCheck;
    into.judged += 1;
    const against = checked.checks.filter(({ result }) => result === "hold" || result === "fail");
    if (checked.would !== "send")
      into.held.push({
        id,
        codes: [...new Set(against.map(({ code, name }) => code ?? name))].filter(
          (code) => code !== "approval_required",
        ),
        details: against.map(({ detail }) => detail ?? "").slice(0, 3),
      });
    return checked;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    // Nobody to answer, such as mail of the service itself: no reply to judge.
    return undefined;
  }
}

/** Receives a mail, by default as proven by its author's domain; the id of the message, if it was stored. */
export async function receive(
  guarded: Guarded,
  { raw, from }: Played,
  facts: (domain: string) => SenderFacts = signedBy,
): Promise<string | undefined> {
  const { service, account } = guarded;
  const domain = from.slice(from.lastIndexOf("@") + 1);
  const report = await service.receiveRaw(raw, account.inbox.email, from, facts(domain));
  const [result] = report.results;
  return result?.outcome === "stored" ? (result.message_id ?? undefined) : undefined;
}

/** Five canned answers, and one that quotes the whole mail. */
export async function answer(
  guarded: Guarded,
  { id }: Played,
  message_id: string,
  into: Tally,
): Promise<void> {
  const { account } = guarded;
  const at = { inbox_id: account.inbox.id, message_id, dry_run: true };
  for (const [nth, text] of CANNED.entries())
    await judge(guarded, into, `${id} canned ${nth}`, () => account.as.messages.reply({ ...at, text }));
  const { text } = await account.as.messages.get({ inbox_id: account.inbox.id, message_id });
  const quoted = `Thanks, see below.\n\n${(text ?? "").replace(/^/gm, "> ")}`;
  await judge(guarded, into, `${id} quoted`, () => account.as.messages.reply({ ...at, text: quoted }));
}
