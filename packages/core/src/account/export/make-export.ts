import { hash } from "node:crypto";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob, noteOnJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { freeSlot, takeSlot } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { eraseExport, eraseExportParts } from "../../mailbox/messages/index.ts";
import type { ExportRecord } from "../../model/exports.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Transaction } from "../../ports/storage.ts";
import { exportAccount } from "./export-account.ts";
import { isWanted, keyMayExport } from "./rules.ts";
import { zipOf } from "./zip.ts";

const SLOTS = "exports";
/** A slot outlives a pause of its holder, and is free again soon after its process has died. */
const SLOT_MS = 4 * LIMITS.job_lease_ms;
const WAIT_FOR_SLOT_MS = 5_000;

/**
 * Makes the zip of an export, one piece in memory at a time; `subject_id` is the export. A few are made at once; the
 * others wait. After a crash it starts again without the pieces of the earlier run, and it fails after the fifth
 * time. It stops when the export is ended meanwhile.
 */
export async function makeExport(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const wanted = await storage.get("exports", job.subject_id);
  const now = clock.now();
  if (wanted === undefined || !isWanted(wanted, now)) return endJob(storage, job);
  const tries = Number(job.payload["tries"] ?? 0);
  if (tries >= LIMITS.export_attempts || !(await mayHaveIt(services, wanted, now)))
    return failExport(services, job, wanted);

  const slot = await slotFor(services, wanted, now);
  if (slot === undefined) {
    const later = new Date(now.getTime() + WAIT_FOR_SLOT_MS);
    await postponeJob(storage, job, later);
    return services.queue.send(later);
  }
  try {
    const run = { ...job, payload: { tries: tries + 1 } };
    await noteOnJob(storage, job, run.payload);
    await dropParts(services, run, wanted);
    await finish(services, run, wanted, await storeZip(services, run, wanted, slot));
  } finally {
    await freeSlot(storage, slot, wanted.id);
  }
}

/** Whether the requester could still request it: a person's exports end with their authority, a key's with the key. */
async function mayHaveIt({ storage }: Services, { asked_by }: ExportRecord, now: Date): Promise<boolean> {
  return asked_by.includes("@") || keyMayExport(await storage.get("keys", asked_by), now);
}

/** Takes one of the slots for exports; a slot held by a crashed earlier run of the same export is reused. */
async function slotFor({ storage }: Services, { id }: ExportRecord, now: Date): Promise<string | undefined> {
  const names = Array.from({ length: LIMITS.exports_at_once }, (_, index) => `${SLOTS}:${index}`);
  await storage.delete("slots", { name: { in: names }, holder: id });
  const wanted = { name: SLOTS, slots: LIMITS.exports_at_once, holder: id, lease_ms: SLOT_MS };
  return takeSlot(storage, wanted, now);
}

/** Deletes the pieces that an earlier run left. */
async function dropParts(
  services: Services,
  job: JobRecord,
  { id, account_id }: ExportRecord,
): Promise<void> {
  const now = services.clock.now();
  const drop = () =>
    unitOfWork(services, account_id, now, async (work) => {
      await noteOnJob(work, job, job.payload);
      return eraseExportParts(work, id, now);
    });
  while (await drop());
}

/** Stores the zip in pieces; returns its size, or undefined when the export was ended meanwhile. */
async function storeZip(
  services: Services,
  job: JobRecord,
  wanted: ExportRecord,
  slot: string,
): Promise<number | undefined> {
  const { held_content, account_id } = wanted;
  const files = exportAccount(services, account_id, { held_content });
  const piece = Buffer.alloc(LIMITS.export_part_bytes);
  let filled = 0;
  let number = 0;
  const store = () => storePart(services, job, wanted, { number, slot, bytes: piece.subarray(0, filled) });
  for await (const bytes of zipOf(files, services.clock.now())) {
    for (let at = 0; at < bytes.length; ) {
      const more = bytes.subarray(at, at + piece.length - filled);
      piece.set(more, filled);
      filled += more.length;
      at += more.length;
      if (filled < piece.length) continue;
      if (!(await store())) return undefined;
      filled = 0;
      number++;
    }
  }
  return (await store()) ? number * piece.length + filled : undefined;
}

/**
 * Stores a piece, if this run still has the job and the export wasn't ended. It is noted before its bytes are stored,
 * so that a crash leaves no bytes that nothing knows of.
 */
async function storePart(
  services: Services,
  job: JobRecord,
  { id }: ExportRecord,
  { number, slot, bytes }: { number: number; slot: string; bytes: Uint8Array },
): Promise<boolean> {
  const now = services.clock.now();
  const named = hash("sha256", bytes, "hex");
  const expires_at = iso(new Date(now.getTime() + SLOT_MS));
  const noted = await services.storage.transaction(async (tx) => {
    await noteOnJob(tx, job, job.payload);
    if (!(await stillWanted(tx, id, now, {}))) return false;
    await tx.update("slots", { name: slot, holder: id }, { expires_at });
    tx.append("export_parts", [{ export_id: id, number, hash: named }]);
    // Pieces may be equal.
    await tx.insert("blob_uses", { hash: named, message_id: id });
    return true;
  });
  if (noted) await services.blobs.put(bytes);
  return noted;
}

/** Updates an export in progress, and returns whether it still is: a concurrent attempt to end it waits. */
async function stillWanted(
  tx: Transaction,
  id: string,
  now: Date,
  change: Partial<ExportRecord>,
): Promise<boolean> {
  const where = { id, status: "pending", expires_at: { gt: iso(now) } } as const;
  return (await tx.update("exports", where, { status: "pending", ...change })).length > 0;
}

async function finish(
  { storage, clock }: Services,
  job: JobRecord,
  { id }: ExportRecord,
  size_bytes: number | undefined,
): Promise<void> {
  const now = clock.now();
  const expires_at = iso(new Date(now.getTime() + LIMITS.export_kept_ms));
  const ready = { status: "ready", pending_for: null, size_bytes, ready_at: iso(now), expires_at } as const;
  await storage.transaction(async (tx) => {
    await endJob(tx, job);
    if (size_bytes !== undefined) await stillWanted(tx, id, now, { ...ready, size_bytes });
  });
}

async function failExport(services: Services, job: JobRecord, wanted: ExportRecord): Promise<void> {
  await dropParts(services, job, wanted);
  await services.storage.transaction(async (tx) => {
    await endJob(tx, job);
    await stillWanted(tx, wanted.id, services.clock.now(), { status: "failed", pending_for: null });
  });
}

const EXPORTS_AT_ONCE = 50;

/** Deletes exports whose time is over, with their zips; returns how many. */
export async function dropExpiredExports(services: Services, now: Date): Promise<number> {
  const expired = await services.storage.find("exports", {
    where: { expires_at: { lte: iso(now) } },
    order: { by: "expires_at", direction: "asc" },
    limit: EXPORTS_AT_ONCE,
  });
  for (const { id, account_id } of expired) {
    const erase = () => unitOfWork(services, account_id, now, (work) => eraseExport(work, id, now));
    while (await erase());
  }
  return expired.length;
}
