import type { ApprovalReview } from "@letterslot/core";
import { shownTimeWithYear } from "@letterslot/core/internal";

type Approval = Pick<ApprovalReview["approval"], "status" | "subject_type" | "comment" | "decided_at">;
type Mail = Pick<NonNullable<ApprovalReview["mail"]>, "kind" | "send_at">;

/** What happens once a change is approved. */
const APPROVED: Record<Exclude<Approval["subject_type"], "draft">, string> = {
  inbox_delete: "The inbox stops now: no mail comes in or leaves any more.",
  send_mode_change: "It holds from now on, and your agent is told.",
  outbound_change: "It holds from now on, and your agent is told.",
  owner_add: "They get an email now, and are an owner once they confirm.",
  owner_delete: "They are an owner no more, and your agent is told.",
  authority_grant: "They have it from now on.",
  account_delete: "Its keys and apps stop working now, and within 24 hours all of it is erased.",
  message_release: "Your agent can read the email now, and is told.",
  webhook_change: "The web server gets it from now on, and your agent is told.",
  forwarding_add: "Mail is forwarded from now on, and your agent is told.",
};

/** What happens after a decision, or after a request has ended, in a sentence or two. */
export function nextOf({
  approval: { status, subject_type, comment, decided_at },
  review: { mail },
  now,
}: {
  approval: Approval;
  review: { mail: Mail | null };
  /** It was decided just now. */
  now: boolean;
}): string {
  const is_mail = subject_type === "draft";
  switch (status) {
    case "pending":
      return "Nothing happens until somebody decides.";
    case "approved":
      if (!now) return "Your agent was told, and there is nothing left to do.";
      return is_mail ? leaving(mail, decided_at ?? "") : APPROVED[subject_type];
    case "rejected":
      return `${refused(subject_type)} ${told(now, comment)}`;
    case "expired":
      return `Nobody decided in time. ${refused(subject_type)} Your agent was told, and can ask again.`;
    case "cancelled":
      return "It was taken back, so there is nothing left to decide.";
  }
}

function leaving(mail: Mail | null, decided_at: string): string {
  if (mail?.kind === "call") return "The call is placed now, and your agent is told.";
  const what = mail?.kind === "sms" ? "The text message" : "The email";
  const later = mail?.send_at != null && mail.send_at > decided_at ? mail.send_at : undefined;
  const when = later === undefined ? "now" : `on ${shownTimeWithYear(later)}`;
  return `${what} leaves ${when}, and your agent is told.`;
}

function refused(subject_type: Approval["subject_type"]): string {
  if (subject_type === "draft") return "Nothing is sent.";
  return subject_type === "message_release" ? "The email stays held." : "Nothing changes.";
}

function told(now: boolean, comment: string | null): string {
  const said = comment === null ? "" : ", with the comment";
  return now ? `Your agent is told${said}.` : `Your agent was told${said}.`;
}
