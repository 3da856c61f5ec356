import type { Options } from "../catalogue/options.ts";
import { asciiLowerCase, canonicalAddress, canonicalDomain } from "../model/address.ts";

/** What is known of the domains that this service receives mail for. */
interface OwnDomains {
  options: Pick<Options, "mail_domain">;
}

/** The domain of an address, in its canonical form; a malformed one in lower case. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return canonicalDomain(domain) ?? asciiLowerCase(domain);
}

/** The domain of this service that receives mail for an address; undefined when another service does. */
export function ourDomain(own: OwnDomains, address: string): string | undefined {
  const domain = domainOf(address);
  return isOurDomain(own, domain) ? domain : undefined;
}

/** Whether a domain is one of this service's. */
export const isOurDomain = ({ options }: OwnDomains, domain: string): boolean =>
  (canonicalDomain(domain) ?? domain) === domainOf(options.mail_domain);

/** Whether this service itself delivers mail to an address, if there is an inbox. */
export const isDeliveredHere = (own: OwnDomains, address: string): boolean =>
  ourDomain(own, address) !== undefined;

/**
 * Whether an address is outside this service: well-formed, and neither at its domain nor below. Only such an
 * address can be a person's who has a say, since no agent can have it as an inbox.
 */
export function isOutside({ options }: OwnDomains, address: string): boolean {
  const own = domainOf(options.mail_domain);
  const canonical = canonicalAddress(address);
  if (canonical === undefined) return false;
  const domain = domainOf(canonical);
  return domain !== own && !domain.endsWith(`.${own}`);
}

/** The address of a name at the domain that inboxes get unless they name another. */
export const addressAt = ({ options }: OwnDomains, name: string): string => `${name}@${options.mail_domain}`;
