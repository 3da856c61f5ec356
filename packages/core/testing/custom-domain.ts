import { publicHalf, rememberKeys } from "../src/kernel/addresses/known-keys.ts";
import type { Services } from "../src/kernel/context.ts";
import type { DomainRecord } from "../src/model/domains.ts";

/** A custom domain as it is once an account has proven it, with all of its records found. */
export async function provenDomain(
  { storage, seal, makeId, clock }: Pick<Services, "storage" | "seal" | "makeId" | "clock">,
  account_id: string,
  change: Pick<DomainRecord, "domain"> & Partial<DomainRecord> & { private_key?: string },
): Promise<DomainRecord> {
  const { private_key, ...changed } = change;
  const dkim_public_key = private_key === undefined ? "" : publicHalf(private_key);
  const now = clock.now().toISOString();
  const id = makeId("dom");
  const { domain } = change;
  const domain_record: DomainRecord = {
    id,
    account_id,
    status: "verified",
    records: [
      {
        purpose: "return_path",
        type: "CNAME",
        name: `ls-bounce.${domain}`,
        value: "letterslot.localhost",
        priority: null,
        required: false,
        status: "valid",
        found: ["letterslot.localhost"],
        hint: null,
      },
    ],
    dns: { mode: "manual", provider: null, last_error: null },
    mail: { receiving: true, sending: true },
    receiving_from: null,
    warnings: [],
    mail_from_subdomain: "ls-bounce",
    workspace_ids: [],
    client_id: null,
    checked_at: now,
    next_check_at: null,
    created_at: now,
    verified_at: now,
    dkim_selector: `ls-${id.slice(-6)}`,
    dkim_public_key,
    sealed_dkim_key: seal.seal(private_key ?? "a key that signs nothing"),
    next_dkim_selector: null,
    next_dkim_public_key: null,
    sealed_next_dkim_key: null,
    previous_dkim_selector: null,
    previous_dkim_public_key: null,
    previous_dkim_until: null,
    sealed_dns_access: null,
    attempt_started_at: now,
    attempt: 1,
    missing_since: null,
    ownership_missing_since: null,
    ...changed,
  };
  if (private_key !== undefined) await rememberKeys(storage, [dkim_public_key]);
  await storage.insert("domains", domain_record);
  await storage.insert("proven_domains", { domain, domain_id: id, account_id, proven_at: now });
  return domain_record;
}
