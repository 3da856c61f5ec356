import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { AccountContext, Services } from "../../kernel/context.ts";
import { SAFETY_HEADERS } from "../../mail/attachments.ts";
import type { StreamedDownload } from "../../model/attachments.ts";
import type { ExportPartRecord, ExportRecord } from "../../model/exports.ts";

const PARTS_AT_ONCE = 100;

/**
 * The zip of an export, read piece by piece as it is sent. It takes one of the caller's places for streams. Fails with
 * `export_not_ready`, and with `rate_limited` when the caller has no place left.
 */
export async function downloadExport(ctx: AccountContext, found: ExportRecord): Promise<StreamedDownload> {
  if (found.status !== "ready") throw fail("export_not_ready");
  const { caller, now } = ctx;
  const until = now.getTime() + LIMITS.export_kept_ms;
  const root = await rootAccount(ctx.storage, caller.account_id);
  const who = { caller, root_id: root?.id ?? caller.account_id };
  const leave = ctx.waitingPlaces.take(who, "stream", now.getTime(), until);
  return {
    stream: bytesOf(ctx, found.id, leave),
    headers: {
      ...SAFETY_HEADERS,
      "Content-Type": "application/zip",
      "Content-Length": String(found.size_bytes),
      "Content-Disposition": `attachment; filename="${found.account_id}.zip"`,
    },
  };
}

async function* bytesOf(
  { storage, blobs }: Pick<Services, "storage" | "blobs">,
  export_id: string,
  leave: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const { hash } of partsOf(storage, export_id)) {
      const bytes = await blobs.get(hash);
      // It was deleted meanwhile: the download breaks off, short of its length.
      if (bytes === undefined) throw fail("export_not_found");
      yield bytes;
    }
  } finally {
    leave();
  }
}

async function* partsOf(storage: Services["storage"], export_id: string): AsyncGenerator<ExportPartRecord> {
  for (let after = -1; ; ) {
    const parts = await storage.find("export_parts", {
      where: { export_id, number: { gt: after } },
      order: { by: "number", direction: "asc" },
      limit: PARTS_AT_ONCE,
    });
    yield* parts;
    const last = parts.at(-1);
    if (last === undefined || parts.length < PARTS_AT_ONCE) return;
    after = last.number;
  }
}
