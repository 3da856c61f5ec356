import { describe, expect, test } from "vitest";
import { MAX_PARAMETERS, parseStructuredHeader } from "./header-parameters.ts";

const filename = (written: string) =>
  parseStructuredHeader(`attachment; ${written}`).parameters.get("filename");

describe("a filename is read", () => {
  test.each([
    ["plain", "filename=report.pdf", "report.pdf"],
    ["with blanks and no quotes", "filename=annual report.pdf", "annual report.pdf"],
    ["with blanks around the sign", 'filename = "a.pdf"', "a.pdf"],
    ["in capitals", 'FILENAME="a.pdf"', "a.pdf"],
    ["with a semicolon", 'filename="a; b.pdf"', "a; b.pdf"],
    ["with escaped quotes", 'filename="a\\"b.pdf"', 'a"b.pdf'],
    ["with escaped letters", 'filename="C:\\TEMP\\a.pdf"', "C:TEMPa.pdf"],
    ["with escaped backslashes", 'filename="C:\\\\TEMP\\\\a.pdf"', "C:\\TEMP\\a.pdf"],
    ["with a quote that never ends", 'filename="a.pdf', "a.pdf"],
    ["with a comment behind it", 'filename="a.pdf" (final)', "a.pdf"],
    ["with parentheses", "filename=a(1).pdf", "a(1).pdf"],
    ["the first of two", "filename=a.pdf; filename=b.pdf", "a.pdf"],
    ["empty", "filename=", ""],
    ["in encoded words", 'filename="=?utf-8?Q?=C3=BC?= =?utf-8?Q?ber.pdf?="', "über.pdf"],
    ["in encoded words without quotes", "filename==?utf-8?B?w7xiZXIucGRm?=", "über.pdf"],
    ["in the form of RFC 2231", "filename*=utf-8'de'%C3%BCber%20uns.pdf", "über uns.pdf"],
    ["in that form within quotes", "filename*=\"utf-8''%C3%BCber.pdf\"", "über.pdf"],
    ["in that form without a star", "filename=utf-8''%C3%BCber.pdf", "über.pdf"],
    ["in that form without a charset", "filename*=%C3%BCber.pdf", "über.pdf"],
    ["in that form with an empty charset", "filename*=''%C3%BCber.pdf", "über.pdf"],
    ["in that form with one quote", "filename*=utf-8'%C3%BCber.pdf", "über.pdf"],
    ["in that form in another charset", "filename*=iso-8859-1''%FCber.pdf", "über.pdf"],
    ["in that form with signs that are no escapes", "filename*=utf-8''100%%ZZ.pdf", "100%%ZZ.pdf"],
    ["in that form with an apostrophe", "filename*=utf-8''ada's.pdf", "ada's.pdf"],
    ["in pieces", 'filename*0="Annual "; filename*1="Report.pdf"', "Annual Report.pdf"],
    ["in pieces out of order", "filename*2=.pdf; filename*0=a; filename*1=b", "ab.pdf"],
    ["in pieces with a gap", "filename*0=a; filename*2=b.pdf", "ab.pdf"],
    ["in pieces from one on", "filename*1=a; filename*2=b.pdf", "ab.pdf"],
    ["in pieces that cut a character", "filename*0*=utf-8''%C3; filename*1*=%BCber.pdf", "über.pdf"],
    ["in pieces of both kinds", "filename*0*=utf-8''%C3%BCber; filename*1=\" 100%.pdf\"", "über 100%.pdf"],
    ["in pieces of encoded words", 'filename*0="=?utf-8?Q?=C3=BC"; filename*1="ber.pdf?="', "über.pdf"],
    ["in both forms, the better one", "filename=x.pdf; filename*=utf-8''%C3%BC.pdf", "ü.pdf"],
    ["in both forms the other way round", "filename*=utf-8''%C3%BC.pdf; filename=x.pdf", "ü.pdf"],
    ["with escapes that nobody announced, as it is", "filename=100%25.pdf", "100%25.pdf"],
  ])("%s: %s", (_, written, name) => {
    expect(filename(written)).toBe(name);
  });
});

describe("a type is read", () => {
  test.each([
    ["text/plain; charset=utf-8", "text/plain", "utf-8"],
    ["Text/Plain; Charset=UTF-8", "text/plain", "UTF-8"],
    ["text/plain charset=utf-8", "text/plain", "utf-8"],
    ["text/plain, charset=utf-8", "text/plain", "utf-8"],
    ["text/plain;;charset=utf-8;", "text/plain", "utf-8"],
    ['text/plain; charset="utf-8"; x', "text/plain", "utf-8"],
    ["text/plain (plain; charset=x) ; charset=utf-8", "text/plain", "utf-8"],
    ['"text/plain"; charset=utf-8', "text/plain", "utf-8"],
  ])("%s", (written, value, charset) => {
    const header = parseStructuredHeader(written);
    expect([header.value, header.parameters.get("charset")]).toEqual([value, charset]);
  });
  test("a parameter beyond the limit is not read", () => {
    const many = Array.from({ length: MAX_PARAMETERS }, (_, index) => `x${index}=1`).join("; ");
    expect(parseStructuredHeader(`a/b; ${many}; last=1`).parameters.has("last")).toBe(false);
  });
});
