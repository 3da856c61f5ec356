import { isIP } from "node:net";
import { getPublicSuffix } from "tldts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { canonicalDomain } from "../../../model/address.ts";

/**
 * A domain that somebody wants to use, in A-labels and lower case; else a sentence about why it can't be one.
 */
export function checkDomainName(text: string, mail_domain: string): { domain: string } | { refusal: string } {
  const given = text.trim().replace(/\.$/, "");
  if (given.length > LIMITS.dns_name_chars || /[/:@\s]/.test(given.replace(/^\[.*\]$/s, "")))
    return { refusal: "Send the name of a domain alone, such as example.com: no address, link or space." };
  if (/^\[.*\]$/s.test(given) || isIP(given) !== 0)
    return { refusal: "An IP address can't be used as a domain; send a name such as example.com." };
  const domain = canonicalDomain(given);
  if (domain === undefined)
    return {
      refusal:
        "The domain isn't a valid name: use letters, digits and hyphens, with dots between, such as example.com.",
    };
  if (domain.length > LIMITS.custom_domain_chars)
    return {
      refusal: `The domain is longer than ${LIMITS.custom_domain_chars} characters, so that the names of its records don't fit.`,
    };
  if (domain === mail_domain || domain.endsWith(`.${mail_domain}`))
    return {
      refusal: `${mail_domain} and the names below it are this service's own; use a domain of yours.`,
    };
  if (getPublicSuffix(domain, { allowPrivateDomains: true, validateHostname: false }) === domain)
    return {
      refusal: `${domain} is a public suffix, below which anybody may register; send your domain below it.`,
    };
  return { domain };
}
