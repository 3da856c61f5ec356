import { hash } from "node:crypto";
import type { Services } from "../kernel/context.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { stageBlob } from "../messages/index.ts";
import type { StagedBlob } from "../ports/blobs.ts";
import type { ExportProgress } from "./export-account.ts";
import type { HashList } from "./hash-list.ts";
import { oneAhead } from "./one-ahead.ts";
import { type AccountArchive, attachmentsIn, mailsIn } from "./read-archive.ts";

/** Bytes of mails and attachments that are stored in one transaction, and how many of them. */
const BYTES_AT_ONCE = 1024 * 1024;
const FILES_AT_ONCE = 250;
/** As many are compressed at a time: each takes a third of a megabyte meanwhile. */
const STAGED_AT_ONCE = 8;
/** Hashes that are looked up at once. */
const HASHES_AT_ONCE = 1_000;

/** A mail or attachment: its bytes in one form, or in two of which one at most is meant. */
interface Forms {
  what: "mail" | "files";
  forms: Uint8Array[];
}

/**
 * Stores the mails and attachments that the account's records refer to. Other mails in the mailboxes are made from
 * their messages whenever they are asked for.
 */
export async function importBytes(
  services: Services,
  archive: AccountArchive,
  progress: (now: ExportProgress) => void,
): Promise<void> {
  const done = { mail: 0, files: 0 };
  const staged = async (batch: Forms[]) => ({ batch, blobs: await stageUsed(services, batch) });
  for await (const { batch, blobs } of oneAhead(inBatches(formsIn(archive)), staged)) {
    if (blobs.length > 0)
      await unitOfWork(services, archive.head.account.id, services.clock.now(), async (work) => {
        for (const blob of blobs) blob.put(work);
      });
    for (const { what } of batch) progress({ step: "importing", what, done: ++done[what] });
  }
}

async function* formsIn(archive: AccountArchive): AsyncGenerator<Forms> {
  for await (const [whole, { length }] of mailsIn(archive)) {
    const bytes = Buffer.from(whole);
    yield { what: "mail", forms: [bytes, bytes.subarray(0, length)] };
  }
  for await (const bytes of attachmentsIn(archive)) yield { what: "files", forms: [bytes] };
}

async function* inBatches(all: AsyncIterable<Forms>): AsyncGenerator<Forms[]> {
  let batch: Forms[] = [];
  let bytes = 0;
  for await (const each of all) {
    batch.push(each);
    bytes += each.forms[0]?.length ?? 0;
    if (bytes < BYTES_AT_ONCE && batch.length < FILES_AT_ONCE) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Stages those forms that a record here refers to by their hash. */
async function stageUsed(services: Services, batch: Forms[]): Promise<StagedBlob[]> {
  const named = new Map<string, Uint8Array>();
  for (const { forms } of batch) for (const bytes of forms) named.set(hash("sha256", bytes, "hex"), bytes);
  const used = await usedAmong(services, [...named.keys()]);
  const wanted = [...named].flatMap(([name, bytes]) => (used.has(name) ? [bytes] : []));
  const staged: StagedBlob[] = [];
  for (let at = 0; at < wanted.length; at += STAGED_AT_ONCE) {
    const some = wanted.slice(at, at + STAGED_AT_ONCE);
    staged.push(...(await Promise.all(some.map((bytes) => stageBlob(services, bytes)))));
  }
  return staged;
}

/** Those of the hashes that a record here refers to. */
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

/** How many of the bytes that records refer to are not here. */
export async function countMissing({ blobs }: Services, used: HashList): Promise<number> {
  let missing = 0;
  for (const names of used.batches(HASHES_AT_ONCE)) {
    const found = await blobs.has(names);
    missing += names.filter((name) => !found.has(name)).length;
  }
  return missing;
}
