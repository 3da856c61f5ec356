import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type ArchiveFile, zipOf } from "@letterslot/core";
import { expect, onTestFinished, test } from "vitest";
import { type Entry, openPromise } from "yauzl";

const MODIFIED = new Date("2026-03-04T05:06:08.000Z");

async function* filesOf(files: Iterable<[string, Uint8Array[]]>): AsyncGenerator<ArchiveFile> {
  for (const [name, pieces] of files)
    yield {
      name,
      content: (async function* () {
        yield* pieces;
      })(),
    };
}

async function together(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** What a zip holds, as another program reads it; the content of each so many-th file. */
async function* entriesOf(
  zip: Buffer,
  read_every = 1,
): AsyncGenerator<{ entry: Entry; content: Buffer | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-zip-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "it.zip");
  writeFileSync(path, zip);
  const reader = await openPromise(path, { lazyEntries: true, autoClose: false });
  let number = 0;
  for await (const entry of reader.eachEntry()) {
    const read = number++ % read_every === 0;
    const stream = read ? await reader.openReadStreamPromise(entry) : undefined;
    yield { entry, content: stream && (await together(stream as AsyncIterable<Uint8Array>)) };
  }
  reader.close();
}

test("a zip holds its files as they are, with their sums, and for nobody else to read", async () => {
  const noise = randomBytes(700_000);
  const files: [string, Uint8Array[]][] = [
    ["empty", []],
    ["one", [Buffer.from("one")]],
    ["mail/grüße@example.com.mbox", [noise.subarray(0, 10), noise.subarray(10), Buffer.alloc(500_000)]],
  ];
  const zip = await together(zipOf(filesOf(files), MODIFIED));
  const found: [string, Buffer | undefined][] = [];
  for await (const { entry, content } of entriesOf(zip)) {
    found.push([entry.fileName, content]);
    expect(entry.crc32).toBe(crc32(content ?? ""));
    expect(entry.getLastModDate({ timezone: "UTC" })).toEqual(MODIFIED);
    expect(entry.externalFileAttributes >>> 16).toBe(0o100600);
  }
  expect(found).toEqual(files.map(([name, pieces]) => [name, Buffer.concat(pieces)]));
});

test("a zip without files can be read", async () => {
  const entries = entriesOf(await together(zipOf(filesOf([]), MODIFIED)));
  expect((await entries.next()).done).toBe(true);
});

test("a zip has any number of files", async () => {
  const names = Array.from({ length: 70_000 }, (_, number) => `files/${number}`);
  const zip = await together(zipOf(filesOf(names.map((name) => [name, [Buffer.from(name)]])), MODIFIED));
  let read = 0;
  for await (const { entry, content } of entriesOf(zip, 1_000)) {
    expect(entry.fileName).toBe(names[read++]);
    if (content !== undefined) expect(content.toString()).toBe(entry.fileName);
  }
  expect(read).toBe(names.length);
});

test("what fails while a file is made ends the zip with that failure", async () => {
  const broken: AsyncIterable<Uint8Array> = (async function* () {
    yield Buffer.from("some");
    throw new Error("unreadable");
  })();
  const zip = zipOf(
    (async function* () {
      yield { name: "broken", content: broken };
    })(),
    MODIFIED,
  );
  await expect(together(zip)).rejects.toThrow("unreadable");
});
