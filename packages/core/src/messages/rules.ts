import { fail } from "../catalogue/errors.ts";
import { limits } from "../catalogue/limits.ts";
import type { RecipientResult } from "../ports/transport.ts";

/** Labels that the service alone sets (decisions, section 5). */
export const protectedLabels: readonly string[] = [
  "received",
  "sent",
  "injected",
  "held",
  "suspicious",
  "untrusted",
  "owner",
  "bounced",
  "complained",
  "scheduled",
];

const labelForm = /^[a-z0-9:_-]{1,64}$/;

/**
 * Checks a change of labels. Fails with `missing_labels`, `invalid_label`, `protected_label` or
 * `label_conflict`.
 */
export function checkLabelChange(add: readonly string[], remove: readonly string[]): void {
  if (add.length === 0 && remove.length === 0) throw fail("missing_labels");
  for (const [param, labels] of [
    ["add_labels", add],
    ["remove_labels", remove],
  ] as const)
    checkLabels(labels, param);
  const both = add.find((label) => remove.includes(label));
  if (both !== undefined)
    throw fail("label_conflict", {
      param: "remove_labels",
      message: `The label ${both} is both added and removed.`,
    });
  if (add.includes("read") && add.includes("unread")) throw fail("label_conflict", { param: "add_labels" });
  if (remove.includes("read") && remove.includes("unread"))
    throw fail("label_conflict", { param: "remove_labels" });
}

/** Checks labels that a caller sets. Fails with `invalid_label` or `protected_label`. */
export function checkLabels(labels: readonly string[], param: string): void {
  for (const label of labels) {
    if (!labelForm.test(label)) throw fail("invalid_label", { param });
    if (protectedLabels.includes(label))
      throw fail("protected_label", { param, message: `The label ${label} is set by the service alone.` });
  }
}

/**
 * The labels after a change: read and unread take each other's place. Fails with `invalid_label` past the
 * limit.
 */
export function changeLabels(
  labels: readonly string[],
  add: readonly string[],
  remove: readonly string[],
): string[] {
  const gone = new Set(remove);
  const come = new Set(add);
  const swap = (from: string, to: string) => {
    if (!come.has(to) && !gone.has(from)) return;
    gone.add(from);
    come.add(to);
  };
  swap("unread", "read");
  swap("read", "unread");
  const changed = [...new Set([...labels.filter((label) => !gone.has(label)), ...come])];
  if (changed.length > limits.labels)
    throw fail("invalid_label", {
      param: "add_labels",
      message: `A message has at most ${limits.labels} labels.`,
    });
  return changed;
}

/** What a reply needs to know of the message that it answers. */
export interface Answered {
  direction: "inbound" | "outbound";
  from: string;
  reply_to: string | null;
  to: string[];
  cc: string[];
  subject: string;
  message_id: string | null;
  references: string[];
}

/**
 * Whom a reply goes to: Reply-To, else From; the recipients again when it answers our own mail (decisions,
 * section 5).
 */
export function replyRecipients(
  answered: Answered,
  own: string,
  all: boolean,
): { to: string[]; cc: string[] } {
  const author = answered.reply_to ?? answered.from;
  const to = unique(answered.direction === "outbound" ? answered.to : [author]);
  if (!all) return { to, cc: [] };
  const others = (addresses: readonly string[], except: readonly string[]) =>
    unique(addresses).filter((address) => address !== own && !except.includes(address));
  const toAll =
    answered.direction === "outbound" ? others(to, []) : [...others(to, []), ...others(answered.to, to)];
  return { to: toAll.length === 0 ? to : toAll, cc: others(answered.cc, toAll) };
}

const unique = (addresses: readonly string[]): string[] => [...new Set(addresses)];

/** The subject of a reply: `Re:` once, whatever chain of them the subject had. */
export function replySubject(subject: string): string {
  return `Re: ${subject.replace(/^(?:\s*re(?:\[\d+\])?\s*:)+\s*/i, "")}`.trim();
}

/** What mail programs of the world put before the subject of a forwarded mail. */
const forwardMark = /^(?:\s*(?:fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd|转发|轉寄|転送|전달)\s*[:：])+\s*/i;

/** The subject of a forward: `Fwd:` once, in place of every such mark that the subject had. */
export function forwardSubject(subject: string): string {
  return `Fwd: ${subject.replace(forwardMark, "")}`.trim();
}

/** The threading headers of a reply: the whole chain, oldest first (RFC 5322, section 3.6.4). */
export function replyReferences({ message_id, references }: Pick<Answered, "message_id" | "references">): {
  in_reply_to: string | null;
  references: string[];
} {
  const chain = references.filter((reference) => reference !== message_id);
  return { in_reply_to: message_id, references: message_id === null ? chain : [...chain, message_id] };
}

/**
 * How far a send has come: who has no final answer yet, how many tries have ended, and the last one that
 * began to hand over.
 */
export interface SendProgress {
  pending: string[];
  tried: number;
  begun: number;
}

const minute = 60_000;
const backoff = [1, 5, 15, 30, 60, 120, 240, 480, 720, 720, 720].map((minutes) => minutes * minute);

/**
 * Whether an earlier try began to hand the mail over and its end was never noted: its worker died, and the
 * mail may have left.
 */
export const attemptIsUnknown = ({ tried, begun }: SendProgress): boolean => begun > tried;

/** What is left to do after a try: who is tried again and when, or that the service gives up. */
export function afterAttempt(
  { pending, tried }: SendProgress,
  results: readonly RecipientResult[],
): { pending: string[]; accepted: boolean; gave_up: boolean; wait_ms: number } {
  const tries = tried + 1;
  const settled = new Set(
    results.filter(({ outcome }) => outcome !== "temporary_failure").map(({ recipient }) => recipient),
  );
  const gave_up = tries >= limits.send_attempts;
  return {
    pending: gave_up ? [] : pending.filter((recipient) => !settled.has(recipient)),
    accepted: results.some(({ outcome }) => outcome === "accepted"),
    gave_up,
    wait_ms: backoff[Math.min(tries, backoff.length) - 1] as number,
  };
}
