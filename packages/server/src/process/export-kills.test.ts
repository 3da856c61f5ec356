import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@letterslot/client";
import { afterEach, expect, test } from "vitest";
import { createServerHome } from "../../../../test/support/server-process.ts";
import { until } from "../../../../test/support/until.ts";
import { openZip } from "./archive/zip.ts";

const FILES = 12;
const FILE_BYTES = 1024 * 1024;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

test("an export whose server is killed in the middle, again and again, is one whole zip", {
  timeout: 180_000,
}, async () => {
  const home = await createServerHome({ MAIL_DOMAIN: "letterslot.localhost" });
  closing.push(home.remove);
  let server = await home.start();
  closing.push(() => server.end("SIGKILL"));
  const opened = await createClient({ baseUrl: home.base_url }).accounts.onboard({ username: "ada" });
  const client = createClient({ baseUrl: home.base_url, apiKey: opened.api_key });
  const hashes: string[] = [];
  for (let number = 0; number < FILES; number += 6) {
    const files = Array.from({ length: 6 }, () => randomBytes(FILE_BYTES));
    hashes.push(...files.map((bytes) => createHash("sha256").update(bytes).digest("hex")));
    await client.drafts.create({
      inbox_id: opened.inbox.id,
      to: ["grace@example.com"],
      text: "x",
      attachments: files.map((bytes) => ({ filename: "a.bin", content_base64: bytes.toString("base64") })),
    });
  }

  const database = new DatabaseSync(join(home.data_dir, "letterslot.db"), { readOnly: true });
  closing.push(() => database.close());
  const numbers = () =>
    database
      .prepare('select "number" from "export_parts" order by "number"')
      .all()
      .map(({ number }) => Number(number));
  const { id } = await client.exports.create({});
  for (const pieces of [2, 8]) {
    // Only what this run has added counts: it began with none of the earlier one's.
    await until("pieces of the zip", () => numbers().length < pieces || undefined);
    await until("more pieces of the zip", () => numbers().length >= pieces || undefined);
    expect(await server.end("SIGKILL")).toBe("SIGKILL");
    server = await home.start();
  }
  await until("the export", async () => (await client.exports.get({ export_id: id })).status === "ready");

  const { stream } = await client.exports.download({ export_id: id });
  const path = join(home.data_dir, "downloaded.zip");
  await writeFile(path, stream);
  const archive = await openZip(path);
  closing.push(archive.close);
  const found: string[] = [];
  for await (const file of archive.files()) {
    const sum = createHash("sha256");
    for await (const piece of await file.read()) sum.update(piece);
    const named = /^files\/(.*)$/.exec(file.name)?.[1];
    if (named !== undefined) expect(sum.digest("hex")).toBe(named);
    if (named !== undefined) found.push(named);
  }
  expect(found.toSorted()).toEqual(hashes.toSorted());
  expect(numbers()).toEqual([...numbers().keys()]);
  expect(database.prepare('select "id", "status" from "exports"').all()).toEqual([{ id, status: "ready" }]);
  const unknown = `select lower(hex("hash")) as "hash" from "blobs" where lower(hex("hash")) not in
    (select "hash" from "blob_uses" union select "subject_id" from "jobs" where "kind" = 'blobs.collect')`;
  expect(database.prepare(unknown).all()).toEqual([]);
});
