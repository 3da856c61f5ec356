import { isId } from "../catalogue/ids.ts";

/** The local part that no inbox can take: what comes back comes to it. */
const prefix = "bounce";

/**
 * The return path of an outbound message: it names the message, so that a report is matched whatever it says
 * of itself (variable envelope return path).
 */
export function returnPathOf({ id, from }: { id: string; from: string }): string {
  return `${prefix}+${id}@${domainOf(from)}`;
}

/**
 * What an address of the reserved prefix names: a message, or nothing but that reports come there; undefined
 * for other addresses.
 */
export function readReturnPath(address: string): { message_id: string | null; domain: string } | undefined {
  const local = address.slice(0, address.lastIndexOf("@"));
  if (local === prefix) return { message_id: null, domain: domainOf(address) };
  if (!local.startsWith(`${prefix}+`)) return undefined;
  const id = local.slice(prefix.length + 1);
  return isId("msg", id) ? { message_id: id, domain: domainOf(address) } : undefined;
}

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();
