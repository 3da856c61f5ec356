import { randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { crc32 } from "node:zlib";
import { type ArchiveFile, zipOf } from "@letterslot/core/internal";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Entry, fromBufferPromise } from "yauzl";
import { writeZip } from "./zip.ts";

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

/** Yields a zip's entries as another program reads them, with the content of every `read_every`-th file. */
async function* entriesOf(
  zip: Buffer,
  read_every = 1,
): AsyncGenerator<{ entry: Entry; content: Buffer | undefined }> {
  const reader = await fromBufferPromise(zip, { lazyEntries: true, autoClose: false });
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

test("of the files that are in a zip only names and sizes stay in memory", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  const before = process.memoryUsage().arrayBuffers;
  let all_made = false;
  const files = (function* (): Generator<[string, Uint8Array[]]> {
    for (let number = 0; number < 1_000; number++) yield [`files/${number}`, [randomBytes(20_000)]];
    all_made = true;
  })();
  let looked = false;
  for await (const _ of zipOf(filesOf(files), MODIFIED)) {
    if (!all_made || looked) continue;
    looked = true;
    // V8 frees buffers on another thread, after the GC.
    await vi.waitFor(
      () => {
        gc();
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
      },
      { timeout: 10_000 },
    );
  }
  expect(looked).toBe(true);
});

test("a zip has any number of files", async () => {
  const names = Array.from({ length: 70_000 }, (_, number) => `files/${number}`);
  const zip = await together(zipOf(filesOf(names.map((name) => [name, [Buffer.from(name)]])), MODIFIED));
  const found: string[] = [];
  for await (const { entry, content } of entriesOf(zip, 1_000)) {
    found.push(entry.fileName);
    if (content !== undefined) expect(content.toString()).toBe(entry.fileName);
  }
  expect(found).toEqual(names);
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

describe("a zip whose writing was interrupted", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "letterslot-zip-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = () => join(folder, "a.zip");
  const BEGUN = new Date("2026-05-01T10:00:00Z");
  const hours = (count: number) => new Date(BEGUN.getTime() + count * 3_600_000);
  /** Writes files of 2 MB, up to one that fails; the names of those that were made. */
  async function write(now: Date, { failing }: { failing?: string } = {}): Promise<string[]> {
    const made: string[] = [];
    const noise = randomBytes(2 * 1024 * 1024);
    const contentOf = async function* (name: string) {
      made.push(name);
      yield noise;
      if (name === failing) throw new Error("the disk is gone");
    };
    const files = (async function* () {
      for (const name of ["a", "b", "c", "d", "e"]) yield { name, content: contentOf(name) };
    })();
    const done = writeZip(path(), now, (modified, options) => zipOf(files, modified, options));
    if (failing === undefined) await done;
    else await expect(done).rejects.toThrow("the disk is gone");
    return made;
  }
  async function check() {
    const names: string[] = [];
    for await (const { entry, content } of entriesOf(readFileSync(path()))) {
      names.push(entry.fileName);
      expect(crc32(content ?? "")).toBe(entry.crc32);
    }
    expect(names).toEqual(["a", "b", "c", "d", "e"]);
    expect(readdirSync(folder)).toEqual(["a.zip"]);
  }

  test("continues after the files that were complete", async () => {
    expect(await write(BEGUN, { failing: "e" })).toEqual(["a", "b", "c", "d", "e"]);
    expect(await write(hours(23), { failing: "e" })).toEqual(["e"]);
    expect(await write(hours(24))).toEqual(["e"]);
    await check();
  });

  test.each<[string, () => void]>([
    ["the list of its files is damaged", () => appendFileSync(`${path()}.part.files`, "{\n")],
    ["the list of its files is gone", () => rmSync(`${path()}.part.files`)],
    ["it has fewer bytes than its files", () => truncateSync(`${path()}.part`, 1_000)],
  ])("begins anew when %s", async (_what, damage) => {
    await write(BEGUN, { failing: "e" });
    damage();
    expect(await write(hours(1))).toEqual(["a", "b", "c", "d", "e"]);
    await check();
  });

  test("begins anew after a day, and when no file was complete", async () => {
    await write(BEGUN, { failing: "a" });
    expect(await write(hours(1), { failing: "e" })).toHaveLength(5);
    expect(await write(new Date(hours(25).getTime() + 1))).toHaveLength(5);
    await check();
  });
});
