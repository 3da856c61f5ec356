import { isId } from "../catalogue/ids.ts";
import type { Services } from "../kernel/context.ts";
import { customDomain } from "../kernel/custom-domains.ts";
import { domainOf, isOurDomain } from "../kernel/mail-domain.ts";
import type { MailReport } from "../mail/reports/report.ts";
import type { MessageRecord } from "../model/messages.ts";
import { readReturnPath } from "./verp.ts";

/** The message that a return path names; null when only the report's content can tell. */
export interface ReturnTarget {
  message: MessageRecord | null;
}

/** The target of a return path; undefined for other addresses, and at domains that the message doesn't
 * come back to. */
export function findReturnTarget(
  services: Pick<Services, "storage" | "options">,
  address: string,
): Promise<ReturnTarget | undefined> | undefined {
  const path = readReturnPath(address);
  return path && findTargetOf(services, path);
}

async function findTargetOf(
  services: Pick<Services, "storage" | "options">,
  path: NonNullable<ReturnType<typeof readReturnPath>>,
): Promise<ReturnTarget | undefined> {
  const at_ours = isOurDomain(services, path.domain);
  if (path.message_id === null) return at_ours ? { message: null } : undefined;
  const message = await services.storage.get("messages", path.message_id);
  if (message?.direction !== "outbound") return undefined;
  return at_ours || (await isReturnDomain(services, path.domain, message)) ? { message } : undefined;
}

/** Whether bounces of a message may come back to a domain: the one below its own custom domain. */
async function isReturnDomain(
  { storage }: Pick<Services, "storage">,
  domain: string,
  { from }: MessageRecord,
): Promise<boolean> {
  const custom = await customDomain(storage, domainOf(from));
  return custom !== undefined && domain === `${custom.mail_from_subdomain}.${custom.domain}`;
}

/** The message that a report is about, by Message-ID; with an inbox, only if that inbox sent it. */
export async function findReportedMessage(
  { storage }: Pick<Services, "storage">,
  { original_message_id: reference }: MailReport,
  inbox_id: string | null,
): Promise<MessageRecord | undefined> {
  if (reference === null) return undefined;
  if (inbox_id !== null) {
    const [own] = await storage.find("message_references", {
      where: { inbox_id, reference, own: true },
      limit: 1,
    });
    return own === undefined ? undefined : storage.get("messages", own.message_id);
  }
  const id = `msg_${/^<([^<>@]+)@/.exec(reference)?.[1] ?? ""}`;
  const message = isId("msg", id) ? await storage.get("messages", id) : undefined;
  return message?.direction === "outbound" && message.message_id === reference ? message : undefined;
}
