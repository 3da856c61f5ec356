import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runPiped } from "../../test/run-cli.ts";

interface Vector {
  name: string;
  jws: string;
  eml?: string;
  refused: string | null;
}

const { keys, vectors } = JSON.parse(
  readFileSync(new URL("../../../../examples/receipts/vectors.json", import.meta.url), "utf8"),
) as { keys: object[]; vectors: Vector[] };
const jwsOf = (wanted: string) => vectors.find(({ name }) => name === wanted)?.jws ?? "";

const folder = mkdtempSync(join(tmpdir(), "letterslot-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const trusted = write("keys.json", JSON.stringify({ keys }));
const verify = (file: string, ...more: string[]) =>
  runPiped(["receipts", "verify", file, "--keys", trusted, ...more], { env: { HOME: folder } });

test("a receipt is checked with keys from a file, and what it says is printed", async () => {
  const file = write(
    "one.json",
    JSON.stringify({ object: "approval_receipt", jws: jwsOf("first"), sent: null }),
  );
  const ended = await verify(file, "--iss", "https://mail.example.com");
  expect(ended, ended.err).toMatchObject({ code: 0 });
  expect(ended.json()).toMatchObject([
    { verified: true, approval_id: "apr_3kq8z0m4v1c7rw5x2a01", what: "approve" },
  ]);
});

test("many are shown in the order in which they were signed, and with --chain none may be missing", async () => {
  const chain = ["first", "second", "sent", "passkey", "rejected", "reply"].map(jwsOf);
  const mixed = [3, 0, 5, 2, 1, 4].map((at) => chain[at] ?? "");
  const ended = await verify(write("all.jsonl", mixed.join("\n")), "--chain");
  expect(ended, ended.err).toMatchObject({ code: 0 });
  expect(ended.json<{ what: string }>().map(({ what }) => what)).toEqual([
    ...["approve", "approve", "mail left", "approve", "reject", "approve"],
  ]);
  const exported = [{ jws: chain[0] }, { jws: chain[1], sent_jws: chain[2] }].map((line) =>
    JSON.stringify(line),
  );
  expect((await verify(write("receipts.jsonl", exported.join("\n")), "--chain")).json()).toHaveLength(3);
  const removed = write("removed.jsonl", chain.filter((_, at) => at !== 2).join("\n"));
  expect((await verify(removed)).json()).toHaveLength(5);
  expect(await verify(removed, "--chain")).toMatchObject({
    code: 1,
    err: expect.stringContaining("broken chain"),
  });
});

test("a refused one ends the command with its reason", async () => {
  const refused = [
    [jwsOf("changed decision"), [], "invalid signature"],
    [jwsOf("second"), ["--approval", "apr_3kq8z0m4v1c7rw5x2a01"], "other approval"],
    [jwsOf("second"), ["--prev", "00"], "broken chain"],
    [jwsOf("sent"), ["--eml", write("changed.eml", "Subject: New\n\nx")], "other mail"],
  ] as const;
  for (const [jws, options, reason] of refused)
    expect(await verify(write("one.txt", jws), ...options)).toMatchObject({
      code: 1,
      err: expect.stringContaining(reason),
    });
  const eml = write("mail.eml", vectors.find(({ name }) => name === "received")?.eml ?? "");
  expect(await verify(write("one.txt", jwsOf("sent")), "--eml", eml)).toMatchObject({ code: 0 });
  expect(await verify(write("none.txt", ""))).toMatchObject({ code: 2 });
});
