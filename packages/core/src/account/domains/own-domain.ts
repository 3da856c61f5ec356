import { domainOf } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import type { DnsRecord, DomainWarning } from "../../model/domain-records.ts";
import { examineRecords } from "./dns/examine.ts";
import { type PublishedKey, serviceRecords } from "./dns/wanted.ts";

/** The DNS state of the service's own domain. */
export interface OwnDomain {
  domain: string;
  /** MX, SPF, DKIM and DMARC, each with the records found and the remedy. */
  records: DnsRecord[];
  warnings: DomainWarning[];
}

/**
 * Looks up the records that MAIL_DOMAIN needs, as those of custom domains are, except that nobody has to prove that
 * it is ours. `dkim` is its key to publish. Never fails: what can't be looked up is a warning.
 */
export async function examineOwnDomain(
  { dns, clock, options }: Pick<Services, "dns" | "clock" | "options">,
  dkim: PublishedKey,
): Promise<OwnDomain> {
  const mail_domain = domainOf(options.mailDomain);
  const wanted = serviceRecords({ mail_domain, dkim });
  const { records, warnings } = await examineRecords(dns, {
    domain: mail_domain,
    mail_domain,
    wanted,
    clock,
  });
  return { domain: mail_domain, records, warnings };
}
