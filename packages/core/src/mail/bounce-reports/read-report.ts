import type { ParsedMail } from "../../model/parsed-mail.ts";

import { isDaemon } from "./plain.ts";
import { hasFeedback, readComplaint } from "./read-complaint.ts";
import { readDelivery } from "./read-delivery.ts";
import { readSesNotice } from "./read-ses.ts";
import type { MailReport } from "./report.ts";

/** The fields of a mail and its envelope that a report is read from. */
export interface ReportMail {
  mail: Pick<ParsedMail, "headers" | "from" | "to" | "subject" | "text" | "html" | "attachments">;
  mail_from: string;
}

const REPORT_SUBJECTS =
  /undeliver|delivery (?:status|report|failure|error|problem|has|notification|notice)|delivery incomplete|mail (?:delivery|system) (?:fail|error|return|status|sub)|returned (?:mail|e?mail|message|to sender)|failure notice|failed (?:mail|delivery|message)|could not (?:be delivered|send)|(?:message|mail) status|non[- ]?delivery|warning: (?:could not|message)|\bdelayed\b|not (?:be )?delivered|unzustellbar|non remis|mail failure|error sending|no se (?:puede|pudo) entregar|nondeliverable|mail could not|delivery|onbestelbaar|niet bezorgd|mancata consegna|non recapitat|não entregue|devolvid|devuelto|niedostarczon|teslim edilemedi|недоставлен|не доставлено|退信|退回|配信不能|配信エラー|반송/i;
const VACATION_SUBJECTS =
  /out of (?:the )?office|auto(?:matic)?[- ]?(?:reply|response)|vacation|abwesen|absence du bureau|away from/i;

/**
 * Reads another server's or provider's report about a mail: a delivery status notification (RFC 3464), the
 * prose that older servers send instead, a complaint (RFC 5965), or Amazon SES's notification of either.
 * Undefined for any other mail. Without a machine-readable part, only mail from a mail system counts, and an
 * automatic reply never does.
 */
export function readReport({ mail, mail_from }: ReportMail): MailReport | undefined {
  const notice = readSesNotice(mail);
  if (notice !== undefined) return notice;
  const complaint = readComplaint(mail);
  if (complaint !== undefined || hasFeedback(mail)) return complaint;
  const has = (type: string) => mail.attachments.some(({ content_type }) => content_type === type);
  const from = mail.from[0]?.address ?? "";
  const system = mail_from === "" || isDaemon(from) || isDaemon(mail_from);
  const machine = has("message/delivery-status") || has("message/global-delivery-status");
  // A person who forwards a notification sends the same parts, so it must come from a mail system.
  if (machine) return system || isReportType(mail) ? readDelivery(mail) : undefined;
  if (!system || VACATION_SUBJECTS.test(mail.subject)) return undefined;
  const automatic =
    /auto-replied/i.test(headerOf(mail, "auto-submitted")) || headerOf(mail, "x-autoreply") !== "";
  const failed = headerOf(mail, "x-failed-recipients") !== "";
  if (automatic && !failed && !REPORT_SUBJECTS.test(mail.subject)) return undefined;
  // Mail with an empty return path that contains a returned mail is a report, whatever its subject and
  // language.
  const brings_back = mail_from === "" && has("message/rfc822");
  const looks_so =
    failed || isDaemon(from) || REPORT_SUBJECTS.test(mail.subject) || isReportType(mail) || brings_back;
  return looks_so ? readDelivery(mail) : undefined;
}

/** Whether the mail declares itself a report (RFC 6522). */
function isReportType(mail: Pick<ParsedMail, "headers">): boolean {
  return /^multipart\/report\b/i.test(headerOf(mail, "content-type").trim());
}

/** The first value of a header, or an empty string. */
function headerOf({ headers }: Pick<ParsedMail, "headers">, name: string): string {
  return headers.find((header) => header.name === name)?.value ?? "";
}
