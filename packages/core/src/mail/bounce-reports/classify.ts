import { ADDRESS_WORDS } from "./address-words.ts";
import type { ReportedRecipient } from "./report.ts";
import { TEMPORARY_WORDS } from "./temporary-words.ts";
import type { WordRule } from "./word-rule.ts";

/** A server's refusal of a mail. */
export interface Refusal {
  /** The server's words, or those of the report. */
  text: string;
  /** The enhanced status code (RFC 3463), or null. */
  status: string | null;
  /** The command that was refused; null when unknown. */
  stage: Stage;
}

/** The command that was refused: of the connection or the sender (`before`), the address, or the body. */
export type Stage = "before" | "rcpt" | "data" | null;

/** The meaning of a refusal: whether the address will never accept mail, and why, in one word. */
export type RefusalVerdict = Pick<ReportedRecipient, "reason"> & { hard: boolean };

/** Characters of a refusal that are examined; the worst text of this length takes a millisecond. */
const MAX_CHARS = 1_000;

/**
 * The meanings of the wording, whatever the status code: servers give 5.0.0 or 5.7.1 for nearly anything. The first
 * match decides. Rules about the mail, the sender or a temporary condition come before rules about the address, because
 * a refusal that names an unknown *sender* or a policy must not suppress a good address.
 */
const WORD_RULES = [...TEMPORARY_WORDS, ...ADDRESS_WORDS].map(({ reason, hard, words }) => ({
  reason,
  hard,
  words: new RegExp(words.map(({ source }) => source).join("|"), "i"),
}));

/** Those that say that nobody has the address. */
const HARD_WORDS = WORD_RULES.filter(({ hard }) => hard);

type Rule = Pick<WordRule, "reason" | "hard">;

/**
 * The other server's answer as gateways quote it behind a heading of their own, which only repeats the first
 * digits (AsyncOS: "5.1.0 - Unknown address error 550-'…'").
 */
const QUOTED_ANSWER = /^\s*\d\.\d\.\d - [^'\n]{1,60}'([^\n]+)'/;

/** The local part of an address, removed because the name may contain any of the words. */
const LOCAL_PART = /[\w.+=-]{1,64}@(?=[a-z0-9])/gi;

/**
 * The meanings of status codes (RFC 3463 and the IANA registry of its codes). A `sure` one is what it says, whatever the
 * words: nobody gives it by default, and it says that the address is good.
 */
const STATUS_RULES: readonly { reason: string; hard: boolean; status: RegExp; sure?: true }[] = [
  { reason: "unknown_user", hard: true, status: /^[45]\.1\.(?:1|10|351)$/ },
  { reason: "unknown_host", hard: true, status: /^5\.1\.2$/ },
  { reason: "unknown_user", hard: true, status: /^5\.1\.3$/ },
  { reason: "moved", hard: true, status: /^5\.1\.6$/ },
  { reason: "sender_refused", hard: false, status: /^[45]\.1\.[78]$/, sure: true },
  { reason: "suspended", hard: false, status: /^[45]\.2\.1$/ },
  { reason: "mailbox_full", hard: false, status: /^[45]\.2\.2$/, sure: true },
  { reason: "too_large", hard: false, status: /^[45]\.(?:2\.3|3\.4)$/, sure: true },
  { reason: "unknown_host", hard: true, status: /^5\.4\.(?:4|310)$/ },
  { reason: "unreachable", hard: false, status: /^[45]\.4\.7$/, sure: true },
  { reason: "unreachable", hard: false, status: /^[45]\.4\./ },
  { reason: "takes_no_mail", hard: true, status: /^5\.7\.27$/ },
  { reason: "policy", hard: false, status: /^[45]\.7\./ },
];

/** Codes for an address that nobody has: that the mail wasn't wanted, and why, is often said beside them. */
const NO_ADDRESS = /^5\.(?:1\.(?:1|2|6|10|351)|4\.(?:4|310))$/;
/** Reasons in words that outweigh such a code: each says whose fault it is, and it isn't the address's. */
const OUTWEIGHING = new Set([
  "mailbox_full",
  "too_large",
  "sender_refused",
  "host_refused",
  "relaying",
  "rate",
  "server_trouble",
]);
/** Reasons whose words are said of unknown addresses, too: "not allowed", "giving up". */
const VAGUE = new Set(["unreachable", "policy"]);
/**
 * The codes that vague words leave as they are, unless the mail itself was refused, or its sender. 5.4.4 isn't one: it
 * means "unable to route", and a network may fail for a good address.
 */
const SAYS_WHOSE = /^5\.1\./;
/** Words for an address that is there, and takes mail from some only. */
const FOR_OTHERS =
  /(?:allowed|permitted|authori[sz]ed|permission) to (?:send|post|write|e-?mail)|restricted/i;

/**
 * Classifies a refusal. An unknown one is soft: suppressing a good address costs more than another attempt. A code that
 * is sure counts before all words, and one for an address that nobody has before most. "User unknown" is hard in reply to
 * RCPT, or with a status code about the address; in reply to another command, or to an unknown one, it is often a filter
 * in disguise. A domain that can't be found, or takes no mail, *for now* (4.x.x) is soft too.
 */
export function classifyRefusal({ text, status, stage }: Refusal): RefusalVerdict {
  const said = text.slice(0, MAX_CHARS).replace(LOCAL_PART, "x@");
  const quoted = QUOTED_ANSWER.exec(said)?.[1] ?? "";
  const coded = STATUS_RULES.find((each) => each.status.test(status ?? ""));
  if (coded?.sure === true) return { reason: coded.reason, hard: coded.hard };
  const worded =
    WORD_RULES.find(({ words }) => words.test(quoted)) ?? WORD_RULES.find(({ words }) => words.test(said));
  const decides = SAYS_WHOSE.test(status ?? "") && stage !== "data" && stage !== "before";
  const address = NO_ADDRESS.test(status ?? "")
    ? addressRefused(said, worded, decides ? coded : undefined)
    : undefined;
  const rule = address ?? worded ?? coded;
  if (rule === undefined) return { reason: "unknown", hard: false };
  const { reason, hard } = rule;
  if (hard && (reason === "unknown_user" || reason === "moved") && isDoubtful(said, status, stage))
    return { reason: "filtered", hard: false };
  const is_domains = reason === "unknown_host" || reason === "takes_no_mail";
  if (hard && is_domains && status?.startsWith("4.") === true) return { reason, hard: false };
  return { reason, hard };
}

/**
 * What a code for an address that nobody has (`coded`, where it outweighs vague words) and the words say together;
 * undefined where the words outweigh it.
 */
function addressRefused(said: string, worded: Rule | undefined, coded: Rule | undefined): Rule | undefined {
  if (worded === undefined || worded.hard || OUTWEIGHING.has(worded.reason)) return undefined;
  const named = HARD_WORDS.find(({ words }) => words.test(said));
  return named ?? (VAGUE.has(worded.reason) && !FOR_OTHERS.test(said) ? coded : undefined);
}

function isDoubtful(said: string, status: string | null, stage: Stage): boolean {
  if (/^\d\.1\./.test(status ?? "")) return false;
  if (stage !== null) return stage !== "rcpt";
  // 5.2.x means that the mailbox exists, whatever the words.
  if (/^\d\.2\./.test(status ?? "")) return true;
  // 5.7.x means a policy, whatever the words.
  return status?.startsWith("5.7.") === true
    ? /\b550\b/.test(said)
    : /\b55\d\b/.test(said) && /^(?:$|\d\.0\.0$)/.test(status ?? "");
}

/** The most specific enhanced status code in a text, or null. */
export function statusIn(text: string): string | null {
  const codes = [
    ...text.slice(0, MAX_CHARS).matchAll(/(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/g),
  ].map(([, code]) => code as string);
  return mostSpecific(codes);
}

/** Returns the first code with a detail, else the first with a subject, else the first (RFC 3463: 0 is "other"). */
export function mostSpecific(codes: readonly (string | null)[]): string | null {
  const known = codes.filter((code) => code !== null);
  return (
    known.find((code) => !code.endsWith(".0")) ??
    known.find((code) => !/^\d\.0\./.test(code)) ??
    known[0] ??
    null
  );
}

const AFTER_DATA =
  /in reply to (?:the )?(?:end of )?data|after (?:the )?end of (?:message )?data|end of message data|(?:after|during) data(?: command|:)|smtp: ?data\b|\bdata (?:command|phase|stage|response)|>>> (?:data|\.)\s*\n\s*<<< [45]|smtp command\s*-*\s*\n\s*data|failed after i sent the message/i;
const AFTER_RCPT =
  /(?:in reply to|after|during) (?:the )?rcpt|smtp: ?rcpt\b|does not like recipient|rcpt(?:[ _]to)? ?(?:command|phase|stage|response|\])|rcpt[ _]to:\s*<|recipient address rejected|address (?:not|couldn't be) found/i;
const BEFORE_RCPT =
  /(?:in reply to (?:the )?|after )(?:mail from|he?hlo|ehlo|initial connection)|but (?:sender was rejected|my name was rejected|greeting failed)|>>> (?:mail from|ehlo|helo)[^\n]*\n\s*<<< [45]/i;

/** Returns the command that was refused, according to the words. */
export function stageIn(text: string): Stage {
  const said = text.slice(0, MAX_CHARS);
  if (AFTER_DATA.test(said)) return "data";
  if (AFTER_RCPT.test(said)) return "rcpt";
  return BEFORE_RCPT.test(said) ? "before" : null;
}
