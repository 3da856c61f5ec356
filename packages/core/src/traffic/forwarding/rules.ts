import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { shownTimeWithYear } from "../../catalogue/shown-time.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { ForwardingFailure, ForwardingRecord } from "../../model/forwardings.ts";

/**
 * Checks that another address may be asked for. One that failed leaves room, and one that is pending is asked for
 * again. Fails with `forwarding_exists` or `forwarding_limit`.
 */
export function checkRoom(
  forwardings: readonly Pick<ForwardingRecord, "email" | "status">[],
  email: string,
): void {
  const open = forwardings.filter(({ status }) => status !== "failed");
  const known = open.find((each) => each.email === email);
  if (known?.status === "verified") throw fail("forwarding_exists", { param: "email" });
  if (known === undefined && open.length >= LIMITS.forwardings_per_inbox) throw fail("forwarding_limit");
}

/** Until when an address isn't asked about again, because a person said no to it; undefined if none did lately. */
export function rejectedUntil(
  rejected: readonly Pick<ApprovalRecord, "subject_type" | "change" | "decided_at" | "imported">[],
  email: string,
  now: Date,
): Date | undefined {
  const ends = rejected
    .filter(
      ({ subject_type, change, imported }) =>
        subject_type === "forwarding_add" && change["email"] === email && !imported,
    )
    .map(({ decided_at }) => Date.parse(decided_at ?? "") + LIMITS.approval_rejected_ms)
    .filter((end) => end > now.getTime());
  return ends.length === 0 ? undefined : new Date(Math.max(...ends));
}

/** Checks that a code can be tried. Fails with `forwarding_code_invalid` or `confirm_locked`. */
export function checkCodeOpen({
  status,
  code_hash,
  code_tries,
}: Pick<ForwardingRecord, "status" | "code_hash" | "code_tries">): void {
  if (status !== "pending" || code_hash === null) throw wrongCode();
  if (code_tries >= LIMITS.forwarding_code_tries) throw codesUsedUp();
}

/** The error for a wrong code. */
export const wrongCode = (): LetterslotError => fail("forwarding_code_invalid", { param: "code" });

/** The error once too many wrong codes were tried. */
export const codesUsedUp = (): LetterslotError =>
  fail("confirm_locked", {
    param: "code",
    fix: "Let the agent ask again, with POST /api/v1/inboxes/:inbox_id/forwarding: that mails a new code at once.",
  });

/** The facts that decide whether a forwarding goes on. */
export interface EndFacts {
  now: string;
  /** Where the request to a person in charge stands; null if none was made. */
  asked: ApprovalRecord["status"] | null;
  /** The addresses of those with authority over the inbox. */
  in_charge: readonly string[];
  /** Whether its address is outside this service. */
  is_outside: boolean;
}

/** Why a forwarding ends now; undefined while it goes on. */
export function endOf(
  forwarding: Pick<ForwardingRecord, "status" | "expires_at" | "hard_bounces" | "decided_by">,
  { now, asked, in_charge, is_outside }: EndFacts,
): ForwardingFailure | undefined {
  const { status, expires_at, hard_bounces, decided_by } = forwarding;
  if (status === "failed") return undefined;
  if (!is_outside) return "address_inside";
  if (status === "pending") {
    if (asked === "rejected") return "rejected";
    return expires_at <= now || asked === "expired" || asked === "cancelled" ? "expired" : undefined;
  }
  if (hard_bounces >= LIMITS.forwarding_hard_bounces) return "bounced";
  return in_charge.includes(decided_by ?? "") ? undefined : "authority_ended";
}

/** The facts of a stored mail that decide whether it is forwarded. */
export interface MailFacts {
  held: boolean;
  /** A letter of this service, of which only a stub is kept. */
  letter: boolean;
  /** Old mail that was brought in. */
  imported: boolean;
  injected: boolean;
  /** A text or voicemail. */
  phone: boolean;
  /** An automatic reply, a report or receipt, or mail that the inbox itself sent. */
  automatic: boolean;
  /** An inbox of the same account, or of its workspaces, sent it within this service. */
  own: boolean;
  /** It was forwarded by this service before, or by too many. */
  went_round: boolean;
}

/**
 * Why a mail isn't forwarded, in a word; undefined if it is. What an agent itself writes is judged when it leaves, so
 * neither injecting it nor sending it within the account is another way out.
 */
export function whyNot(facts: MailFacts): string | undefined {
  const reasons: [boolean, string][] = [
    [facts.held, "held"],
    [facts.letter, "letter"],
    [facts.phone, "not_a_mail"],
    [facts.imported, "imported"],
    [facts.injected, "injected"],
    [facts.went_round, "loop"],
    [facts.automatic, "automatic"],
    [facts.own, "own_mail"],
  ];
  return reasons.find(([holds]) => holds)?.[1];
}

/** Writes the note above a forwarded mail. */
export function noteOf({
  inbox_email,
  from,
  from_name,
  subject,
  created_at,
}: {
  inbox_email: string;
  from: string;
  from_name: string | null;
  subject: string;
  created_at: string;
}): string {
  const author = from_name === null || from_name === "" ? from : `${from_name} <${from}>`;
  return [
    `This mail came to ${inbox_email} and was forwarded to you automatically. It is attached as it came.`,
    "",
    `From: ${author || "nobody named"}`,
    `Subject: ${subject || "(no subject)"}`,
    `Received: ${shownTimeWithYear(created_at)}`,
    "",
    "You get it because you and a person in charge of the inbox agreed to that. To end it, ask them.",
  ].join("\n");
}
