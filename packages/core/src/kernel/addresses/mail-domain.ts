import type { Options } from "../../catalogue/options.ts";
import { asciiLowerCase, canonicalDomain } from "../../model/address.ts";

/** The domains that this service receives mail for. */
interface OwnDomains {
  options: Pick<Options, "mailDomain">;
}

/** The domain of an address, in its canonical form; a malformed one in lower case. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return canonicalDomain(domain) ?? asciiLowerCase(domain);
}

/** Returns the domain of this service that receives mail for an address; undefined when another service does. */
export function ourDomain(own: OwnDomains, address: string): string | undefined {
  const domain = domainOf(address);
  return isOurDomain(own, domain) ? domain : undefined;
}

/** Whether a domain is one of this service's. */
export const isOurDomain = ({ options }: OwnDomains, domain: string): boolean =>
  (canonicalDomain(domain) ?? domain) === domainOf(options.mailDomain);

/** The address of a name at the domain that inboxes get unless they name another. */
export const addressAt = ({ options }: OwnDomains, name: string): string => `${name}@${options.mailDomain}`;
