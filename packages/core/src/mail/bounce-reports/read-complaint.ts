import type { ParsedMail } from "../../model/parsed-mail.ts";

import { addressIn, type Fields, fieldOf, readBlocks, reportText } from "./fields.ts";
import { MAX_REPORTED, type MailReport } from "./report.ts";
import { returnedHeader, returnedMail } from "./returned-mail.ts";

/** Whether the mail contains a feedback report (RFC 5965), whatever it says. */
export const hasFeedback = ({ attachments }: Pick<ParsedMail, "attachments">): boolean =>
  attachments.some(({ content_type }) => content_type === "message/feedback-report");

/**
 * Feedback that isn't a complaint: authentication failure reports (RFC 6591, DMARC), and mail moved out of
 * the junk folder.
 */
const NOT_COMPLAINTS = ["auth-failure", "dmarc", "not-spam"];

/**
 * Reads a complaint (RFC 5965), or the form without a report part that Outlook.com's junk mail program sends.
 * Undefined for other mail and for feedback that isn't a complaint.
 */
export function readComplaint(
  mail: Pick<ParsedMail, "attachments" | "from" | "subject">,
): Extract<MailReport, { type: "complaint" }> | undefined {
  const part = mail.attachments.find(({ content_type }) => content_type === "message/feedback-report");
  if (part === undefined) return isOutlooks(mail) ? fromOutlook(returnedHeader(mail)) : undefined;
  const returned = returnedHeader(mail);
  const [report] = readBlocks(reportText(part.bytes));
  const feedback_type = fieldOf(report, "feedback-type").toLowerCase().slice(0, 40) || "abuse";
  if (NOT_COMPLAINTS.includes(feedback_type)) return undefined;
  return {
    type: "complaint",
    feedback_type,
    recipients: whoComplained(report, returned),
    ...returnedMail(returned),
  };
}

const isOutlooks = ({ from, subject }: Pick<ParsedMail, "from" | "subject">): boolean =>
  from[0]?.address.toLowerCase() === "staff@hotmail.com" && /complaint about message from/i.test(subject);

function fromOutlook(returned: Fields | undefined): ReturnType<typeof readComplaint> {
  if (returned === undefined) return undefined;
  const recipients = addressesIn(returned.get("x-hmxmroriginalrecipient") ?? []);
  return {
    type: "complaint",
    feedback_type: "abuse",
    recipients,
    ...returnedMail(returned),
  };
}

/** Providers often redact the address; the returned mail's To may still have it. */
function whoComplained(report: Fields | undefined, returned: Fields | undefined): string[] {
  const named = ["original-rcpt-to", "removal-recipient", "redacted-address"].flatMap(
    (name) => report?.get(name) ?? [],
  );
  const found = addressesIn(named);
  return found.length > 0 ? found : addressesIn(returned?.get("to") ?? []);
}

function addressesIn(values: readonly string[]): string[] {
  const addresses = values
    .flatMap((value) => value.split(","))
    .map(addressIn)
    .filter((address) => address !== null);
  return [...new Set(addresses)].slice(0, MAX_REPORTED);
}
