import { isId } from "../catalogue/ids.ts";
import type { Services } from "../kernel/context.ts";
import { domainOf, isDeliveredHere } from "../kernel/mail-domain.ts";
import type { MailReport } from "../mail/reports/report.ts";
import type { MessageRecord } from "../model/messages.ts";
import { readReturnPath } from "./verp.ts";

/** The message that a return path names; null when only the report's content can tell. */
export interface ReturnTarget {
  message: MessageRecord | null;
}

/** The target of a return path; undefined for other addresses and for messages of another domain. */
export async function findReturnTarget(
  services: Pick<Services, "storage" | "options">,
  address: string,
): Promise<ReturnTarget | undefined> {
  const path = readReturnPath(address);
  if (path === undefined) return undefined;
  if (path.message_id === null) return isDeliveredHere(services, address) ? { message: null } : undefined;
  const message = await services.storage.get("messages", path.message_id);
  return message?.direction === "outbound" && domainOf(message.from) === path.domain
    ? { message }
    : undefined;
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
