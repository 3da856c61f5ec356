import type { ParsedMail } from "../model/parsed-mail.ts";

/**
 * Where a message came from: SMTP, the operator's internal path, an inbox of this service, the test injector, or a
 * telephone.
 */
export type Origin = "smtp" | "internal_path" | "internal" | "injected" | "phone";

/** The marks of automatic mail (RFC 3834, RFC 2076, RFC 2919). */
export interface AutomaticMarks {
  /** `Auto-Submitted: auto-replied`, an empty return path, or our own Message-ID: never a task. */
  strong: string | null;
  /** `auto-generated`, `Precedence`, `List-Id`: no task unless the sender is allowlisted. */
  weak: string | null;
}

/** Reads the marks of automatic mail. */
export function automaticMarks(
  mail: Pick<ParsedMail, "headers">,
  facts: { mail_from: string; origin: Origin; own_message: boolean },
): AutomaticMarks {
  const header = (name: string) =>
    mail.headers
      .find((line) => line.name === name)
      ?.value.trim()
      .toLowerCase() ?? "";
  const submitted = header("auto-submitted").replace(/;.*/s, "").trimEnd();
  const precedence = header("precedence");
  return {
    strong: facts.own_message
      ? "the inbox sent this message itself"
      : submitted === "auto-replied"
        ? "it is marked as an automatic reply"
        : facts.mail_from === "" && facts.origin !== "injected"
          ? "its return path is empty"
          : null,
    weak:
      submitted !== "" && submitted !== "no" && submitted !== "auto-replied"
        ? `it is marked Auto-Submitted: ${submitted.slice(0, 40)}`
        : ["bulk", "junk", "list", "auto_reply"].includes(precedence)
          ? `it is marked Precedence: ${precedence}`
          : header("list-id") !== ""
            ? "it comes from a mailing list"
            : null,
  };
}

/** Everything that the task decision depends on. */
export interface TaskFacts {
  origin: Origin;
  /** It is old mail of another mailbox. */
  imported: boolean;
  held: boolean;
  marks: AutomaticMarks;
  /** The sender is a verified owner of the inbox. */
  owner: boolean;
  allowlisted: boolean;
  /** DMARC passed, or an aligned DKIM signature did. */
  authenticated: boolean;
  /** The trusted ARC sealer that forwarded the mail and found its author authenticated. */
  forwarded_by: string | null;
  require_sender_auth: boolean;
  /** Why an authenticated mail is still no trusted order, as the end of a sentence; null when it is one. */
  doubt: string | null;
  /** Its signature was seen in this inbox before. */
  replayed: boolean;
}

/** Where one of a mail's marks was seen before. */
interface Sighting {
  place: string;
  named: boolean;
}

/**
 * How a mail relates to earlier sightings of its marks: `first`, again `here`, or `elsewhere` before. Copies
 * to places that their author all named are one mail.
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

/** How well a mail's author is authenticated, from worst to best. */
export const AUTHENTICATION_RANKS = ["none", "forwarded", "authenticated", "order"] as const;

/** The rank of a mail. A copy with a higher one takes the place of one with a lower. */
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

/** Whether the author is believed to be genuine: by our own check, or by a trusted ARC sealer's. */
export function isSenderBelieved({
  authenticated,
  forwarded_by,
}: Pick<TaskFacts, "authenticated" | "forwarded_by">): boolean {
  return authenticated || forwarded_by !== null;
}

/**
 * Whether a mail becomes a task, whether the task is trusted, and why.
 */
export function decideTask(facts: TaskFacts): { made: boolean; trusted: boolean; reason: string } {
  const no = (reason: string) => ({ made: false, trusted: false, reason });
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

function doubtOf({ origin, authenticated, doubt }: TaskFacts): string | null {
  if (origin === "injected") return "it was injected";
  return authenticated ? doubt : "only a forwarder authenticated the sender";
}

/**
 * Whether a mail counts as an owner's: authenticated by our own check whatever the inbox requires, written by
 * a human, and not injected. A forwarder's authentication is not enough to act for an owner.
 */
export function speaksForOwner(
  facts: Pick<TaskFacts, "owner" | "authenticated" | "origin" | "held" | "marks">,
): boolean {
  return facts.owner && isWrittenByAuthor(facts);
}

/** Whether a mail is its author's own: authenticated by our own check, written by a human, not injected. */
export function isWrittenByAuthor(
  facts: Pick<TaskFacts, "authenticated" | "origin" | "held" | "marks">,
): boolean {
  return (
    facts.authenticated &&
    facts.origin !== "injected" &&
    !facts.held &&
    facts.marks.strong === null &&
    facts.marks.weak === null
  );
}

/** Whether a mail counts as a human's for the loop guard: authenticated, not automatic, from outside. */
export function isHuman(facts: Pick<TaskFacts, "origin" | "marks" | "authenticated">): boolean {
  return (
    facts.authenticated &&
    facts.marks.strong === null &&
    facts.marks.weak === null &&
    (facts.origin === "smtp" || facts.origin === "internal_path")
  );
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
