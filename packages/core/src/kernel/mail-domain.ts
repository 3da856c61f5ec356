import type { Options } from "../catalogue/options.ts";

/** What is known of the domains that this service receives mail for. */
interface OwnDomains {
  options: Pick<Options, "mail_domain">;
}

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** The domain of this service that receives mail for an address; undefined when another service does. */
export function ourDomain({ options }: OwnDomains, address: string): string | undefined {
  const domain = domainOf(address);
  return isOurDomain({ options }, domain) ? domain : undefined;
}

/** Whether a domain is one of this service's. */
export const isOurDomain = ({ options }: OwnDomains, domain: string): boolean =>
  domain.toLowerCase() === options.mail_domain;

/** Whether an address is outside this service, so that no agent can have it as an inbox. */
export const isOutside = (own: OwnDomains, address: string): boolean => ourDomain(own, address) === undefined;

/** The address of a name at the domain that inboxes get unless they name another. */
export const addressAt = ({ options }: OwnDomains, name: string): string => `${name}@${options.mail_domain}`;
