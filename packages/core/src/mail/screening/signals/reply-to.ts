import type { ParsedMail } from "../../../model/parsed-mail.ts";
import { domainOf, organisationOf } from "./hosts.ts";

/** The Reply-To addresses that are looked at. */
const MAX_ADDRESSES = 20;

/**
 * Returns the first of a mail's Reply-To addresses that belongs to another organisation than its sender; undefined if
 * none does.
 */
export function replyToElsewhere({ from, reply_to }: Pick<ParsedMail, "from" | "reply_to">) {
  const own = organisationOf(domainOf(from[0]?.address ?? ""));
  return reply_to
    .slice(0, MAX_ADDRESSES)
    .find(({ address }) => address !== "" && organisationOf(domainOf(address)) !== own);
}
