import { isId } from "../../catalogue/ids.ts";
import { RETURN_NAME } from "../../catalogue/letter-words.ts";
import { addressAt } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import type { MailReport } from "../../mail/bounce-reports/report.ts";

/** Returns the return path and the Message-ID of a letter from no-reply, which distinguish its bounces from others. */
export function ownLetterIds(
  services: Pick<Services, "options">,
  { id, attempts }: { id: string; attempts: number },
): { mail_from: string; message_id: string } {
  return {
    mail_from: addressAt(services, RETURN_NAME),
    message_id: `<no-reply.${id}.${attempts}@${services.options.mailDomain}>`,
  };
}

/** Whether a report is about a letter from no-reply, which is no stored message. */
export function isAboutOwnLetter(
  { options }: Pick<Services, "options">,
  { original_message_id }: MailReport,
): boolean {
  const [, id = "", domain = ""] =
    /^<no-reply\.(\w{1,40})\.\d{1,9}@([^<>@]+)>$/.exec(original_message_id ?? "") ?? [];
  return isId("job", id) && domain === options.mailDomain;
}

/**
 * Tells the operator that a letter from no-reply was not delivered, or was complained about. This counts for nobody.
 */
export function logOwnLetterReport({ log }: Pick<Services, "log">, report: MailReport): void {
  const failures =
    report.type === "complaint"
      ? report.recipients
      : report.recipients.filter(({ outcome }) => outcome === "hard" || outcome === "soft");
  if (failures.length > 0)
    log.warn({ type: report.type, failures }, "a letter of the service's own was not delivered");
}
