import { describe, expect, test } from "vitest";
import { processorTimeOf } from "../../../test/support/processor-time.ts";
import { dnsError } from "./cached-dns.ts";
import { MAX_BLANKS, MAX_SIGNATURES, MAX_SIGNED_HEADER_BYTES, readSignatureFacts } from "./signature-facts.ts";

const nothing = () => Promise.reject(dnsError("ENOTFOUND"));
const signature = (tags = "") => `DKIM-Signature: v=1; a=rsa-sha256; d=d.test; s=s; h=from; bh=YQ==; b=YQ==${tags}\r\n`;
const seal = (tags = "") => `ARC-Seal: i=1; a=rsa-sha256; cv=none; d=d.test; s=s; b=YQ==${tags}\r\n`;
const read = (head: string, body = "x\r\n") => readSignatureFacts(Buffer.from(`${head}\r\n${body}`, "latin1"), nothing);

describe("of a mail", () => {
  test("without signatures nothing is said", async () => {
    expect(await read("From: a@b.test\r\n")).toEqual({ dkim: [], arc: null });
  });

  test("with a longer header block than is checked it is said that it was not", async () => {
    const facts = await read(`${signature()}X: ${"x".repeat(MAX_SIGNED_HEADER_BYTES)}\r\n`);
    expect(facts).toMatchObject({ dkim: [{ result: "permerror" }], arc: null });
  });

  test("with many signatures the first count, however their names are written", async () => {
    const late = Array.from({ length: 200 }, (_, index) => `DKIM-Signature\r\n : v=1; d=d${index}.test; l=${index}\r\n`);
    const { dkim } = await read(signature() + late.join(""));
    expect(dkim.map(({ domain }) => domain)).toEqual([
      "d.test",
      ...Array.from({ length: MAX_SIGNATURES - 1 }, (_, n) => `d${n}.test`),
    ]);
  });

  test("with half an ARC set the chain is broken", async () => {
    expect((await read(seal())).arc).toMatchObject({ result: "fail", sealer: "", signature: null });
  });
});

/** What took seconds in the libraries for a header block of the most that is checked, and takes milliseconds here. */
describe("little time is spent on", () => {
  const fill = (text: string, head = "") =>
    head + text.repeat(Math.floor((MAX_SIGNED_HEADER_BYTES - head.length - 200) / text.length));

  test.each([
    ["lines that are no field", fill("a\r\n", signature())],
    ["folds", fill(" \r\n", signature())],
    ["blanks within a tag", `${signature(`; x=a${fill(" ")}b`).slice(0, MAX_SIGNED_HEADER_BYTES)}\r\n`],
    ["blanks within the name of a tag", `${signature(`; x${fill(" ")}b=a`).slice(0, MAX_SIGNED_HEADER_BYTES)}\r\n`],
    ["blanks of many runs", signature(`; x=${fill(`${" ".repeat(MAX_BLANKS - 1)}b`)}`)],
    ["blanks within a seal", `${seal(`; x=a${fill(" ")}b`).slice(0, MAX_SIGNED_HEADER_BYTES)}\r\n`],
    ["comments in stated results", `${fill("(", "ARC-Authentication-Results: i=1; x; dkim=")}\r\n${seal()}`],
    [
      "signed names",
      `${fill(":a", signature().replace("h=from;", "").trimEnd().concat("; h=from")).slice(0, 30_000)}\r\n${"a:\r\n".repeat(7_000)}`,
    ],
    [
      "parameters of the content type",
      `${fill("; a=b", `${signature().repeat(MAX_SIGNATURES)}Content-Type: multipart/mixed`)}\r\n`,
    ],
    [
      "blanks of the content type",
      `${fill(" ", `${signature().repeat(MAX_SIGNATURES)}Content-Type: multipart/mixed; boundary=`)}x\r\n`,
    ],
    [
      "quotes of the content type",
      `${fill('"', `${signature().repeat(MAX_SIGNATURES)}Content-Type: multipart/mixed; boundary=`)}x\r\n`,
    ],
    [
      "escapes of the content type",
      `${fill("; a*0*=%41", `${signature().repeat(MAX_SIGNATURES)}Content-Type: multipart/mixed`)}\r\n`,
    ],
    ["authors", `${fill("a@b.test, ", `${signature()}From: `)}\r\n`],
    ["quotes of an author", `${fill('"<(', `${signature()}From: `)}\r\n`],
    ["groups of authors", `${fill("a:", `${signature()}From: `)}\r\n`],
    ["encoded authors", `${fill("=?utf-8?q?a?= ", `${signature()}From: `)}\r\n`],
    ["return paths", `${fill("<", `${signature()}Return-Path: `)}\r\n`],
    ["lone carriage returns", `${fill("\r", `${signature()}X: `)}x\r\n`],
    ["a field without a name", `${signature()} ${fill("a ").slice(0, 60_000)}\r\n`],
  ])("%s", async (_, head) => {
    expect(await processorTimeOf(() => read(head))).toBeLessThan(2_000);
  });

  test("bare line feeds of a body", async () => {
    expect(await processorTimeOf(() => read(signature(), "\n".repeat(500_000)))).toBeLessThan(2_000);
  });
});
