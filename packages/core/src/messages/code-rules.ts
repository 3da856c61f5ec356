import type { MessageRecord } from "../model/messages.ts";

/** What is asked of the mail that a code comes in. */
export interface SenderRequest {
  /** A part of the sender's address or name. */
  from_contains?: string | undefined;
  /** The sender's domain or one above it; only mail whose sender was authenticated for it counts. */
  from_domain?: string | undefined;
  subject_contains?: string | undefined;
}

type Mail = Pick<MessageRecord, "from" | "from_name" | "subject" | "authenticated">;

/**
 * Whether a mail is one that the caller waits for. `from_domain` takes aligned sender authentication: a name
 * alone proves nothing.
 */
export function fitsSender(
  { from, from_name, subject, authenticated }: Mail,
  { from_contains, from_domain, subject_contains }: SenderRequest,
): boolean {
  if (subject_contains !== undefined && !holds(subject, subject_contains)) return false;
  if (from_contains !== undefined && !holds(`${from_name ?? ""} <${from}>`, from_contains)) return false;
  return from_domain === undefined || (authenticated && isUnder(from, from_domain));
}

const holds = (text: string, part: string): boolean =>
  text.normalize("NFKC").toLowerCase().includes(part.normalize("NFKC").toLowerCase());

function isUnder(address: string, wanted: string): boolean {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const parent = wanted.trim().toLowerCase().replace(/^@/, "").replace(/\.$/, "");
  return domain === parent || domain.endsWith(`.${parent}`);
}
