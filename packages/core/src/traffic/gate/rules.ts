import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { describeHealth, type SendingHealth } from "../../limits/health/index.ts";
import { firstBlocked, type ListFacts } from "../../mailbox/lists/index.ts";
import { checkLabels, isRecipient } from "../../mailbox/messages/index.ts";
import { distinctAddresses } from "../../model/address.ts";

/** The ways out. */
export type Way = "mail" | "sms" | "call";

/** The fields of something that is to leave that are checked. */
export interface Words {
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  text?: string | null | undefined;
  html?: string | null | undefined;
  labels?: readonly string[] | undefined;
}

/** The objection of another feature: the failure that it would answer with, or null. */
export type Fault = LetterslotError | null;

/**
 * What is known of something that is to leave. A fact that is undefined wasn't asked for: what it decides is either
 * decided where the mail is stored, or doesn't concern this way out.
 */
export interface Facts {
  way: Way;
  words: Words;
  state: { paused: boolean; expired: boolean };
  /** Whether a canary is in it, or one that tripped keeps the inbox from sending. */
  tripped: Fault;
  /** Whether a secret of the account is in it. */
  secret?: Fault;
  claimed: boolean;
  /** Entries of the send lists that concern the recipients; undefined when there are no lists. */
  lists: ListFacts | undefined;
  /** Why a recipient is suppressed. */
  suppressed: Fault;
  health: Pick<SendingHealth, "state"> & SendingHealth;
  /** Whether a text or call has words, and a number that can be reached. */
  reachable?: Fault;
  /** Whether the inbox has a number. */
  number?: Fault;
  /** The day's calls and the plan's minutes, or the texts without a plan. */
  allowance?: Fault;
}

/** Facts that are found and counted where a mail is stored; a dry run only reads them. */
export interface LateFacts {
  size?: Fault;
  storage?: Fault;
  domain?: Fault;
  reply?: Fault;
  loop?: Fault;
  plan?: Fault;
  budget?: Fault;
}

/** The checks in their order. */
export const CHECK_NAMES = [
  "words",
  "recipients",
  "body",
  "labels",
  "number",
  "inbox",
  "allowance",
  "expiry",
  "canary",
  "claim",
  "lists",
  "suppressions",
  "health",
  "own_secret",
] as const;
/** The checks of where it is stored, which come after all others. */
const LATE_NAMES = ["size", "storage", "domain", "reply", "loop", "plan", "budget"] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** The result of a check. `fail` refuses, `hold` waits for an authority, `warn` only stands there. */
export type CheckResult = "pass" | "warn" | "hold" | "fail";

/** One check of something that is to leave. */
export interface Check {
  name: string;
  result: CheckResult;
  code: string | null;
  detail: string | null;
  param: string | null;
  /** The failure to answer with, if it refuses. */
  error: LetterslotError | null;
}

/**
 * Judges what is to leave, by all checks in their order: none is hidden behind an earlier one, and what isn't known is
 * left out. The first that fails is the answer of the call.
 */
export const judge = (facts: Facts): Check[] =>
  CHECK_NAMES.flatMap((name) => checkOf(name, RULES[name](facts)));

/** The checks of what is found where a mail is stored. */
export const judgeLate = (facts: LateFacts): Check[] =>
  LATE_NAMES.flatMap((name) => checkOf(name, facts[name]));

function checkOf(name: string, error: Fault | undefined): Check[] {
  if (error === undefined) return [];
  if (error === null) return [{ name, result: "pass", code: null, detail: null, param: null, error }];
  const { code, message: detail, param = null } = error;
  return [{ name, result: "fail", code, detail, param, error }];
}

/** Fails as the first check that refuses. */
export function passOrFail(checks: readonly Check[]): void {
  const refused = checks.find(({ result }) => result === "fail");
  if (refused?.error != null) throw refused.error;
}

const isMail = ({ way }: Facts): boolean => way === "mail";

const RULES: Record<CheckName, (facts: Facts) => Fault | undefined> = {
  words: ({ reachable }) => reachable,
  recipients: (facts) => (isMail(facts) ? recipientsFault(facts.words) : undefined),
  body: (facts) => {
    if (!isMail(facts)) return undefined;
    const { text, html } = facts.words;
    return !text && !html ? fail("missing_body", { param: "text" }) : null;
  },
  labels: (facts) => (isMail(facts) ? labelsFault(facts.words) : undefined),
  number: ({ number }) => number,
  inbox: (facts) => {
    const { paused, expired } = facts.state;
    if (isMail(facts) && expired) return fail("inbox_expired");
    return paused ? fail("inbox_paused") : null;
  },
  allowance: ({ allowance }) => allowance,
  expiry: (facts) => {
    if (isMail(facts)) return undefined;
    return facts.state.expired ? fail("inbox_expired") : null;
  },
  canary: ({ tripped }) => tripped,
  claim: ({ claimed }) => (claimed ? null : fail("account_unclaimed")),
  lists: ({ lists, words }) => {
    // A recipient proves nothing: an entry applies to whoever has the address.
    const objection = lists && firstBlocked(recipientsOf(words), lists, { kind: "none" });
    if (objection === undefined) return null;
    const why = objection.reason === "block_list" ? "is on a block list" : "is not on the allow list";
    return fail("recipient_blocked", { param: "to", message: `${objection.address} ${why}.` });
  },
  suppressions: ({ suppressed }) => suppressed,
  health: ({ health }) =>
    health.state === "paused" ? fail("sending_paused", { message: describeHealth(health) }) : null,
  own_secret: ({ secret }) => secret,
};

/** All recipients, as they were given. */
export const recipientsOf = ({ to, cc, bcc }: Pick<Words, "to" | "cc" | "bcc">): string[] => [
  ...to,
  ...cc,
  ...bcc,
];

function recipientsFault({ to, cc, bcc }: Words): Fault {
  const recipients = distinctAddresses([...to, ...cc, ...bcc]).length;
  if (recipients === 0) return fail("no_recipients", { param: "to" });
  for (const [param, addresses] of Object.entries({ to, cc, bcc }))
    if (!addresses.every(isRecipient)) return fail("invalid_address", { param });
  return recipients > LIMITS.recipients ? fail("too_many_recipients", { param: "to" }) : null;
}

function labelsFault({ labels = [] }: Words): Fault {
  try {
    checkLabels(labels, "labels");
    return null;
  } catch (error) {
    return error as LetterslotError;
  }
}
