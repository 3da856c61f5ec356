import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ExportId } from "../../catalogue/id-inputs.ts";
import type { AccountCaller } from "../../kernel/access/caller.ts";
import { operation } from "../../kernel/operation.ts";
import { StreamedDownload } from "../../model/attachments.ts";
import { AccountExport } from "../../model/exports.ts";
import { downloadExport } from "./download.ts";
import { findExport, requestExport, showExport } from "./request.ts";
import { mayExport } from "./rules.ts";

/** Checks that the caller may have all of the account. Fails with `permission_denied`. */
function authorize(caller: AccountCaller): void {
  if (!mayExport(caller))
    throw fail("permission_denied", {
      message:
        "An export holds all of the account: it needs a key with all permissions, or an account owner.",
    });
}

/** The properties common to the export operations. */
const OF_ACCOUNT = { scope: "account", allow: "any", while_suspended: true, authorize } as const;

/** The operations on exports of an account, for keys with all permissions and for account owners. */
export const exports = {
  create: operation({
    ...OF_ACCOUNT,
    summary:
      "Begins to make a zip of all that the account has, or shows the one that is being made for the caller.",
    when: "Take the account's mail and records along, or keep a copy of them.",
    errors: ["rate_limited"],
    effect: "write",
    input: z.object({}),
    output: AccountExport,
    run: async (ctx) => showExport(await requestExport(ctx), ctx.options),
  }),

  get: operation({
    ...OF_ACCOUNT,
    summary: "Shows an export that the caller asked for: whether it is ready, and where it is.",
    when: "See whether the zip is ready.",
    errors: ["export_not_found"],
    effect: "read",
    input: z.object({ export_id: ExportId }),
    output: AccountExport,
    run: async (ctx, { export_id }) => showExport(await findExport(ctx, export_id), ctx.options),
  }),

  download: operation({
    ...OF_ACCOUNT,
    summary:
      "Downloads the zip of an export that the caller asked for: JSON Lines of each kind of record, mail as mbox, attachments.",
    when: "Get the account's mail and records as a file.",
    errors: ["export_not_found", "export_not_ready", "rate_limited"],
    effect: "read",
    answers: "file",
    input: z.object({ export_id: ExportId }),
    output: StreamedDownload,
    run: async (ctx, { export_id }) => downloadExport(ctx, await findExport(ctx, export_id)),
  }),
};
