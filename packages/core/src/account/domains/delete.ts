import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdAddressesAt } from "../../kernel/addresses/address-registry.ts";
import { leaveZone } from "../../kernel/addresses/custom-domains.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { giveBackToPlan } from "../../limits/plans/index.ts";
import type { DomainRecord } from "../../model/domains.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { endInbox } from "../inboxes/close.ts";
import { checkMayEnd } from "../inboxes/held-deletion.ts";
import { CLEARING_MS, unpublish } from "./publish.ts";
import { domainNotFound } from "./show.ts";

/** The number of inboxes read, and closed in one transaction, so that other writers get their turn. */
const INBOXES_PER_STEP = 50;

/**
 * Deletes a domain and the records that the service wrote to its zone, with retries for a day. With `delete_inboxes`
 * its inboxes are deleted first, including those of workspaces, or none of them if one needs an approval. Fails with
 * `domain_in_use` or `approval_required`.
 */
export async function deleteDomain(ctx: AccountContext, domain: DomainRecord, delete_inboxes: boolean) {
  const inboxes_deleted = delete_inboxes ? await deleteInboxes(ctx, domain) : 0;
  const { id } = domain;
  const written = await ctx.transaction(async (work) => {
    // Writing the row blocks concurrent creations of inboxes there, which then find no domain.
    const [held] = await work.update("domains", { id }, { attempt: { add: 1 } });
    if (held === undefined) throw domainNotFound(id);
    const [inbox] = await inboxesAt(work, held, "");
    if (inbox !== undefined) throw fail("domain_in_use", { param: "delete_inboxes" });
    const noted = await leaveZone(work, held, new Date(ctx.now.getTime() + CLEARING_MS));
    await work.delete("proven_domains", { domain: held.domain, domain_id: id });
    await work.delete("domains", { id });
    await holdAddressesAt(work, held.domain, ctx.now);
    await giveBackToPlan(work, held.account_id, "custom_domains", 1);
    return noted;
  });
  const { removed, errors } = await unpublish(ctx, domain, written);
  if (errors.length === 0) await ctx.storage.delete("jobs", { kind: "domain.clear", subject_id: id });
  return {
    id,
    inboxes_deleted,
    dns_cleanup: {
      removed: removed.map(({ type, name, value }) => ({ type, name, value })),
      errors: errors.map(({ record: { type, name, value }, ...error }) => ({ type, name, value, ...error })),
    },
  };
}

async function deleteInboxes(ctx: AccountContext, domain: DomainRecord): Promise<number> {
  const inboxes: InboxRecord[] = [];
  for (let page = await inboxesAt(ctx.storage, domain, ""); page.length > 0; ) {
    inboxes.push(...page);
    page = await inboxesAt(ctx.storage, domain, page.at(-1)?.id ?? "");
  }
  await checkMayEnd(ctx, ctx.storage, inboxes, "delete_inboxes");
  let deleted = 0;
  for (let at = 0; at < inboxes.length; at += INBOXES_PER_STEP)
    deleted += await ctx.transaction(async (work) => {
      const ids = inboxes.slice(at, at + INBOXES_PER_STEP).map(({ id }) => id);
      const step = await work.find("inboxes", { where: { id: { in: ids } }, limit: ids.length });
      await checkMayEnd(ctx, work, step, "delete_inboxes");
      for (const inbox of step) await endInbox(work, inbox, ctx.now);
      return step.length;
    });
  return deleted;
}

/** Some inboxes at a domain, of its account and of its workspaces, in order of their ids. */
async function inboxesAt(
  reader: Pick<StorageReader, "find">,
  { account_id, domain, workspace_ids }: DomainRecord,
  after: string,
): Promise<InboxRecord[]> {
  const accounts = [account_id, ...(await accountsOf(reader, workspace_ids))];
  const found: InboxRecord[] = [];
  for (const each of accounts) found.push(...(await inboxesOf(reader, each, domain, after)));
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, INBOXES_PER_STEP);
}

const inboxesOf = (reader: Pick<StorageReader, "find">, account_id: string, domain: string, after: string) =>
  reader.find("inboxes", {
    where: { account_id, domain, id: { gt: after } },
    order: { by: "id", direction: "asc" },
    limit: INBOXES_PER_STEP,
  });

async function accountsOf(reader: Pick<StorageReader, "find">, ids: readonly string[]): Promise<string[]> {
  const found = await reader.find("workspaces", {
    where: { id: { in: ids } },
    limit: LIMITS.domain_workspaces,
  });
  return found.map(({ account_id }) => account_id);
}

/** Fails with `domain_in_use` when one of these workspaces has inboxes at a domain. */
export async function checkUnused(
  reader: Pick<StorageReader, "find">,
  domain: string,
  workspace_ids: readonly string[],
): Promise<void> {
  for (const account_id of await accountsOf(reader, workspace_ids)) {
    const [inbox] = await inboxesOf(reader, account_id, domain, "");
    if (inbox !== undefined) throw fail("domain_in_use", { param: "workspace_ids" });
  }
}
