import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import type { ExpectationRecord, NearMissReason } from "../../model/expectations.ts";
import type { MessageRecord } from "../../model/messages.ts";

/** The facts of a mail that decide which expectation it meets. */
export interface ArrivedMail {
  /** The address that it came to, in its canonical form. */
  came_to: string;
  /** The author's address, in its canonical form. */
  from: string;
  subject: string;
  /** The Message-IDs that it refers to. */
  references: readonly string[];
  authenticated: boolean;
  /** An agent put it there itself. */
  injected: boolean;
  /** A program wrote it, or it is a report. */
  automatic: boolean;
  held: boolean;
  has_code: boolean;
  has_link: boolean;
  /** When it came (ISO 8601, UTC). */
  at: string;
}

/** The relation of a mail to an expectation: it meets it, fails one condition, or has nothing to do with it. */
export type Verdict = "meets" | NearMissReason | null;

/**
 * What a mail is to an expectation. Mail to the expectation's own address is judged by the first condition that it fails,
 * other mail is near only where it fails one alone.
 */
export function judgeMail(expectation: ExpectationRecord, mail: ArrivedMail): Verdict {
  if (expectation.status !== "waiting") return null;
  if (mail.at < expectation.created_at || mail.at >= expectation.expires_at) return null;
  if (expectation.own_email !== null && expectation.own_email !== mail.came_to) return null;
  const { awaited_reference } = expectation;
  if (awaited_reference !== null && !mail.references.includes(awaited_reference)) return null;
  if (expectation.kind === "reply" && mail.automatic) return null;
  const failed = failedConditions(expectation, mail);
  const [first = "meets"] = failed;
  return expectation.own_email === null && failed.length > 1 ? null : first;
}

function failedConditions(
  { from, from_domain, subject_contains, require_auth, kind }: ExpectationRecord,
  mail: ArrivedMail,
): NearMissReason[] {
  const failed: NearMissReason[] = [];
  if (from !== null && from !== mail.from) failed.push("sender");
  else if (from_domain !== null && !isUnder(mail.from, from_domain)) failed.push("sender");
  if (require_auth && (!mail.authenticated || mail.injected)) failed.push("auth");
  if (subject_contains !== null && !folded(mail.subject).includes(folded(subject_contains)))
    failed.push("subject");
  if ((kind === "code" && !mail.has_code) || (kind === "link" && !mail.has_link)) failed.push("no_code");
  // What a mail fails besides is often why it is held.
  return failed.length === 0 && mail.held ? ["held"] : failed;
}

function isUnder(address: string, parent: string): boolean {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return domain === parent || domain.endsWith(`.${parent}`);
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** The effects of a mail on the expectations of its inbox. */
export interface Choice {
  /** The expectations that it would meet, the one that it is to meet first. */
  meets: ExpectationRecord[];
  near: { id: string; reason: NearMissReason }[];
}

/**
 * Chooses among expectations: the one with an address of its own, then one that awaits an answer, then the one with the
 * most conditions, then the oldest. Mail to the own address of one that waits is for that one alone.
 */
export function chooseExpectation(expectations: readonly ExpectationRecord[], mail: ArrivedMail): Choice {
  const own = expectations.filter(
    ({ own_email, status, expires_at }) =>
      own_email === mail.came_to && status === "waiting" && expires_at > mail.at,
  );
  const choice: Choice = { meets: [], near: [] };
  for (const expectation of own.length > 0 ? own : expectations) {
    const verdict = judgeMail(expectation, mail);
    if (verdict === "meets") choice.meets.push(expectation);
    else if (verdict !== null && hasRoom(expectation))
      choice.near.push({ id: expectation.id, reason: verdict });
  }
  choice.meets.sort((a, b) => rank(b) - rank(a) || a.id.localeCompare(b.id));
  return choice;
}

/** More than all conditions together. */
const ANSWER_RANK = 10;

const rank = (expectation: ExpectationRecord): number =>
  (expectation.awaited_reference === null ? 0 : ANSWER_RANK) + conditionsOf(expectation);

const conditionsOf = ({ from, from_domain, subject_contains, kind }: ExpectationRecord): number =>
  [from, from_domain, subject_contains].filter((condition) => condition !== null).length +
  (kind === "code" || kind === "link" ? 1 : 0);

/** Whether an expectation takes another near miss: the first 20 are kept. */
export const hasRoom = ({ near_misses }: Pick<ExpectationRecord, "near_misses">): boolean =>
  near_misses.length < LIMITS.expectation_near_misses;

/** The near misses of an expectation with one more; each mail is named once. */
export const withNearMiss = (
  { near_misses }: Pick<ExpectationRecord, "near_misses">,
  miss: ExpectationRecord["near_misses"][number],
): ExpectationRecord["near_misses"] => [
  ...near_misses.filter(({ message_id }) => message_id !== miss.message_id),
  miss,
];

/** A task when it expires takes the permission for tasks, as assigning does. Fails with `permission_denied`. */
export function checkMayMakeTask(permissions: readonly Permission[] | null, on_expiry: unknown): void {
  if (on_expiry === "task" && !holdsAny(permissions, ["task_write"]))
    throw fail("permission_denied", { param: "task_write" });
}

/**
 * Fails with `invalid_request` where nobody can answer a message by mail, or the inbox didn't send it: a task about the missing
 * answer shows that message, and must show no stranger's.
 */
export function checkAwaited({
  direction,
  message_id,
}: Pick<MessageRecord, "direction" | "message_id">): void {
  const message =
    direction === "inbound"
      ? "Only an answer to a message that the inbox sent can be expected."
      : message_id === null
        ? "Nobody can answer that message by mail: it has no Message-ID."
        : undefined;
  if (message !== undefined) throw fail("invalid_request", { param: "in_reply_to", message });
}

/** The characters of an own address after the name of its inbox: `+x` and ten more. */
const OWN_TAG_CHARS = 12;
const LOCAL_PART_CHARS = 64;

/** Fails with `own_address_too_long` where no tag fits behind an inbox's name. */
export function checkOwnAddress(username: string): void {
  if (username.length > LOCAL_PART_CHARS - OWN_TAG_CHARS)
    throw fail("own_address_too_long", { param: "own_address" });
}

const OWN_ADDRESS = /\+x[a-z2-7]{10}@[^@]+$/;

/** Whether an address has the form of an expectation's own. */
export const isOwnForm = (address: string): boolean => OWN_ADDRESS.test(address);

/** Fails with `invalid_request` where an expectation can't be met, or would say two things. */
export function checkConditions({
  kind,
  in_reply_to,
}: {
  kind: ExpectationRecord["kind"];
  in_reply_to?: string | undefined;
}): void {
  if (kind !== "reply" || in_reply_to !== undefined) return;
  throw fail("invalid_request", {
    param: "in_reply_to",
    message: "A reply is expected, but not to which message.",
    fix: "Name the message in in_reply_to, or expect a `message`.",
  });
}

/** The text of the task that says that nothing came: ids and times alone, no word of any mail. */
export function expiryText({ id, kind, in_reply_to, created_at, expires_at }: ExpectationRecord): string {
  const what =
    in_reply_to === null ? `The expected ${kind}` : `The expected ${kind} to message ${in_reply_to}`;
  return `${what} has not arrived: expectation ${id}, made at ${created_at}, expired at ${expires_at}.`;
}
