import { isId } from "../../catalogue/ids.ts";
import { RETURN_NAME } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { customDomain } from "../../kernel/addresses/custom-domains.ts";
import { addressAt, domainOf, isOurDomain } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { findReferenced } from "../../kernel/inbox/references.ts";
import type { MailReport } from "../../mail/bounce-reports/report.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { type ReturnPath, readReportHeader, readReturnPath } from "./return-path.ts";
import type { Tie } from "./rules.ts";

/** The counter that exists while return paths of the format before the upgrade are accepted. */
export const EARLIER_PATHS = "earlier-return-paths";

/** A message that was sent, and what ties a report to it. */
export interface Reported {
  message: MessageRecord;
  tie: Tie;
}

/** The message that mail to a reporting address is about; `reported` is null when only the content can tell. */
export interface ReturnTarget {
  reported: Reported | null;
}

/**
 * Returns the target of a return path, or of bounce@ and abuse@ at the service's own domain; undefined for other
 * addresses, for paths that the service didn't make, and at domains that the message doesn't come back to.
 */
export function findReturnTarget(
  services: Pick<Services, "storage" | "options" | "seal">,
  address: string,
  now: Date,
): Promise<ReturnTarget | undefined> | ReturnTarget | undefined {
  if ([RETURN_NAME, "abuse"].some((name) => address === addressKey(addressAt(services, name))))
    return { reported: null };
  const path = readReturnPath(services, address);
  return path && findTargetOf(services, path, now);
}

async function findTargetOf(
  services: Pick<Services, "storage" | "options">,
  path: ReturnPath,
  now: Date,
): Promise<ReturnTarget | undefined> {
  const message = await services.storage.get("messages", path.message_id);
  if (message?.direction !== "outbound") return undefined;
  if (path.earlier && !(await isReadStill(services, message, now))) return undefined;
  const comes_back =
    isOurDomain(services, path.domain) || (await isReturnDomain(services, path.domain, message));
  const tie = path.earlier ? "earlier_path" : "path";
  return comes_back ? { reported: { message, tie } } : undefined;
}

/** Whether a message left with a return path of the earlier format, and those are still accepted. */
async function isReadStill(
  { storage }: Pick<Services, "storage">,
  { created_at }: MessageRecord,
  now: Date,
): Promise<boolean> {
  const { expires_at } = (await storage.get("counters", EARLIER_PATHS)) ?? {};
  if (expires_at === undefined || expires_at <= iso(now)) return false;
  return created_at < iso(new Date(new Date(expires_at).getTime() - LIMITS.earlier_return_paths_ms));
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

/**
 * Finds the message that a report at no return path is about: by the header that only this service makes, which
 * matches complaints only, else by Message-ID, which anybody may have seen. With an inbox, finds only messages that
 * it sent.
 */
export async function findReported(
  services: Pick<Services, "storage" | "seal">,
  report: MailReport,
  inbox_id: string | null,
): Promise<Reported | undefined> {
  const named = report.report_header === null ? undefined : readReportHeader(services, report.report_header);
  const by_header = named === undefined ? undefined : await services.storage.get("messages", named);
  const tied = by_header?.direction === "outbound" && inbox_id === null ? by_header : undefined;
  if (tied !== undefined)
    return { message: tied, tie: report.type === "complaint" ? "header" : "message_id" };
  const message = await findByMessageId(services, report, inbox_id);
  return message && { message, tie: "message_id" };
}

async function findByMessageId(
  { storage }: Pick<Services, "storage">,
  { original_message_id: reference }: MailReport,
  inbox_id: string | null,
): Promise<MessageRecord | undefined> {
  if (reference === null) return undefined;
  if (inbox_id !== null) {
    const [own] = await findReferenced(storage, inbox_id, [reference], { own: true });
    return own === undefined ? undefined : storage.get("messages", own.message_id);
  }
  const id = `msg_${/^<([^<>@]+)@/.exec(reference)?.[1] ?? ""}`;
  const message = isId("msg", id) ? await storage.get("messages", id) : undefined;
  return message?.direction === "outbound" && message.message_id === reference ? message : undefined;
}
