import type { z } from "zod";
import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { firstSelector } from "../../catalogue/selectors.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import { customDomain } from "../../kernel/addresses/custom-domains.ts";
import { publicHalf, rememberKeys } from "../../kernel/addresses/known-keys.ts";
import type { AccountContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { countedSoFar, countOrFail } from "../../kernel/rate.ts";
import { takeFromPlan } from "../../limits/plans/index.ts";
import type { DnsAccess } from "../../model/dns-access.ts";
import type { DnsInput, Domain, DomainRecord } from "../../model/domains.ts";
import { iso } from "../../model/fields.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import { checkDomainName } from "./dns/name.ts";
import { openZone } from "./publish.ts";
import { checkFree, NO_NEXT, newAttempt } from "./rules.ts";
import { showDomain } from "./show.ts";
import { wantedOf } from "./wants.ts";

const HOUR_MS = 3600_000;

/** The request for a new domain. */
export interface DomainRequest {
  domain: string;
  client_id?: string | undefined;
  dns: DnsInput;
  mail_from_subdomain: string;
  workspace_ids: string[];
}

/**
 * Adds a domain with a key of its own, and begins to verify it. Asked for again, the account's domain of that name is
 * returned. Fails with `invalid_domain`, `domain_taken`, `plan_limit_exceeded`, `workspace_not_found`, `rate_limited`
 * or as the provider of its DNS does.
 */
export async function createDomain(
  ctx: AccountContext,
  asked: DomainRequest,
): Promise<z.input<typeof Domain>> {
  const { storage, account_id, now } = ctx;
  const domain = readName(ctx, asked.domain);
  const dns = dnsOf(ctx, domain, asked.dns);
  await checkWorkspaces(ctx, asked.workspace_ids);
  checkFree(await customDomain(storage, domain), account_id);
  const [known] = await storage.find("domains", { where: { account_id, domain }, limit: 1 });
  if (known !== undefined)
    return answerInTransaction(ctx, async () => ({ ...showDomain(known), idempotent: true }));
  const root = await rootAccount(storage, account_id);
  const cap = { name: `domains:${root?.id ?? account_id}`, max: LIMITS.domains_per_hour, window_ms: HOUR_MS };
  // Making a key takes time: callers that may add no more domains fail before that.
  if ((await countedSoFar(storage, cap, now)) >= cap.max) await countOrFail(storage, cap, now);

  const id = ctx.makeId("dom");
  const { dkim_public_key, sealed_dkim_key } = await newKeyPair(ctx, storage);
  const wanted: DomainRecord = {
    ...{ id, account_id, domain, client_id: asked.client_id ?? null, ...dns },
    ...{ mail_from_subdomain: asked.mail_from_subdomain, workspace_ids: asked.workspace_ids },
    ...{ dkim_selector: firstSelector(id), dkim_public_key, sealed_dkim_key, ...NO_NEXT },
    ...{ previous_dkim_selector: null, previous_dkim_public_key: null, previous_dkim_until: null },
    ...{ mail: { receiving: false, sending: false }, receiving_from: null, warnings: [], records: [] },
    ...{ checked_at: null, created_at: iso(now), verified_at: null, attempt: 1 },
    ...{ missing_since: null, ownership_missing_since: null },
    ...newAttempt({ status: "pending" }, now),
  };
  wanted.records = wantedOf(ctx, wanted).map((record) => ({
    ...record,
    ...{ status: "missing" as const, found: [], hint: null },
  }));
  return answerInTransaction(ctx, async (work) => {
    const { record, inserted } = await work.insert("domains", wanted);
    if (!inserted) return { ...showDomain(record), idempotent: true };
    await countOrFail(work, cap, now);
    await takeFromPlan(ctx, work, account_id, "custom_domains", 1, now);
    work.job({ kind: "domain.check", subject_id: id, payload: { attempt: wanted.attempt } });
    return showDomain(record);
  });
}

function readName({ options }: Pick<Services, "options">, text: string): string {
  const read = checkDomainName(text, options.mailDomain);
  if ("domain" in read) return read.domain;
  throw fail("invalid_domain", { message: read.refusal, param: "domain" });
}

/**
 * Returns who maintains a domain's DNS records, with the credentials encrypted. Fails with
 * `dns_provider_unavailable`, `dns_zone_mismatch` or `invalid_dns_credentials`.
 */
export function dnsOf(
  services: Pick<Services, "dnsZones" | "seal">,
  domain: string,
  dns: DnsInput,
): Pick<DomainRecord, "dns" | "sealed_dns_access"> {
  if (dns.mode === "manual")
    return { dns: { mode: "manual", provider: null, last_error: null }, sealed_dns_access: null };
  const { mode, ...access } = dns;
  checkZone(services, { ...access, domain });
  return {
    dns: { mode, provider: access.provider, last_error: null },
    sealed_dns_access: services.seal.seal(JSON.stringify(access)),
  };
}

/** Fails as `openZone` does; the error names the field. */
function checkZone(services: Pick<Services, "dnsZones">, access: DnsAccess): void {
  try {
    openZone(services, access);
  } catch (error) {
    if (!(error instanceof LetterslotError)) throw error;
    const { code, message, fix, param = "dns" } = error;
    throw fail(code, { param, message, fix, cause: error });
  }
}

/** Checks that workspaces are the caller's account's. Fails with `workspace_not_found`. */
export async function checkWorkspaces(
  { storage, account_id }: { storage: Pick<StorageReader, "find">; account_id: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await storage.find("workspaces", { where: { id: { in: ids } }, limit: ids.length });
  const own = new Set(found.filter((each) => each.parent_account_id === account_id).map(({ id }) => id));
  const other = ids.find((id) => !own.has(id));
  if (other !== undefined) throw notFound("workspace_not_found", "wsp", other);
}

/**
 * Returns a new DKIM key: the public half in the form of its DNS record, the private half encrypted. It is remembered
 * as the service's own before anything is signed with it.
 */
export async function newKeyPair(
  { seal, newDkimKey }: Pick<Services, "seal" | "newDkimKey">,
  writer: Pick<StorageWriter, "insert">,
): Promise<Pick<DomainRecord, "dkim_public_key" | "sealed_dkim_key">> {
  const private_key = await newDkimKey();
  const dkim_public_key = publicHalf(private_key);
  await rememberKeys(writer, [dkim_public_key]);
  return { dkim_public_key, sealed_dkim_key: seal.seal(private_key) };
}
