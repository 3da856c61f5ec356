import type { AutomaticMarks } from "../../mail/automatic-mail.ts";
import type { Proof } from "../../mail/sender/proof.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { UntrustedReason } from "../../model/tasks.ts";

/**
 * The origin of a message: SMTP, the operator's internal path, an inbox of this service, the test injector, or a
 * telephone.
 */
export type Origin = "smtp" | "internal_path" | "internal" | "injected" | "phone" | "console";

/** Everything that the task decision depends on. */
export interface TaskFacts {
  origin: Origin;
  /** It is old mail of another mailbox. */
  imported: boolean;
  held: boolean;
  marks: AutomaticMarks;
  /** The proof of its author. */
  proof: Proof["kind"];
  /** The sender is a verified owner of the inbox; for mail without proof, its stated author is one. */
  owner: boolean;
  allowlisted: boolean;
  /** DMARC passed, or an aligned DKIM signature did. */
  authenticated: boolean;
  /** The trusted ARC sealer that forwarded the mail and found its author authenticated. */
  forwarded_by: string | null;
  require_sender_auth: boolean;
  /** Why an authenticated mail is still no trusted order, as the end of a sentence; null when it is one. */
  doubt: string | null;
  /** The code of that doubt, where it is about dates. */
  untrusted_reason: UntrustedReason | null;
  /** Its signature was seen in this inbox before. */
  replayed: boolean;
}

/** An earlier sighting of one of a mail's marks. */
interface Sighting {
  place: string;
  named: boolean;
}

/**
 * Classifies a mail by earlier sightings of its marks: `first`, again `here`, or `elsewhere` before. Copies to places
 * that their author all named count as one mail.
 */
export function sightingOf(
  seen: readonly Sighting[],
  place: { id: string; named: boolean },
): "first" | "here" | "elsewhere" {
  if (seen.some((sighting) => sighting.place === place.id)) return "here";
  return place.named || seen.length === 0 ? "first" : "elsewhere";
}

/**
 * Whether a mail to a letter was seen before by any of its marks. Sightings at other places that its author
 * named too are copies of the same mail.
 */
export function wasSeen(seen: readonly Sighting[], place: { id: string; named: boolean }): boolean {
  return seen.some((sighting) => sighting.place === place.id || !sighting.named || !place.named);
}

/** The ranks of author authentication, from worst to best. */
export const AUTHENTICATION_RANKS = ["none", "forwarded", "authenticated", "order"] as const;

/** Returns the rank of a mail. A copy of higher rank replaces one of lower rank. */
export function authenticationRank({
  authenticated,
  forwarded_by,
  doubt,
}: Pick<TaskFacts, "authenticated" | "forwarded_by" | "doubt">): number {
  const rank = authenticated
    ? doubt === null
      ? "order"
      : "authenticated"
    : forwarded_by === null
      ? "none"
      : "forwarded";
  return AUTHENTICATION_RANKS.indexOf(rank);
}

/** Whether the author counts as genuine: by our own check, or by a trusted ARC sealer's. */
export function isSenderBelieved({
  authenticated,
  forwarded_by,
}: Pick<TaskFacts, "authenticated" | "forwarded_by">): boolean {
  return authenticated || forwarded_by !== null;
}

/** Whether a mail becomes a task, and how. */
export interface TaskDecision {
  made: boolean;
  trusted: boolean;
  untrusted_reason: UntrustedReason | null;
  reason: string;
}

/**
 * Whether a mail becomes a task, whether the task is trusted, and why.
 */
export function decideTask(facts: TaskFacts): TaskDecision {
  const no = (reason: string) => ({ made: false, trusted: false, untrusted_reason: null, reason });
  if (facts.imported) return no("imported: it is old mail of another mailbox");
  if (facts.held) return no("held: screening found the mail suspicious; release it to deliver it");
  if (facts.marks.strong !== null) return no(`automatic: ${facts.marks.strong}`);
  if (facts.marks.weak !== null && !facts.allowlisted)
    return no(`automatic: ${facts.marks.weak}, and the sender is not on the allowlist`);
  if (!facts.owner && !facts.allowlisted)
    return no("sender_unknown: the sender is neither a verified owner nor on the allowlist");
  const believed = isSenderBelieved(facts);
  if (facts.require_sender_auth && !believed) {
    return no(
      "sender_not_authenticated: neither DMARC nor an aligned DKIM signature passed, so From may be forged",
    );
  }
  if (facts.replayed) return no("replayed: this inbox received a mail with the same signature before");
  const who = facts.owner ? "owner" : "allowlist";
  const by = facts.authenticated ? "" : ` by ${facts.forwarded_by}, which forwarded the mail`;
  const doubt = doubtOf(facts);
  const untrusted = believed && doubt !== null ? `; not trusted, because ${doubt}` : "";
  return {
    made: true,
    trusted: believed && doubt === null,
    untrusted_reason: believed && doubt !== null && doubt === facts.doubt ? facts.untrusted_reason : null,
    reason: believed
      ? `${who}: the sender was authenticated${by}${untrusted}`
      : `${who}: the inbox does not require sender authentication`,
  };
}

/** Everything that the task decision on a text or voicemail depends on. */
export interface PhoneTaskFacts {
  held: boolean;
  /** The text is a keyword, such as STOP. */
  keyword: boolean;
  /** It is on the inbox's allowlist. */
  allowlisted: boolean;
  sms_tasks: boolean;
  /** Suspicious words would be held, and nobody knows yet what was said. */
  unheard: boolean;
}

/** Whether a text or voicemail becomes a task, and why. It is never trusted: anybody can forge a phone number. */
export function decidePhoneTask(facts: PhoneTaskFacts): { made: boolean; trusted: false; reason: string } {
  const no = (reason: string) => ({ made: false, trusted: false as const, reason });
  if (facts.held) return no("held: screening found the words suspicious; release the message to deliver it");
  if (facts.keyword) return no("keyword: it starts or stops texts, or asks for help");
  if (!facts.sms_tasks)
    return no("sms_tasks: the inbox takes no tasks from phones, as numbers can be forged");
  if (!facts.allowlisted) return no("sender_unknown: the number is not on the allowlist");
  if (facts.unheard)
    return no(
      "unheard: screening holds suspicious mail, and what was said isn't known before its transcript",
    );
  return {
    made: true,
    trusted: false,
    reason:
      "allowlist: the inbox takes tasks from this number; not trusted, because anybody can forge a number",
  };
}

function doubtOf({ authenticated, forwarded_by, proof, doubt }: TaskFacts): string | null {
  if (!authenticated && forwarded_by !== null) return "only a forwarder authenticated the sender";
  return proof === "none" ? (doubt ?? "nothing shows who wrote it") : doubt;
}

/**
 * Whether a mail counts as an owner's: proven to be a person's, whatever the inbox requires, and written by a human.
 * A forwarder's authentication is not enough to act for an owner.
 */
export function speaksForOwner(facts: Pick<TaskFacts, "owner" | "proof" | "held" | "marks">): boolean {
  return facts.owner && isWrittenByAuthor(facts);
}

/** Whether a mail is its author's own word: a person outside is proven to have written it, and no program did. */
export function isWrittenByAuthor(facts: Pick<TaskFacts, "proof" | "held" | "marks">): boolean {
  return isHuman(facts) && !facts.held;
}

/** Whether a mail counts as a human's for the loop guard: proven to be a person's, and not automatic. */
export function isHuman({ proof, marks }: Pick<TaskFacts, "proof" | "marks">): boolean {
  return proof === "person" && marks.strong === null && marks.weak === null;
}

const KEPT_HEADERS: ReadonlySet<string> = new Set([
  "auto-submitted",
  "precedence",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "importance",
  "date",
  "organization",
]);
const MAX_KEPT_HEADERS = 50;
const MAX_KEPT_HEADER_CHARS = 1000;

/** The headers that a message shows: `X-*` and `KEPT_HEADERS`; the first of each name, at most 50. */
export function shownHeaders(mail: Pick<ParsedMail, "headers">): Record<string, string> {
  const shown: Record<string, string> = {};
  let count = 0;
  for (const { name, value } of mail.headers) {
    if (!name.startsWith("x-") && !KEPT_HEADERS.has(name)) continue;
    if (count >= MAX_KEPT_HEADERS) break;
    if (Object.hasOwn(shown, name)) continue;
    shown[name] = value.slice(0, MAX_KEPT_HEADER_CHARS);
    count += 1;
  }
  return shown;
}
