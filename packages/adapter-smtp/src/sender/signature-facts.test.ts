import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { dnsError } from "./cached-dns.ts";
import {
  MAX_BLANKS,
  MAX_SIGNATURES,
  MAX_SIGNED_HEADER_BYTES,
  readSignatureFacts,
} from "./signature-facts.ts";

const notFound = () => Promise.reject(dnsError("ENOTFOUND"));
const signature = (tags = "") =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=d.test; s=s; h=from; bh=YQ==; b=YQ==${tags}\r\n`;
const seal = (tags = "") => `ARC-Seal: i=1; a=rsa-sha256; cv=none; d=d.test; s=s; b=YQ==${tags}\r\n`;
const read = (head: string, body = "x\r\n") =>
  readSignatureFacts(Buffer.from(`${head}\r\n${body}`, "latin1"), notFound);

describe("a message", () => {
  test("without signatures has no results", async () => {
    expect(await read("From: a@b.test\r\n")).toEqual({ dkim: [], arc: null, repeated_headers: [] });
  });

  test("with an overlong header block is reported as unchecked", async () => {
    const facts = await read(`${signature()}X: ${"x".repeat(MAX_SIGNED_HEADER_BYTES)}\r\n`);
    expect(facts).toMatchObject({ dkim: [{ result: "permerror" }], arc: null });
  });

  test("with many signatures has only the first checked, however their names are written", async () => {
    const excess = Array.from(
      { length: 200 },
      (_, index) => `DKIM-Signature\r\n : v=1; d=d${index}.test; l=${index}\r\n`,
    );
    const { dkim } = await read(signature() + excess.join(""));
    expect(dkim.map(({ domain }) => domain)).toEqual([
      "d.test",
      ...Array.from({ length: MAX_SIGNATURES - 1 }, (_, n) => `d${n}.test`),
    ]);
  });

  test("with half an ARC set has a broken chain", async () => {
    expect((await read(seal())).arc).toMatchObject({ result: "fail", sealer: "", signature: null });
  });
});

/** Header blocks of a given size; eight times larger ones took the libraries seconds. */
const hostile: [string, (bytes: number) => string][] = [
  ["lines that are not fields", (bytes) => signature() + fill("a\r\n", bytes)],
  ["folds", (bytes) => signature() + fill(" \r\n", bytes)],
  ["colons alone", (bytes) => signature() + fill(":\r\n", bytes)],
  ["names on a separate line", (bytes) => signature() + fill("a\r\n :\r\n", bytes)],
  ["lone carriage returns", (bytes) => `${signature()}X: ${fill("\r", bytes)}x\r\n`],
  ["a field without a name", (bytes) => `${signature()} ${fill("a ", bytes)}\r\n`],
  ["blanks within a tag", (bytes) => signature(`; x=a${fill(" ", bytes)}b`)],
  ["blanks within the name of a tag", (bytes) => signature(`; x${fill(" ", bytes)}b=a`)],
  ["many runs of blanks", (bytes) => signature(`; x=${fill(`${" ".repeat(MAX_BLANKS - 1)}b`, bytes)}`)],
  ["blanks within a seal", (bytes) => seal(`; x=a${fill(" ", bytes)}b`)],
  [
    "comments in stated results",
    (bytes) => `ARC-Authentication-Results: i=1; x; dkim=${fill("(", bytes)}\r\n${seal()}`,
  ],
  [
    "parameters of the content type",
    (bytes) => `${signature().repeat(3)}Content-Type: multipart/mixed${fill("; a=b", bytes)}\r\n`,
  ],
  [
    "quotes of the content type",
    (bytes) => `${signature().repeat(3)}Content-Type: multipart/mixed; boundary=${fill('"', bytes)}\r\n`,
  ],
  ["authors", (bytes) => `${signature()}From: ${fill("a@b.test, ", bytes)}\r\n`],
  ["quotes of an author", (bytes) => `${signature()}From: ${fill('"<(', bytes)}\r\n`],
  ["groups of authors", (bytes) => `${signature()}From: ${fill("a:", bytes)}\r\n`],
  ["return paths", (bytes) => `${signature()}Return-Path: ${fill("<", bytes)}\r\n`],
];
const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));

describe("a header eight times as long costs about eight times as much, not sixty-four, for", () => {
  const costOf = async (run: () => unknown) => {
    const times = [];
    for (let round = 0; round < 3; round += 1) times.push(await measureThreadCpu(run));
    return Math.min(...times);
  };
  /** Shorter times, in milliseconds, are noise. */
  const least = 5;

  test.each(hostile)("%s", async (_, head) => {
    const [long, short] = [head(62_400), head(7_800)];
    const short_cost = await costOf(() => read(short));
    expect((await costOf(() => read(long))) / Math.max(short_cost, least)).toBeLessThan(40);
  });

  test("bare line feeds in a body", async () => {
    const short_cost = await costOf(() => read(signature(), "\n".repeat(60_000)));
    expect(
      (await costOf(() => read(signature(), "\n".repeat(480_000)))) / Math.max(short_cost, least),
    ).toBeLessThan(40);
  });
});
