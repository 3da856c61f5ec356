import { domainOf } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import type { SenderAuthentication } from "../../../mail/sender/authentication.ts";
import type { OwnMarks } from "../../../mail/sender/proof.ts";
import type { DomainRecord } from "../../../model/domains.ts";
import type { SenderFacts } from "../../../model/sender-facts.ts";

/**
 * Returns which of a mail's checks this service itself could have made pass: everything at MAIL_DOMAIN; at a custom
 * domain, envelopes at its bounce subdomain; and anywhere, signatures with a key that is or ever was the service's
 * own. The domain's owner may have other keys.
 */
export async function ownMarks(
  services: Pick<Services, "storage" | "cachedRead" | "options">,
  { spf }: Pick<SenderFacts, "spf">,
  { aligned_signatures }: Pick<SenderAuthentication, "aligned_signatures">,
  asked?: EnvelopeDomain,
): Promise<OwnMarks> {
  const name = parentOf(spf.domain ?? "");
  const hashes = new Set(aligned_signatures.flatMap(({ key_hash }) => key_hash ?? []));
  const found = await Promise.all([
    asked?.name === name ? asked.found : cachedDomain(services, name),
    ...Array.from(hashes, (hash) => cachedKey(services, hash)),
  ]);
  const own = domainOf(services.options.mailDomain);
  const custom = found.flatMap((each) => each?.domain ?? []);
  return {
    domains: [own, ...custom.map(({ domain, mail_from_subdomain }) => `${mail_from_subdomain}.${domain}`)],
    keys: found.flatMap((each) => each?.key ?? []),
  };
}

/** The custom domain that an envelope may be of. */
export interface EnvelopeDomain {
  name: string;
  found: Promise<Found | undefined>;
}

/** Looks up the custom domain that `ownMarks` will ask for, before it is known what SPF says of the envelope. */
export function lookUpEnvelopeDomain(
  services: Pick<Services, "storage" | "cachedRead">,
  { mail_from, helo }: { mail_from: string; helo: string | null },
): EnvelopeDomain {
  const name = parentOf(mail_from === "" ? (helo ?? "") : mail_from);
  const found = Promise.resolve(cachedDomain(services, name));
  // Whoever uses it learns of a failure; a mail that is refused doesn't.
  found.catch(() => undefined);
  return { name, found };
}

/** The domain above that of an address, or above a domain. */
function parentOf(address: string): string {
  const domain = domainOf(address);
  return domain.slice(domain.indexOf(".") + 1);
}

/** The result of a look-up; most mail has neither. */
interface Found {
  domain?: DomainRecord | undefined;
  /** The hash of a key of the service. */
  key?: string | undefined;
}

/**
 * Returns the custom domain of this name, from the cache: most mail comes from a few domains, none of them custom
 * domains.
 */
const cachedDomain = ({ storage, cachedRead }: Pick<Services, "storage" | "cachedRead">, name: string) =>
  cachedRead<Found>(`custom domain ${name}`, ["proven_domains", "domains"], async () => {
    const [, domain] = await storage.follow("proven_domains", name, [["domain_id", "domains"]]);
    return { domain };
  });

const cachedKey = ({ storage, cachedRead }: Pick<Services, "storage" | "cachedRead">, hash: string) =>
  cachedRead<Found>(`known key ${hash}`, ["known_keys"], async () => {
    const known = await storage.get("known_keys", hash);
    return { key: known?.hash };
  });
