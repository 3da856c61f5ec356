import type { z } from "zod";
import type { AccountContext } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import type { AccountExport, ExportRecord } from "../model/exports.ts";
import { isReachable } from "./rules.ts";

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
  { base_url }: Pick<AccountContext["options"], "base_url">,
): z.input<typeof AccountExport> => ({
  ...found,
  url: found.status === "ready" ? `${base_url}/api/v1/account/export/${found.id}/download` : null,
});
