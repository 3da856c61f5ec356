import type { z } from "zod";
import { isId } from "../../catalogue/ids.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { Domain, type DomainRecord } from "../../model/domains.ts";
import { shownBy } from "../../model/fields.ts";

/** A domain of the caller's account. Fails with `domain_not_found`. */
export async function findDomain(
  { storage, account_id }: Pick<AccountContext, "storage" | "account_id">,
  domain_id: string,
): Promise<DomainRecord> {
  const domain = isId("dom", domain_id) ? await storage.get("domains", domain_id) : undefined;
  if (domain?.account_id !== account_id) throw domainNotFound(domain_id);
  return domain;
}

/** `domain_not_found`, which tells a mistyped id from an unknown one. */
export const domainNotFound = (domain_id: string): Error => notFound("domain_not_found", "dom", domain_id);

const fieldsOf = shownBy(Domain.omit({ object: true, idempotent: true }));

const shown = (domain: DomainRecord) => {
  const { mail, receiving_from } = domain;
  return fieldsOf({ ...domain, mail: { ...mail, receiving_from } });
};

/** A domain as it is shown: nothing that is sealed. */
export const showDomain = (domain: DomainRecord): z.input<typeof Domain> => shown(domain);

/** A domain as an event has it. */
export const domainInEvent = (domain: DomainRecord) => ({ object: "domain" as const, ...shown(domain) });
