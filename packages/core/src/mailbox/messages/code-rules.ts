import type { MessageRecord } from "../../model/messages.ts";

/** Filters on the mail that a code arrives in. */
export interface SenderRequest {
  /** A substring of the sender's address or name. */
  from_contains?: string | undefined;
  /** The sender's domain or a parent domain; only matches mail whose sender was authenticated. */
  from_domain?: string | undefined;
  subject_contains?: string | undefined;
}

type Mail = Pick<MessageRecord, "from" | "from_name" | "subject" | "authenticated">;

/** Whether a mail matches all filters. `from_domain` requires authentication, because From can be forged. */
export function matchesSenderRequest(
  { from, from_name, subject, authenticated }: Mail,
  { from_contains, from_domain, subject_contains }: SenderRequest,
): boolean {
  if (subject_contains !== undefined && !containsText(subject, subject_contains)) return false;
  if (from_contains !== undefined && !containsText(`${from_name ?? ""} <${from}>`, from_contains))
    return false;
  return from_domain === undefined || (authenticated && isUnder(from, from_domain));
}

const containsText = (text: string, part: string): boolean =>
  text.normalize("NFKC").toLowerCase().includes(part.normalize("NFKC").toLowerCase());

function isUnder(address: string, wanted: string): boolean {
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  const parent = wanted.trim().toLowerCase().replace(/^@/, "").replace(/\.$/, "");
  return domain === parent || domain.endsWith(`.${parent}`);
}
