import { z } from "zod";
import type { ParsedMail } from "../../model/parsed-mail.ts";

import { readMessageIds } from "../mime/message-ids.ts";
import { classifyRefusal, statusIn } from "./classify.ts";
import { MAX_DETAIL_CHARS, MAX_REPORTED, type MailReport, type ReportedRecipient } from "./report.ts";

const MAX_CHARS = 200_000;

const Notice = z.object({
  notificationType: z.enum(["Bounce", "Complaint", "Delivery"]),
  mail: z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) }),
  bounce: z
    .object({
      bouncedRecipients: z.array(
        z.object({
          emailAddress: z.string(),
          status: z.string().default(""),
          diagnosticCode: z.string().default(""),
        }),
      ),
    })
    .optional(),
  complaint: z
    .object({
      complainedRecipients: z.array(z.object({ emailAddress: z.string() })),
      complaintFeedbackType: z.string().nullish(),
    })
    .optional(),
  delivery: z.object({ recipients: z.array(z.string()), smtpResponse: z.string().default("") }).optional(),
});
type Notice = z.infer<typeof Notice>;

/**
 * Reads a notification of Amazon SES that SNS sends as mail, as it comes where mail is relayed through SES.
 * Undefined for other mail.
 */
export function readSesNotice({ from, text }: Pick<ParsedMail, "from" | "text">): MailReport | undefined {
  if (!/@sns\.amazonaws\.com$/i.test(from[0]?.address ?? "")) return undefined;
  const notice = noticeIn(text.slice(0, MAX_CHARS));
  if (notice === undefined) return undefined;
  const header = notice.mail.headers.find(({ name }) => name.toLowerCase() === "message-id")?.value;
  const original_message_id = readMessageIds(header ?? "")[0] ?? null;
  if (notice.complaint !== undefined) {
    const recipients = notice.complaint.complainedRecipients.map(({ emailAddress }) =>
      emailAddress.toLowerCase(),
    );
    const feedback_type = (notice.complaint.complaintFeedbackType ?? "abuse").slice(0, 40);
    return {
      type: "complaint",
      feedback_type,
      recipients: recipients.slice(0, MAX_REPORTED),
      original_message_id,
    };
  }
  const recipients = [...bounced(notice), ...delivered(notice)].slice(0, MAX_REPORTED);
  return recipients.length === 0 ? undefined : { type: "delivery", recipients, original_message_id };
}

/** The notice in a mail: alone with a footer, or as a text within SNS's own envelope. */
function noticeIn(text: string): Notice | undefined {
  // Some servers cut long lines with an exclamation mark.
  const joined = text.replace(/!\n /g, "").trim();
  const end = joined.lastIndexOf("}");
  if (!joined.startsWith("{") || end === -1) return undefined;
  const value = parseJson(joined.slice(0, end + 1));
  const inner = z.object({ Type: z.literal("Notification"), Message: z.string() }).safeParse(value);
  const parsed = Notice.safeParse(inner.success ? parseJson(inner.data.Message) : value);
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function bounced({ bounce }: Notice): ReportedRecipient[] {
  return (bounce?.bouncedRecipients ?? []).map(({ emailAddress, status: code, diagnosticCode }) => {
    const status = statusIn(code) ?? statusIn(diagnosticCode);
    const { hard, reason } = classifyRefusal({ text: diagnosticCode, status, stage: null });
    const detail = diagnosticCode.slice(0, MAX_DETAIL_CHARS);
    return {
      address: emailAddress.toLowerCase(),
      original: null,
      outcome: hard ? "hard" : "soft",
      status,
      reason,
      detail,
    };
  });
}

function delivered({ delivery }: Notice): ReportedRecipient[] {
  const detail = (delivery?.smtpResponse ?? "").slice(0, MAX_DETAIL_CHARS);
  return (delivery?.recipients ?? []).map((address) => ({
    address: address.toLowerCase(),
    original: null,
    outcome: "delivered",
    status: statusIn(detail),
    reason: "delivered",
    detail,
  }));
}
