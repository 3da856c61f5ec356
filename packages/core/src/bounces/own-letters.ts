import { isId } from "../catalogue/ids.ts";
import type { Services } from "../kernel/context.ts";
import { addressAt } from "../kernel/mail-domain.ts";
import type { MailReport } from "../mail/reports/report.ts";
import { RESERVED_LOCAL_PART } from "./verp.ts";

/** The return path and the Message-ID of a letter from no-reply, by which its bounces are told from others. */
export function ownLetterIds(
  services: Pick<Services, "options">,
  { id, attempts }: { id: string; attempts: number },
): { mail_from: string; message_id: string } {
  return {
    mail_from: addressAt(services, RESERVED_LOCAL_PART),
    message_id: `<no-reply.${id}.${attempts}@${services.options.mail_domain}>`,
  };
}

/** Whether a report is about a letter from no-reply, which is no stored message. */
export function isAboutOwnLetter(
  { options }: Pick<Services, "options">,
  { original_message_id }: MailReport,
): boolean {
  const [, id = "", domain = ""] =
    /^<no-reply\.(\w{1,40})\.\d{1,9}@([^<>@]+)>$/.exec(original_message_id ?? "") ?? [];
  return isId("job", id) && domain === options.mail_domain;
}

/** Shows the operator that a letter from no-reply was not delivered, or was complained about. It counts for nobody. */
export function logOwnLetterReport({ log }: Pick<Services, "log">, report: MailReport): void {
  const failures =
    report.type === "complaint"
      ? report.recipients
      : report.recipients.filter(({ outcome }) => outcome === "hard" || outcome === "soft");
  if (failures.length > 0)
    log.warn({ type: report.type, failures }, "a letter of the service's own was not delivered");
}
