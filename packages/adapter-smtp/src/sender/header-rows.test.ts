import { describe, expect, test } from "vitest";
import { bodyStart, headerRows, lineText, withCrlf } from "./header-rows.ts";

const keysOf = (head: string) => headerRows(Buffer.from(head, "latin1")).map(({ key }) => key);

describe("the body begins", () => {
  test.each([
    ["after an empty line", "A: b\r\n\r\nbody", 8],
    ["after an empty line with bare line feeds", "A: b\n\nbody", 6],
    ["after an empty line with mixed line breaks", "A: b\n\r\nbody", 7],
    ["at the first line if that is empty", "\r\nA: b\r\n\r\nbody", 2],
    ["at the first line if that is a bare line feed", "\nA: b\n\nbody", 1],
    ["at the end without an empty line", "A: b\r\nC: d", 10],
    ["not after a line of blanks", "A: b\r\n \r\nC: d\r\n\r\nx", 17],
    ["not after a lone carriage return", "A: b\r\r\nC: d\r\n\r\nx", 15],
  ])("%s", (_, mail, at) => {
    expect(bodyStart(Buffer.from(mail))).toBe(at);
  });
});

test("bare line feeds become CRLF, and a message without any is not copied", () => {
  expect(withCrlf(Buffer.from("\na\nb\r\nc\n")).toString()).toBe("\r\na\r\nb\r\nc\r\n");
  const unchanged = Buffer.from("a\r\nb\r\n");
  expect(withCrlf(unchanged)).toBe(unchanged);
});

describe("header rows", () => {
  test.each([
    ["are the fields in order", "From: a\r\nTo: b\r\n\r\n", ["from", "to"]],
    ["keep their folds", "From: a\r\n b\r\n\tc\r\nTo: d\r\n\r\n", ["from", "to"]],
    ["may have the colon on the next line", "To: b\r\nFrom\r\n : a\r\n\r\n", ["to", "from"]],
    ["may have a blank before the colon", "From : a\r\n\r\n", ["from"]],
    ["include a line that is not a field", "From: a\r\nno field\r\nTo: b\r\n\r\n", ["from", "to"]],
    ["include a line whose name has 8-bit bytes", "From: a\r\nFr\xf6m: b\r\n\r\n", ["from"]],
    ["include a line that begins with a non-ASCII blank", "From: a\r\n\xa0To: b\r\n\r\n", ["from"]],
    ["may begin with a line that is not a field and has no name", " From: a\r\nTo: b\r\n\r\n", ["", "to"]],
    ["are empty for an empty block", "\r\n", []],
  ])("%s", (_, head, keys) => {
    expect(keysOf(head)).toEqual(keys);
  });

  test("add up to the block, byte for byte", () => {
    const head = "From: a\r\n b\r\nno field\r\nTo : b\r\nSubject\r\n\t: \xff\r\n";
    const rows = headerRows(Buffer.from(`${head}\r\n`, "latin1"));
    expect(rows.map((row) => `${lineText(row)}\r\n`).join("")).toBe(head);
    expect(rows.map(({ casedKey }) => casedKey)).toEqual(["From", "To", "Subject"]);
  });

  test("have their lines as text only where that is all ASCII", () => {
    const linesOf = (head: string) => headerRows(Buffer.from(head, "latin1")).map(({ line }) => line);
    expect(linesOf("From: a\r\nTo: b\r\n\r\n")).toEqual(["From: a", "To: b"]);
    expect(linesOf("From: a\r\nTo: \xfc\r\n\r\n")).toEqual([
      Buffer.from("From: a"),
      Buffer.from("To: \xfc", "latin1"),
    ]);
  });
});
