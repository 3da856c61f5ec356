import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AccountArchive,
  ArchiveError,
  exportAccount,
  openArchive,
  zipOf,
} from "@letterslot/core/internal";
import { createTestService } from "@letterslot/core/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { furnish } from "../../../../../test/support/furnished-account.ts";
import { openArchiveInThread } from "./archive-thread.ts";
import { isFileError, openZip } from "./zip.ts";

const MAILS = 40;

let folder: string;
let path: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-thread-"));
  path = join(folder, "account.zip");
  const service = createTestService();
  const ada = await furnish(service, "ada");
  // More than is handed over at once.
  const text = "word ".repeat(4_000);
  for (let number = 0; number < MAILS; number++)
    await service.receive({ from: ada.friend, to: ada.email, subject: `Mail ${number}`, text });
  const { services } = service.letterslot;
  const files = exportAccount(services, ada.account_id, { held_content: true });
  writeFileSync(path, Buffer.concat(await all(zipOf(files, new Date("2026-01-01")))));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function all<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const thing of things) found.push(thing);
  return found;
}

async function inThread(): Promise<AccountArchive> {
  const archive = await openArchiveInThread(path);
  onTestFinished(archive.close);
  return archive;
}

/** All that an archive says, mails and attachments as their hashes. */
async function contentOf(archive: AccountArchive) {
  const bytes = async (what: "mail" | "files") => {
    const batches = await all(archive.bytes(what));
    return batches.flatMap((batch) =>
      batch.files.map(({ start, end, hashes }) => ({
        hashes,
        read: createHash("sha256").update(batch.bytes.subarray(start, end)).digest("hex"),
      })),
    );
  };
  return {
    head: archive.head,
    inboxes: await all(archive.outlines("inboxes")),
    outlines: await all(archive.outlines("messages")),
    messages: await all(archive.records("messages")),
    events: await all(archive.records("events")),
    mails: (await all(archive.readThrough("mail"))).at(-1),
    mail: await bytes("mail"),
    files: await bytes("files"),
  };
}

test("what a thread reads of an archive is what is read without one", async () => {
  const zip = await openZip(path);
  onTestFinished(zip.close);
  const expected = await contentOf(await openArchive(zip));
  expect(await contentOf(await inThread())).toEqual(expected);
  const messages = expected.messages.flatMap(({ records }) => records);
  expect(messages.length).toBeGreaterThan(MAILS);
  expect(expected.messages.length).toBeGreaterThan(1);
  expect(expected.messages.map(({ text_words }) => text_words.length)).toEqual(
    expected.messages.map(({ records }) => records.length),
  );
  expect(expected.outlines.flat().map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
  expect(expected.outlines.flat().some((outline) => "body" in outline || "attachments" in outline)).toBe(
    false,
  );
  expect(expected.mails).toBe(expected.mail.length);
  for (const { hashes, read } of [...expected.mail, ...expected.files]) expect(hashes[0]).toBe(read);
});

test("who stops in the middle of one part reads another from its beginning", async () => {
  const archive = await inThread();
  const inboxes = await all(archive.outlines("inboxes"));
  expect(inboxes.flat().length).toBeGreaterThan(0);
  for await (const { records } of archive.records("messages")) {
    expect(records.length).toBeGreaterThan(0);
    break;
  }
  expect(await all(archive.outlines("inboxes"))).toEqual(inboxes);
});

test("what a thread finds wrong is thrown as what it is", async () => {
  const not_a_zip = join(folder, "not.zip");
  writeFileSync(not_a_zip, "not a zip");
  await expect(openArchiveInThread(not_a_zip)).rejects.toThrow(ArchiveError);
  const missing = await openArchiveInThread(join(folder, "missing.zip")).catch((error: unknown) => error);
  expect(isFileError(missing)).toBe(true);
  expect(String(missing)).toContain("no such file");
});

test("reading on after the archive was closed fails", async () => {
  const archive = await openArchiveInThread(path);
  const records = archive.records("messages");
  await records.next();
  await archive.close();
  await expect(all(archive.outlines("inboxes"))).rejects.toThrow("has ended");
});
