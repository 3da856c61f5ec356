import { describe, expect, test } from "vitest";
import { bodyStart, headerRows, withCrlf } from "./mail-rows.ts";

const keysOf = (head: string) => headerRows(Buffer.from(head, "latin1")).map(({ key }) => key);

describe("the body begins", () => {
  test.each([
    ["after an empty line", "A: b\r\n\r\nbody", 8],
    ["after an empty line of bare feeds", "A: b\n\nbody", 6],
    ["after an empty line of both kinds", "A: b\n\r\nbody", 7],
    ["at once when the first line is empty", "\r\nA: b\r\n\r\nbody", 2],
    ["at once when the first feed is bare", "\nA: b\n\nbody", 1],
    ["nowhere without an empty line", "A: b\r\nC: d", 10],
    ["not after a line of blanks", "A: b\r\n \r\nC: d\r\n\r\nx", 17],
    ["not after a lone carriage return", "A: b\r\r\nC: d\r\n\r\nx", 15],
  ])("%s", (_, mail, at) => {
    expect(bodyStart(Buffer.from(mail))).toBe(at);
  });
});

test("bare line feeds become CRLF, and a mail without any is not copied", () => {
  expect(withCrlf(Buffer.from("\na\nb\r\nc\n")).toString()).toBe("\r\na\r\nb\r\nc\r\n");
  const proper = Buffer.from("a\r\nb\r\n");
  expect(withCrlf(proper)).toBe(proper);
});

describe("rows", () => {
  test.each([
    ["are fields in their order", "From: a\r\nTo: b\r\n\r\n", ["from", "to"]],
    ["keep their folds", "From: a\r\n b\r\n\tc\r\nTo: d\r\n\r\n", ["from", "to"]],
    ["take a colon that stands on the next line", "To: b\r\nFrom\r\n : a\r\n\r\n", ["to", "from"]],
    ["take a blank before the colon", "From : a\r\n\r\n", ["from"]],
    ["hold a line that is no field", "From: a\r\nno field\r\nTo: b\r\n\r\n", ["from", "to"]],
    ["hold a line whose name has 8-bit bytes", "From: a\r\nFr\xf6m: b\r\n\r\n", ["from"]],
    ["hold a line whose blank is none of ASCII", "From: a\r\n\xa0To: b\r\n\r\n", ["from"]],
    ["begin with a line that is no field and has no name", " From: a\r\nTo: b\r\n\r\n", ["", "to"]],
    ["are none in an empty block", "\r\n", []],
  ])("%s", (_, head, keys) => {
    expect(keysOf(head)).toEqual(keys);
  });

  test("together are the block, byte for byte", () => {
    const head = "From: a\r\n b\r\nno field\r\nTo : b\r\nSubject\r\n\t: \xff\r\n";
    const rows = headerRows(Buffer.from(`${head}\r\n`, "latin1"));
    expect(rows.map(({ line }) => `${line.toString("latin1")}\r\n`).join("")).toBe(head);
    expect(rows.map(({ casedKey }) => casedKey)).toEqual(["From", "To", "Subject"]);
  });
});
