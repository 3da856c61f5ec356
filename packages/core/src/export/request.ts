import { LIMITS } from "../catalogue/limits.ts";
import type { AccountContext } from "../kernel/context.ts";
import { countOrFail } from "../kernel/rate.ts";
import type { ExportRecord } from "../model/exports.ts";
import { iso } from "../model/fields.ts";
import { askerOf, exportsCap } from "./rules.ts";

/**
 * Asks for an export of the caller's account, which a job makes. While one is under way for the caller, it is that
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
    await countOrFail(work, exportsCap(caller), now);
    work.job({ kind: "account.export", subject_id: record.id });
    return record;
  });
}
