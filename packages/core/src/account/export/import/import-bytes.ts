import type { Services } from "../../../kernel/context.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { stageBlob } from "../../../mailbox/messages/index.ts";
import type { StagedBlob } from "../../../ports/blobs.ts";
import type { ExportProgress } from "../export-account.ts";
import type { HashList } from "../hash-list.ts";
import { oneAhead } from "../one-ahead.ts";
import type { AccountArchive } from "./read-archive.ts";
import type { ReadBytes } from "./read-bytes.ts";

/** The number compressed concurrently: each takes a third of a megabyte. */
const STAGED_AT_ONCE = 8;
/** Hashes that are looked up at once. */
const HASHES_AT_ONCE = 1_000;

/**
 * Stores the mails and attachments that the account's records refer to. Other mails in the mailboxes are composed
 * from their messages on demand.
 */
export async function importBytes(
  services: Services,
  archive: AccountArchive,
  progress: (now: ExportProgress) => void,
): Promise<void> {
  for (const what of ["mail", "files"] as const) {
    let done = 0;
    const staged = async (batch: ReadBytes) => ({ batch, blobs: await stageUsed(services, batch) });
    for await (const { batch, blobs } of oneAhead(archive.bytes(what), staged)) {
      if (blobs.length > 0)
        await unitOfWork(
          services,
          archive.head.account.id,
          services.clock.now(),
          async (work) => {
            for (const blob of blobs) blob.put(work);
          },
          { part_of_load: true },
        );
      // Frees the bytes now: to the garbage collector this is a small object, and it would let many accumulate.
      batch.bytes.buffer.transfer(0);
      done += batch.files.length;
      progress({ step: "importing", what, done });
    }
  }
}

/** Stages those forms that a record here refers to by their hash. */
async function stageUsed(services: Services, { bytes, files }: ReadBytes): Promise<StagedBlob[]> {
  const named = new Map<string, Uint8Array>();
  // Each further form is without the last byte of the one before.
  for (const { start, end, hashes } of files)
    for (const [less, name] of hashes.entries())
      named.set(name, bytes.subarray(start, Math.max(start, end - less)));
  const used = await usedAmong(services, [...named.keys()]);
  const wanted = [...named].flatMap(([name, form]) => (used.has(name) ? [form] : []));
  const staged: StagedBlob[] = [];
  for (let at = 0; at < wanted.length; at += STAGED_AT_ONCE) {
    const some = wanted.slice(at, at + STAGED_AT_ONCE);
    staged.push(...(await Promise.all(some.map((form) => stageBlob(services, form)))));
  }
  return staged;
}

/** Selects the hashes that a record here refers to. */
async function usedAmong({ storage }: Services, names: string[]): Promise<Set<string>> {
  const limit = 2 * names.length;
  const uses = await storage.find("blob_uses", { where: { hash: { in: names } }, limit });
  const used = new Set(uses.map((use) => use.hash));
  if (uses.length < limit) return used;
  // Many records refer to a few of them, so that not all were found: the others are asked for one by one.
  for (const name of names)
    if (!used.has(name) && (await storage.count("blob_uses", { hash: name }, 1)) > 0) used.add(name);
  return used;
}

/** Counts the mails and attachments that records refer to but that aren't stored here. */
export async function countMissing({ blobs }: Services, used: HashList): Promise<number> {
  let missing = 0;
  for (const names of used.batches(HASHES_AT_ONCE)) {
    const found = await blobs.has(names);
    missing += names.filter((name) => !found.has(name)).length;
  }
  return missing;
}
