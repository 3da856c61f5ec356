import type { Work } from "../kernel/work.ts";
import { scheduleBlobCollection } from "./collect-blobs.ts";

/** Pieces of an export that one transaction deletes. */
const PARTS_PER_STEP = 200;

/**
 * Deletes some pieces of an export's zip; their bytes are collected later unless something else uses them. Returns
 * whether there may be more.
 */
export async function eraseExportParts(work: Work, export_id: string, now: Date): Promise<boolean> {
  const parts = await work.find("export_parts", {
    where: { export_id },
    order: { by: "number", direction: "asc" },
    limit: PARTS_PER_STEP,
  });
  if (parts.length === 0) return false;
  const hashes = parts.map(({ hash }) => hash);
  await work.delete("export_parts", { export_id, number: { in: parts.map(({ number }) => number) } });
  await work.delete("blob_uses", { hash: { in: hashes }, message_id: export_id });
  scheduleBlobCollection(work, hashes, now);
  return parts.length === PARTS_PER_STEP;
}

/**
 * Deletes an export, or some of its pieces if it has many, and returns whether there may be more. One that is being
 * made stops: nothing is added to it any more.
 */
export async function eraseExport(work: Work, export_id: string, now: Date): Promise<boolean> {
  await work.update("exports", { id: export_id }, { status: "failed", pending_for: null });
  if (await eraseExportParts(work, export_id, now)) return true;
  await work.delete("exports", { id: export_id });
  await work.delete("jobs", { subject_id: export_id });
  return false;
}
