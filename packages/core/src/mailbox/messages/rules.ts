import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { withoutForwardPrefixes, withoutReplyPrefixes } from "../../mail/subjects.ts";
import { distinctAddresses, isAddressOf, withoutAddresses } from "../../model/address.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { readMailbox } from "../../model/mailbox.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { RecipientResult } from "../../ports/transport.ts";

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
  if (add.length === 0 && remove.length === 0) throw fail("missing_labels", { param: "add_labels" });
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

/** Why a person should look at a message: it is held, or it failed, or a proven report says that it bounced for good. */
export function attentionOf({
  direction,
  labels,
  status,
  delivery_events,
}: Pick<MessageRecord, "direction" | "labels" | "status" | "delivery_events">): MessageRecord["attention"] {
  if (labels.includes("held")) return "held";
  if (direction === "inbound") return null;
  const bounced = delivery_events.some(
    ({ type, bounce_type, unproven }) => type === "bounced" && bounce_type === "hard" && unproven !== true,
  );
  return bounced || status === "failed" ? "failed" : null;
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
  more_reply_to: string[];
  to: string[];
  cc: string[];
  subject: string;
  message_id: string | null;
  references: string[];
}

/** Whether a message is answered by mail: one that came as mail, or from a person who was signed in. */
export const isAnsweredByMail = ({ channel }: Pick<MessageRecord, "channel">): boolean =>
  channel === "email" || channel === "console";

/** Whether an address has the form of a letter's reply address: a secret, to which only its reader writes. */
export const isLetterAddress = (address: string): boolean => /^"?r\+[a-z2-7]{26}"?@/i.test(address);

/** Whether a mail may be sent to an address: well-formed, and not a letter's reply address. */
export const isRecipient = (address: string): boolean =>
  readMailbox(address)?.address === address && !isLetterAddress(address);

/**
 * All of Reply-To, else From; for our own mail, its recipients again. Each mailbox once, and only those that a mail may
 * be sent to: never the inbox itself, whatever the tag. Nobody where the mail names no such address.
 */
export function replyRecipients(
  answered: Answered,
  own: string,
  all: boolean,
): { to: string[]; cc: string[] } {
  const usable = (addresses: readonly string[], except: readonly string[] = []) =>
    withoutAddresses(distinctAddresses(addresses), except).filter(
      (address) => isRecipient(address) && !isAddressOf(own, address),
    );
  const { direction, reply_to, more_reply_to } = answered;
  const asked = reply_to === null ? [] : usable([reply_to, ...more_reply_to]);
  const authors = asked.length > 0 ? asked : usable([answered.from]);
  const first = direction === "outbound" ? usable(answered.to) : authors;
  if (!all) return { to: first, cc: [] };
  const to = [...first, ...usable(answered.to, first)];
  const cc = usable(answered.cc, to);
  return to.length > 0 ? { to, cc } : { to: cc, cc: [] };
}

/** The subject of a reply: a single `Re:` in place of the prefixes of replies in any language. */
export const replySubject = (subject: string): string => `Re: ${withoutReplyPrefixes(subject)}`.trim();

/** The subject of a forward: a single `Fwd:` in place of the prefixes of forwards in any language. */
export const forwardSubject = (subject: string): string => `Fwd: ${withoutForwardPrefixes(subject)}`.trim();

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

/** Reads the progress of a send from its job; before the first attempt, every recipient is pending. */
export function readProgress(
  { payload: { pending, tried, begun } }: Pick<JobRecord, "payload">,
  { to, cc, bcc }: Pick<MessageRecord, "to" | "cc" | "bcc">,
): SendProgress {
  return {
    pending: Array.isArray(pending) ? (pending as string[]) : distinctAddresses([...to, ...cc, ...bcc]),
    tried: typeof tried === "number" ? tried : 0,
    begun: typeof begun === "number" ? begun : 0,
  };
}

const MINUTE_MS = 60_000;
const BACKOFF_MS = [1, 5, 15, 30, 60, 120, 240, 480, 720, 720, 720].map((minutes) => minutes * MINUTE_MS);

/** Whether an attempt began and no result was recorded: its worker died, and the mail may have been sent. */
export const attemptIsUnknown = ({ tried, begun }: SendProgress): boolean => begun > tried;

/** Determines what follows an attempt: which recipients are retried and when, or that the service gives up. */
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
