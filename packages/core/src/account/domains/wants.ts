import type { Services } from "../../kernel/context.ts";
import type { WantedRecord } from "../../model/domain-records.ts";
import type { DomainRecord } from "../../model/domains.ts";
import { dkimValue, ownershipValue, wantedRecords } from "./dns/wanted.ts";

/** Returns the records that a domain wants now, including those of its current and its next key. */
export function wantedOf({ options }: Pick<Services, "options">, domain: DomainRecord): WantedRecord[] {
  const { next_dkim_selector, next_dkim_public_key } = domain;
  return wanted(options, domain, [
    { selector: domain.dkim_selector, value: dkimValue(domain.dkim_public_key) },
    ...(next_dkim_selector === null || next_dkim_public_key === null
      ? []
      : [{ selector: next_dkim_selector, value: dkimValue(next_dkim_public_key) }]),
  ]);
}

/** Returns the same plus the record of the previous key, which stays in the DNS for a while. */
export function publishedOf(services: Pick<Services, "options">, domain: DomainRecord): WantedRecord[] {
  const { previous_dkim_selector, previous_dkim_public_key } = domain;
  const now = wantedOf(services, domain);
  if (previous_dkim_selector === null || previous_dkim_public_key === null) return now;
  const previous = { selector: previous_dkim_selector, value: dkimValue(previous_dkim_public_key) };
  const names = new Set(now.map(({ name }) => name));
  return [
    ...now,
    ...wanted(services.options, domain, [previous]).filter(
      ({ purpose, name }) => purpose === "dkim" && !names.has(name),
    ),
  ];
}

const wanted = (
  { mailDomain: mail_domain }: Services["options"],
  { account_id, domain, mail_from_subdomain: return_path }: DomainRecord,
  dkim: { selector: string; value: string }[],
): WantedRecord[] =>
  wantedRecords({ domain, mail_domain, ownership: ownershipValue(account_id, domain), dkim, return_path });
