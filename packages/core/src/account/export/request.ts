import type { z } from "zod";
import { LIMITS } from "../../catalogue/limits.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { countOrFail } from "../../kernel/rate.ts";
import type { AccountExport, ExportRecord } from "../../model/exports.ts";
import { iso } from "../../model/fields.ts";
import { askerOf, exportsCap, isReachable } from "./rules.ts";

/**
 * Requests an export of the caller's account, which a job makes. Returns the caller's export in progress if there is
 * one. Fails with `rate_limited`.
 */
export function requestExport(ctx: AccountContext): Promise<ExportRecord> {
  const { account_id, caller, makeId, now } = ctx;
  const asked_by = askerOf(caller);
  const wanted: ExportRecord = {
    ...{ id: makeId("exp"), account_id, asked_by, pending_for: asked_by, status: "pending" },
    held_content: caller.type === "owner",
    ...{ size_bytes: null, created_at: iso(now), ready_at: null },
    expires_at: iso(new Date(now.getTime() + LIMITS.export_kept_ms)),
  };
  return ctx.transaction(async (work) => {
    // One that was ended while it was made stands in nobody's way.
    await work.update(
      "exports",
      { account_id, pending_for: asked_by, expires_at: { lte: iso(now) } },
      { pending_for: null, status: "failed" },
    );
    const { record, inserted } = await work.insert("exports", wanted);
    if (!inserted) return record;
    const root = await rootAccount(work, account_id);
    await countOrFail(work, exportsCap(caller, root?.id ?? account_id), now);
    work.job({ kind: "account.export", subject_id: record.id });
    return record;
  });
}

/** An export that the caller asked for. Fails with `export_not_found`. */
export async function findExport(
  { storage, caller, now }: Pick<AccountContext, "storage" | "caller" | "now">,
  export_id: string,
): Promise<ExportRecord> {
  const found = await storage.get("exports", export_id);
  if (found === undefined || !isReachable(found, caller, now))
    throw notFound("export_not_found", "exp", export_id);
  return found;
}

/** An export as it is shown. */
export const showExport = (
  found: ExportRecord,
  { baseUrl }: Pick<AccountContext["options"], "baseUrl">,
): z.input<typeof AccountExport> => ({
  ...found,
  url: found.status === "ready" ? `${baseUrl}/api/v1/account/export/${found.id}/download` : null,
});
