import { fail } from "../catalogue/errors.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { distinctAddresses, withoutAddresses } from "../model/address.ts";
import type { RecipientResult } from "../ports/transport.ts";

/** Labels that only the service sets. */
const PROTECTED_LABELS: readonly string[] = [
  "received",
  "sent",
  "injected",
  "imported",
  "held",
  "suspicious",
  "untrusted",
  "owner",
  "bounced",
  "complained",
  "scheduled",
];

const LABEL = /^[a-z0-9:_-]{1,64}$/;

/** Fails with `missing_labels`, `invalid_label`, `protected_label` or `label_conflict`. */
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
    if (!LABEL.test(label)) throw fail("invalid_label", { param });
    if (PROTECTED_LABELS.includes(label))
      throw fail("protected_label", { param, message: `The label ${label} is set by the service alone.` });
  }
}

/** The changed labels; read and unread replace each other. Fails with `invalid_label` past the limit. */
export function changeLabels(
  labels: readonly string[],
  add: readonly string[],
  remove: readonly string[],
): string[] {
  const removed = new Set(remove);
  const added = new Set(add);
  const swap = (from: string, to: string) => {
    if (!added.has(to) && !removed.has(from)) return;
    removed.add(from);
    added.add(to);
  };
  swap("unread", "read");
  swap("read", "unread");
  const changed = [...new Set([...labels.filter((label) => !removed.has(label)), ...added])];
  if (changed.length > LIMITS.labels)
    throw fail("invalid_label", {
      param: "add_labels",
      message: `A message has at most ${LIMITS.labels} labels.`,
    });
  return changed;
}

/** The fields of a message that a reply to it needs. */
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

/** Reply-To, else From; for our own mail, its recipients again. */
export function replyRecipients(
  answered: Answered,
  own: string,
  all: boolean,
): { to: string[]; cc: string[] } {
  const author = answered.reply_to ?? answered.from;
  const to = distinctAddresses(answered.direction === "outbound" ? answered.to : [author]);
  if (!all) return { to, cc: [] };
  const others = (addresses: readonly string[], except: readonly string[]) =>
    withoutAddresses(distinctAddresses(addresses), [own, ...except]);
  const toAll =
    answered.direction === "outbound" ? others(to, []) : [...others(to, []), ...others(answered.to, to)];
  return { to: toAll.length === 0 ? to : toAll, cc: others(answered.cc, toAll) };
}

/** The subject of a reply, with a single `Re:`. */
export function replySubject(subject: string): string {
  return `Re: ${subject.replace(/^(?:\s*re(?:\[\d+\])?\s*:)+\s*/i, "")}`.trim();
}

/** The prefixes that mail clients in many languages put before a forwarded subject. */
const FORWARD_PREFIX = /^(?:\s*(?:fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd|转发|轉寄|転送|전달)\s*[:：])+\s*/i;

/** The subject of a forward, with a single `Fwd:` in place of all such prefixes. */
export function forwardSubject(subject: string): string {
  return `Fwd: ${subject.replace(FORWARD_PREFIX, "")}`.trim();
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
 * The progress of a send: recipients without a final result, attempts finished, and the number of the last
 * attempt that began to hand over the mail.
 */
export interface SendProgress {
  pending: string[];
  tried: number;
  begun: number;
}

const MINUTE_MS = 60_000;
const BACKOFF_MS = [1, 5, 15, 30, 60, 120, 240, 480, 720, 720, 720].map((minutes) => minutes * MINUTE_MS);

/** Whether an attempt began and no result was recorded: its worker died, and the mail may have been sent. */
export const attemptIsUnknown = ({ tried, begun }: SendProgress): boolean => begun > tried;

/** What follows an attempt: which recipients are retried and when, or that the service gives up. */
export function afterAttempt(
  { pending, tried }: SendProgress,
  results: readonly RecipientResult[],
): { pending: string[]; accepted: boolean; gave_up: boolean; wait_ms: number } {
  const tries = tried + 1;
  const settled = new Set(
    results.filter(({ outcome }) => outcome !== "temporary_failure").map(({ recipient }) => recipient),
  );
  const gave_up = tries >= LIMITS.send_attempts;
  return {
    pending: gave_up ? [] : pending.filter((recipient) => !settled.has(recipient)),
    accepted: results.some(({ outcome }) => outcome === "accepted"),
    gave_up,
    wait_ms: BACKOFF_MS[Math.min(tries, BACKOFF_MS.length) - 1] as number,
  };
}
