import { describe, expect, test } from "vitest";
import { decodeEncodedWords, normaliseEncodedWords } from "./encoded-words.ts";

const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

describe("encoded words are read", () => {
  test.each([
    ["in quoted-printable", "=?utf-8?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["in base 64", "=?utf-8?B?R3LDvMOfZQ==?=", "Grüße"],
    ["with a small q", "=?utf-8?q?Gr=c3=bc=c3=9fe?=", "Grüße"],
    ["with a small b", "=?UTF-8?b?R3LDvMOfZQ==?=", "Grüße"],
    ["with the language of RFC 2231", "=?utf-8*de-AT?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["with a character cut between two", "=?utf-8?B?4oI=?= =?utf-8?B?rA==?=", "€"],
    ["with a character cut between two encodings", "=?utf-8?B?4oI=?= =?utf-8?Q?=AC?=", "€"],
    ["with nothing between two", "=?utf-8?Q?a?==?utf-8?Q?b?=", "ab"],
    ["with a fold between two", "=?utf-8?Q?a?=\t =?utf-8?Q?b?=", "ab"],
    ["beside text, whose blanks stay", "Re: =?utf-8?Q?a?= b =?utf-8?Q?c?=", "Re: a b c"],
    ["that touch text", "Re:=?utf-8?Q?a?=b", "Re:ab"],
    ["within quotes", '"=?utf-8?Q?Gr=C3=BC=C3=9Fe?="', '"Grüße"'],
    ["with blanks in their text", "=?utf-8?Q?a b c?=", "a b c"],
    ["with blanks in their base 64", "=?utf-8?B?R3LD vMOf ZQ==?=", "Grüße"],
    ["with blanks around their marks", "=? utf-8 ? Q ?a?=", "a"],
    ["with their charset in quotes", '=?"utf-8"?Q?=C3=BC?=', "ü"],
    ["with a question mark in their text", "=?utf-8?Q?Why?_Now?=", "Why? Now"],
    ["with a question mark before an escape", "=?utf-8?Q?Why?=20Now?=", "Why? Now"],
    ["before what looks like an escape", "=?utf-8?Q?abc?=20 foo =?utf-8?Q?x?=", "abc20 foo x"],
    ["with nothing in them", "a=?utf-8?Q??=b", "ab"],
    ["without padding", "=?utf-8?B?R3LDvMOfZQ?=", "Grüße"],
    ["with padding in the middle", `=?utf-8?B?${base64("a")}${base64("bc")}?=`, "abc"],
    ["in base 64 for URLs", "=?utf-8?B?4pyF_8-_?=", Buffer.from("4pyF/8+/", "base64").toString()],
    ["cut off at the end", "=?utf-8?Q?Gr=C3=BC=C3=9Fe", "Grüße"],
    ["cut off within their end", "=?utf-8?B?R3LDvMOfZQ==?", "Grüße"],
    ["without their end before the next", "=?utf-8?Q?abc =?utf-8?Q?def?=", "abcdef"],
    ["with raw 8-bit characters", "=?utf-8?Q?Gr\u00fc=C3=9Fe?=", "Grüße"],
    ["with an escape that is none", "=?utf-8?Q?100=_=ZZ?=", "100= =ZZ"],
    ["in a charset that nobody knows", "=?x-none?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["in a charset that is another", "=?us-ascii?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["in ISO 8859-1 that is UTF-8", "=?iso-8859-1?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"],
    ["in UTF-8 that is windows-1252", "=?utf-8?Q?Gr=FC=DFe?=", "Grüße"],
    ["in a code page by number", "=?cp1251?B?z/Do4uXy?=", "Привет"],
    ["in a code page of MS-DOS", "=?ibm850?Q?Gr=81=E1e?=", "Grüße"],
    ["in GB 2312", "=?gb2312?B?xOO6ww==?=", "你好"],
    ["in Big5", "=?big5?B?p0Gmbg==?=", "你好"],
    ["in EUC-KR", "=?ks_c_5601-1987?B?vsiz5w==?=", "안녕"],
    [
      "in ISO-2022-KR",
      `=?iso-2022-kr?B?${Buffer.from("\x1b$)C\x0e>H3g\x0f!", "latin1").toString("base64")}?=`,
      "안녕!",
    ],
    ["in HZ", "=?hz-gb-2312?Q?~{Dc:C~}!?=", "你好!"],
    ["in Shift_JIS", "=?shift_jis?B?k/qWew==?=", "日本"],
    [
      "in ISO-2022-JP, cut in two without shifting back",
      "=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1wbKEI=?=",
      "日本",
    ],
    ["in UTF-7", "=?utf-7?Q?Fr+APY-sche?=", "Frösche"],
    ["in two charsets in turn", "=?utf-8?Q?=C3=BC?= =?iso-8859-1?Q?=FC?=", "üü"],
  ])("%s: %s", (_, written, text) => {
    expect(decodeEncodedWords(written)).toBe(text);
  });
});

describe("text that isn't an encoded word stays", () => {
  test.each([
    "a =? b ?= c",
    "=?utf-8?X?abc?=",
    "=?utf-8?Q?abc def",
    "=?utf-8?Q?",
    "=?=?=?",
    "=?utf-8?Q?abc <eve@evil.test>",
    "2 =?= 3",
  ])("%s", (value) => {
    expect(decodeEncodedWords(value)).toBe(value);
  });
});

test("for an address parser each run is one word, and the text around it stays", () => {
  expect(normaliseEncodedWords("=?gbk?Q?=C4=E3?= =?gbk?Q?=BA=C3?= <a@example.com>")).toBe(
    `=?utf-8?B?${base64("你好")}?= <a@example.com>`,
  );
});
