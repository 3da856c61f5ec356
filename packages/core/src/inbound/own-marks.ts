import type { Services } from "../kernel/context.ts";
import { domainOf } from "../kernel/mail-domain.ts";
import type { SenderAuthentication } from "../mail/sender/authentication.ts";
import type { OwnMarks } from "../mail/sender/proof.ts";
import type { DomainRecord } from "../model/domains.ts";
import type { SenderFacts } from "../model/sender-facts.ts";

/**
 * What of a mail's checks this service itself could have brought about: all at MAIL_DOMAIN; at a custom domain
 * its own keys there, and envelopes at the name that bounces come back to. The domain's owner may have others.
 */
export function ownMarks(
  services: Pick<Services, "storage" | "cachedRead" | "options">,
  { spf }: Pick<SenderFacts, "spf">,
  { aligned_signatures }: Pick<SenderAuthentication, "aligned_signatures">,
): OwnMarks | Promise<OwnMarks> {
  const sender = domainOf(spf.domain ?? "");
  const names = new Set([
    sender.slice(sender.indexOf(".") + 1),
    ...aligned_signatures.map(({ domain }) => domainOf(domain)),
  ]);
  const found = Array.from(names, (name) => cachedDomain(services, name));
  const own = domainOf(services.options.mail_domain);
  return found.some((each) => each instanceof Promise)
    ? Promise.all(found.map(async (each) => each)).then((read) => marksOfDomains(own, read))
    : marksOfDomains(own, found as Found[]);
}

function marksOfDomains(own: string, found: readonly (Found | undefined)[]): OwnMarks {
  const custom = found.flatMap((each) => each?.domain ?? []);
  return {
    domains: [own, ...custom.map(({ domain, mail_from_subdomain }) => `${mail_from_subdomain}.${domain}`)],
    keys: custom.flatMap(keysOf),
  };
}

interface Found {
  domain: DomainRecord | undefined;
}

/** The custom domain of this name, from the cache: most mail comes from few domains, which are none. */
const cachedDomain = ({ storage, cachedRead }: Pick<Services, "storage" | "cachedRead">, name: string) =>
  cachedRead<Found>(`custom domain ${name}`, ["proven_domains", "domains"], async () => {
    const [, domain] = await storage.follow("proven_domains", name, [["domain_id", "domains"]]);
    return { domain };
  });

const keysOf = (domain: DomainRecord): OwnMarks["keys"] =>
  [domain.dkim_selector, domain.next_dkim_selector, domain.previous_dkim_selector]
    .filter((selector) => selector !== null)
    .map((selector) => ({ domain: domain.domain, selector }));
