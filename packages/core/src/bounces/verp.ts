import { isId } from "../catalogue/ids.ts";
import { domainOf } from "../kernel/mail-domain.ts";

/** The local part of return paths; reserved, so no inbox can have it. */
export const RESERVED_LOCAL_PART = "bounce";

/**
 * The return path of an outbound message (VERP, variable envelope return path): it contains the message id,
 * so that any report can be matched. `domain` is where it comes back to.
 */
export const returnPathOf = (id: string, domain: string): string => `${RESERVED_LOCAL_PART}+${id}@${domain}`;

/** Parses a return path; undefined for others. `message_id` is null for the bare reserved address. */
export function readReturnPath(address: string): { message_id: string | null; domain: string } | undefined {
  const local = address.slice(0, address.lastIndexOf("@"));
  if (local === RESERVED_LOCAL_PART) return { message_id: null, domain: domainOf(address) };
  if (!local.startsWith(`${RESERVED_LOCAL_PART}+`)) return undefined;
  const id = local.slice(RESERVED_LOCAL_PART.length + 1);
  return isId("msg", id) ? { message_id: id, domain: domainOf(address) } : undefined;
}
