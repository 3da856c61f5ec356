import type { ParsedMail } from "../../model/parsed-mail.ts";

import { readMessageIds } from "../mime/message-ids.ts";
import { classifyRefusal, statusIn } from "./classify.ts";
import { MAX_DETAIL_CHARS, MAX_REPORTED, type MailReport, type ReportedRecipient } from "./report.ts";

const MAX_CHARS = 200_000;

interface Notice {
  headers: { name: string; value: string }[];
  bounced: { address: string; status: string; diagnostic: string }[];
  complaint: { recipients: string[]; feedback_type: string } | undefined;
  delivered: { recipients: string[]; response: string } | undefined;
}

/**
 * Reads an Amazon SES notification that SNS sends as mail, for mail relayed through SES. Undefined for other
 * mail.
 */
export function readSesNotice({ from, text }: Pick<ParsedMail, "from" | "text">): MailReport | undefined {
  if (!/@sns\.amazonaws\.com$/i.test(from[0]?.address ?? "")) return undefined;
  const notice = noticeIn(text.slice(0, MAX_CHARS));
  if (notice === undefined) return undefined;
  const header = notice.headers.find(({ name }) => name.toLowerCase() === "message-id")?.value;
  const returned = {
    original_message_id: readMessageIds(header ?? "")[0] ?? null,
    report_header: null,
  };
  if (notice.complaint !== undefined) {
    const { feedback_type, recipients } = notice.complaint;
    return {
      type: "complaint",
      feedback_type: feedback_type.slice(0, 40),
      recipients: recipients.map((address) => address.toLowerCase()).slice(0, MAX_REPORTED),
      ...returned,
    };
  }
  const recipients = [...bouncedIn(notice), ...deliveredIn(notice)].slice(0, MAX_REPORTED);
  return recipients.length === 0 ? undefined : { type: "delivery", recipients, ...returned };
}

/** The notice in a mail: alone with a footer, or as text inside SNS's own envelope. */
function noticeIn(text: string): Notice | undefined {
  // Some servers break long lines with an exclamation mark.
  const joined = text.replace(/!\n /g, "").trim();
  const end = joined.lastIndexOf("}");
  if (!joined.startsWith("{") || end === -1) return undefined;
  try {
    const outer = objectOf(JSON.parse(joined.slice(0, end + 1)));
    const enveloped = outer["Type"] === "Notification" && typeof outer["Message"] === "string";
    return noticeOf(enveloped ? objectOf(JSON.parse(textOf(outer["Message"]))) : outer);
  } catch {
    return undefined;
  }
}

/** Reads SES's JSON by hand: a schema library would add about 100 ms to the start of each reading thread. */
function noticeOf({ notificationType, mail, bounce, complaint, delivery }: Json): Notice {
  if (!["Bounce", "Complaint", "Delivery"].includes(textOf(notificationType))) throw new TypeError();
  return {
    headers: listOf(orElse(objectOf(mail)["headers"], []), (header) => {
      const { name, value } = objectOf(header);
      return { name: textOf(name), value: textOf(value) };
    }),
    bounced:
      bounce === undefined
        ? []
        : listOf(objectOf(bounce)["bouncedRecipients"], (recipient) => {
            const { emailAddress, status = "", diagnosticCode = "" } = objectOf(recipient);
            return {
              address: textOf(emailAddress),
              status: textOf(status),
              diagnostic: textOf(diagnosticCode),
            };
          }),
    complaint:
      complaint === undefined
        ? undefined
        : {
            recipients: listOf(objectOf(complaint)["complainedRecipients"], (recipient) =>
              textOf(objectOf(recipient)["emailAddress"]),
            ),
            feedback_type: textOf(objectOf(complaint)["complaintFeedbackType"] ?? "abuse"),
          },
    delivered:
      delivery === undefined
        ? undefined
        : {
            recipients: listOf(objectOf(delivery)["recipients"], textOf),
            response: textOf(orElse(objectOf(delivery)["smtpResponse"], "")),
          },
  };
}

type Json = Record<string, unknown>;

const orElse = (value: unknown, fallback: unknown): unknown => (value === undefined ? fallback : value);

function objectOf(value: unknown): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError();
  return value as Json;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new TypeError();
  return value;
}

function listOf<T>(value: unknown, item: (value: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new TypeError();
  return value.map((each) => item(each));
}

function bouncedIn({ bounced }: Notice): ReportedRecipient[] {
  return bounced.map(({ address, status: code, diagnostic }) => {
    const status = statusIn(code) ?? statusIn(diagnostic);
    const { hard, reason } = classifyRefusal({ text: diagnostic, status, stage: null });
    return {
      address: address.toLowerCase(),
      original: null,
      outcome: hard ? "hard" : "soft",
      status,
      reason,
      detail: diagnostic.slice(0, MAX_DETAIL_CHARS),
    };
  });
}

function deliveredIn({ delivered }: Notice): ReportedRecipient[] {
  const detail = (delivered?.response ?? "").slice(0, MAX_DETAIL_CHARS);
  return (delivered?.recipients ?? []).map((address) => ({
    address: address.toLowerCase(),
    original: null,
    outcome: "delivered",
    status: statusIn(detail),
    reason: "delivered",
    detail,
  }));
}
