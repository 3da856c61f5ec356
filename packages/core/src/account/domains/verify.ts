import type { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { selectorAfter } from "../../catalogue/selectors.ts";
import { customDomain } from "../../kernel/addresses/custom-domains.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { countOrFail } from "../../kernel/rate.ts";
import type { Work } from "../../kernel/work.ts";
import type { Domain, DomainRecord } from "../../model/domains.ts";
import { examine } from "./check.ts";
import { newKeyPair } from "./create.ts";
import { checkFree, checkSigns, newAttempt, nextCheck } from "./rules.ts";
import { domainNotFound, findDomain, showDomain } from "./show.ts";

const HOUR_MS = 3600_000;

/**
 * Begins to verify a domain anew, and looks at its records at once. Fails with `domain_taken`, `rate_limited`, and with
 * `owner_required` when mail for it would leave the account with nobody in charge.
 */
export async function verifyDomain(ctx: AccountContext, domain_id: string): Promise<z.input<typeof Domain>> {
  const { storage, account_id, now } = ctx;
  const found = await findDomain(ctx, domain_id);
  checkFree(await customDomain(storage, found.domain), account_id);
  const cap = { name: `verify:${account_id}`, max: LIMITS.verifications_per_hour, window_ms: HOUR_MS };
  await countOrFail(storage, cap, now);
  const begun = await ctx.transaction((work) => beginAnew(work, found.id, now));
  const examined = await examine(ctx, begun, async () => {});
  if (examined === undefined) throw domainNotFound(domain_id);
  const { domain, judged } = examined;
  if (judged.change.warnings?.some(({ code }) => code === "owner_at_domain"))
    throw fail("owner_required", {
      message: `Everybody in charge of the account has an address at ${domain.domain}: its mail would be delivered to inboxes here.`,
      fix: "Give somebody at another address authority first, or leave the MX record with your mail provider.",
    });
  return showDomain(domain);
}

/** Begins a verification in the caller's transaction: a job of its own takes the place of the one before. */
async function beginAnew(work: Work, id: string, now: Date): Promise<DomainRecord> {
  const [before] = await work.update("domains", { id }, { attempt: { add: 1 } });
  if (before === undefined) throw domainNotFound(id);
  const [begun = before] = await work.update("domains", { id }, newAttempt(before, now));
  await work.delete("jobs", { subject_id: id, kind: "domain.check" });
  // This call looks at once; the job goes on from there.
  const due_at = nextCheck({ ...begun, missing_since: null }, true, now) ?? now;
  work.job({ kind: "domain.check", subject_id: id, payload: { attempt: begun.attempt }, due_at });
  return begun;
}

/**
 * Makes the next DKIM key of a domain: it signs once its record is seen. Repeating the request meanwhile changes
 * nothing. Fails with `domain_not_verified`.
 */
export async function rotateDkim(ctx: AccountContext, domain_id: string): Promise<z.input<typeof Domain>> {
  const found = await findDomain(ctx, domain_id);
  checkSigns(found);
  if (found.next_dkim_selector !== null) return showDomain(found);
  const { dkim_public_key, sealed_dkim_key } = await newKeyPair(ctx, ctx.storage);
  const { id, dkim_selector } = found;
  const begun = await ctx.transaction(async (work) => {
    const [held] = await work.update(
      "domains",
      { id, dkim_selector, next_dkim_selector: null },
      {
        next_dkim_selector: selectorAfter(dkim_selector),
        next_dkim_public_key: dkim_public_key,
        sealed_next_dkim_key: sealed_dkim_key,
      },
    );
    return held === undefined ? undefined : beginAnew(work, id, ctx.now);
  });
  if (begun === undefined) return showDomain(await findDomain(ctx, id));
  const examined = await examine(ctx, begun, async () => {});
  if (examined === undefined) throw domainNotFound(domain_id);
  return showDomain(examined.domain);
}
