import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressKey,
  canonicalAddress,
  canonicalDomain,
  distinctAddresses,
  givenAddress,
  withoutAddresses,
} from "./address.ts";

test.each([
  ["example.com", "example.com"],
  ["EXAMPLE.Com", "example.com"],
  ["localhost", "localhost"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["BÜCHER.example", "xn--bcher-kva.example"],
  ["bu\u0308cher.example", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["XN--BCHER-KVA.example", "xn--bcher-kva.example"],
  ["ｍａｉｌ.test", "mail.test"],
  ["𝐦ail.test", "mail.test"],
  ["mail。test", "mail.test"],
  ["mail．test", "mail.test"],
  ["faß.example", "xn--fa-hia.example"],
  ["fass.example", "fass.example"],
  ["भारत.example", "xn--h2brj9c.example"],
  ["بی\u200cبی.example", "xn--ngba50cb2343a.example"],
  ["☺.example", undefined],
  ["", undefined],
  ["example.com.", undefined],
  [".example.com", undefined],
  ["a..example", undefined],
  ["-a.example", undefined],
  ["a-.example", undefined],
  ["a_b.example", undefined],
  ["ex%61mple.com", undefined],
  ["example.com/x", undefined],
  ["example.com:25", undefined],
  ["[192.0.2.1]", undefined],
  ["192.0.2.1", undefined],
  ["a.1", undefined],
  ["0x7f.1", undefined],
  ["mail.0x1", undefined],
  ["ma\u00adil.test", undefined],
  ["ma\u200bil.test", undefined],
  ["ma\u200cil.test", undefined],
  ["xn--a.example", undefined],
  ["xn--mail-.test", undefined],
  // The A-label of full-width letters, which a program that shows it would take for mail.test.
  ["xn--ail-086s.test", undefined],
  [`${"a".repeat(63)}.example`, `${"a".repeat(63)}.example`],
  [`${"a".repeat(64)}.example`, undefined],
  [`${"ab.".repeat(84)}a`, `${"ab.".repeat(84)}a`],
  [`${"ab.".repeat(84)}ab`, undefined],
])("the domain %j is %j", (text, domain) => {
  expect(canonicalDomain(text)).toBe(domain);
});

test.each([
  ["ada@example.com", "ada@example.com", "ada@example.com"],
  [" Ada.Byron@Example.COM ", "Ada.Byron@example.com", "ada.byron@example.com"],
  ["ada+tag@example.com", "ada+tag@example.com", "ada+tag@example.com"],
  [
    "o'hara!#$%&*/?=^_`{|}~-@example.com",
    "o'hara!#$%&*/?=^_`{|}~-@example.com",
    "o'hara!#$%&*/?=^_`{|}~-@example.com",
  ],
  ["Ada@ｅxample.com", "Ada@example.com", "ada@example.com"],
  ['"ada"@example.com', "ada@example.com", "ada@example.com"],
  ['"a\\da.b"@example.com', "ada.b@example.com", "ada.b@example.com"],
  ['"Ada Byron"@example.com', '"Ada Byron"@example.com', '"ada byron"@example.com'],
  ['"a\\ b"@example.com', '"a b"@example.com', '"a b"@example.com'],
  ['"a\\"b"@example.com', '"a\\"b"@example.com', '"a\\"b"@example.com'],
  ['"a@mail.test"@example.com', '"a@mail.test"@example.com', '"a@mail.test"@example.com'],
  ['"a..b"@example.com', '"a..b"@example.com', '"a..b"@example.com'],
  ['""@example.com', '""@example.com', '""@example.com'],
  ["JOSÉ@example.com", "JOSÉ@example.com", "josé@example.com"],
  ["jose\u0301@example.com", "josé@example.com", "josé@example.com"],
  ["用户@example.com", "用户@example.com", "用户@example.com"],
  ["İda@example.com", "İda@example.com", "i̇da@example.com"],
])("%j is shown as %j and compared as %j", (text, given, canonical) => {
  expect(givenAddress(text)).toBe(given);
  expect(canonicalAddress(text)).toBe(canonical);
  expect(addressKey(text)).toBe(canonical);
});

test.each([
  "",
  "ada",
  "@example.com",
  "ada@",
  "ada@example.com.",
  "ada@@example.com",
  "a b@example.com",
  "ada@exa mple.com",
  ".ada@example.com",
  "ada.@example.com",
  "a..b@example.com",
  '"ada@example.com',
  'a"d"a@example.com',
  '"a"b"@example.com',
  '"a\\"@example.com',
  "ada\\@x@example.com",
  "ada,eve@example.com",
  "<ada@example.com>",
  "ada(x)@example.com",
  "=?utf-8?q?ada?=@example.com",
  "ada\r\nbcc@example.com",
  "ada\0@example.com",
  "ada\u202e@example.com",
  "ada\u200b@example.com",
  "ada\u00a0x@example.com",
  "ａda@example.com",
  "ﬁ@example.com",
  "x²@example.com",
  "\u212aate@example.com",
  `${"a".repeat(65)}@example.com`,
  `${"é".repeat(33)}@example.com`,
  "ada@[192.0.2.1]",
  `${" ".repeat(2_000)}ada@example.com`,
])("%j is no address", (text) => {
  expect(givenAddress(text)).toBeUndefined();
  expect(canonicalAddress(text)).toBeUndefined();
});

test.each([
  ["A..B@Example.com", "a..b@example.com"],
  ["\u212aATE@EXAMPLE.COM", "\u212aate@example.com"],
  ["ａDA@ｍail.test", "ａda@mail.test"],
  ["Nonsense", "nonsense"],
  ["", ""],
])("the malformed %j is compared as %j", (text, key) => {
  expect(addressKey(text)).toBe(key);
});

test("lists of addresses name each mailbox once, as it is written first", () => {
  expect(
    distinctAddresses(["Ada@example.com", "bo@example.com", "ada@EXAMPLE.com", '"BO"@example.com']),
  ).toEqual(["Ada@example.com", "bo@example.com"]);
  expect(withoutAddresses(["Ada@example.com", "bo@example.com"], ["ada@Example.com"])).toEqual([
    "bo@example.com",
  ]);
});

/** Texts near to addresses: parts that are mapped, folded, quoted, escaped and refused. */
const piece = fc.constantFrom(
  ...'aAbzKkſßẞéÉΣςσİıĳﬁ²ａ１ǅ。．.@"\\-_+ =?%0x\u0301\u0308\u200c\u200d\u212a\u1fef\u00ad用भ',
  "xn--",
  "example.com",
  "ｍail.test",
  "mail.test",
);
const text = fc
  .array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 2 })), { maxLength: 12 })
  .map((pieces) => pieces.join(""));
const nearAddress = fc.oneof(
  text,
  fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}.test`),
  fc.tuple(text, text).map(([local, domain]) => `"${local}"@${domain}.test`),
);

test("the canonical form of a canonical form is itself", () => {
  fc.assert(
    fc.property(nearAddress, (address) => {
      const key = addressKey(address);
      expect(addressKey(key)).toBe(key);
      const canonical = canonicalAddress(address);
      const given = givenAddress(address);
      expect(canonical === undefined).toBe(given === undefined);
      if (canonical === undefined || given === undefined) return;
      expect(canonicalAddress(canonical)).toBe(canonical);
      expect(givenAddress(given)).toBe(given);
      expect(canonicalAddress(given)).toBe(canonical);
    }),
    { numRuns: 5_000 },
  );
});

test("what is no address never equals the canonical form of one", () => {
  fc.assert(
    fc.property(nearAddress, (address) => {
      if (canonicalAddress(address) === undefined)
        expect(canonicalAddress(addressKey(address))).not.toBe(addressKey(address));
    }),
    { numRuns: 5_000 },
  );
});

test("each letter that case or normalisation changes keeps these promises", () => {
  const broken: string[] = [];
  for (let code = 1; code < 0x20_000; code++) {
    const letter = String.fromCodePoint(code);
    const forms = [
      letter.toLowerCase(),
      letter.toUpperCase(),
      letter.normalize("NFKC"),
      letter.normalize("NFD"),
    ];
    if ((code >= 0xd800 && code <= 0xdfff) || (code > 0x7f && forms.every((form) => form === letter)))
      continue;
    for (const address of [`a${letter}@example.com`, `ada@x${letter}.test`]) {
      const canonical = canonicalAddress(address);
      const key = addressKey(address);
      const note = (what: string) => broken.push(`U+${code.toString(16)} ${what}: ${key}`);
      if (canonical !== undefined && canonicalAddress(canonical) !== canonical) note("changes again");
      if (canonical === undefined && canonicalAddress(key) === key) note("becomes an address");
      if (code > 0x7f && /^[\x00-\x7f]*@example/.test(key)) note("becomes ASCII in a local part");
    }
  }
  expect(broken).toEqual([]);
});
