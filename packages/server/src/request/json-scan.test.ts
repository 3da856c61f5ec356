import { LIMITS } from "@letterslot/core";
import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../test/support/processor-time.ts";
import { createJsonScanner } from "./json-scan.ts";

/** Scans a text in pieces of `size` bytes. */
function scan(text: string, size: number): void {
  const bytes = Buffer.from(text);
  const scanner = createJsonScanner();
  for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes.subarray(at, at + size));
}

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const keys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"k${key}":1`).join()}}`;

describe.each([1, 7, 65_536])("JSON in pieces of %d bytes", (size) => {
  test("may be 64 levels deep, and no more", () => {
    expect(() => scan(nested(LIMITS.json_depth), size)).not.toThrow();
    expect(() => scan(nested(LIMITS.json_depth).repeat(3), size)).not.toThrow();
    expect(() => scan(nested(LIMITS.json_depth + 1), size)).toThrow(/nested more than 64 levels/);
    expect(() => scan('{"a":'.repeat(LIMITS.json_depth + 1), size)).toThrow(/nested/);
  });

  test("may have 100,000 keys and items, and no more", () => {
    expect(() => scan(`[${"1,".repeat(LIMITS.json_keys - 1)}1]`, size)).not.toThrow();
    expect(() => scan(`[${"1,".repeat(LIMITS.json_keys)}1]`, size)).toThrow(
      /more than 100000 keys and items/,
    );
    expect(() => scan(Array(11).fill(keys(LIMITS.json_object_keys)).join(), size)).toThrow(/keys and items/);
    expect(() => scan("{}".repeat(LIMITS.json_keys + 1), size)).toThrow(/keys and items/);
  });

  test("may have 10,000 keys in one object, and no more", () => {
    const most = keys(LIMITS.json_object_keys);
    expect(() => scan(`{"a":${most},"b":${most}}`, size)).not.toThrow();
    expect(() => scan(keys(LIMITS.json_object_keys + 1), size)).toThrow(
      /an object with more than 10000 keys/,
    );
  });

  test("is not judged by what stands in its strings", () => {
    const text = JSON.stringify({ text: `\\"${"[{,".repeat(LIMITS.json_keys)}\\`, more: '"\\' });
    expect(() => scan(text, size)).not.toThrow();
    expect(() => scan(`${text.slice(0, -1)},"deep":${nested(LIMITS.json_depth)}`, size)).toThrow(/nested/);
  });

  test.each([0, 1, 31, 32, 33, 100])("has strings that end at their quotes, after %d letters", (letters) => {
    for (const backslashes of [0, 1, 2, 3, 31, 64]) {
      const part = `${"x".repeat(letters)}${"\\".repeat(backslashes)}`;
      for (const value of [part, `${part}"${"[".repeat(LIMITS.json_depth)}${part}`]) {
        const text = JSON.stringify({ [value]: value, more: [value] });
        expect(() => scan(text, size)).not.toThrow();
        expect(() => scan(`[${text},${nested(LIMITS.json_depth)}]`, size)).toThrow(/nested/);
      }
    }
  });
});

describe.each([1, 3, 64, 65_536])("files in JSON in pieces of %d bytes", (size) => {
  const FIELDS = ["raw", "attachments.content_base64"];
  /** What makes a text a long one, which stands in the cases as a tilde. */
  const LONG = "A".repeat(5_000);

  /** What is left to be parsed, and the files that stand in it, by their names. */
  function scanned(text: string) {
    const scanner = createJsonScanner(FIELDS);
    const sent = Buffer.from(text.replaceAll("~", LONG), "latin1");
    const kept: Uint8Array[] = [];
    for (let at = 0; at < sent.length; at += size) kept.push(...scanner.scan(sent.subarray(at, at + size)));
    const files = [...scanner.files].map(([name, file]) => [name, file.bytes] as const);
    const left = files.reduce(
      (all, [name, bytes], index) =>
        all.replace(name, `FILE ${index} ${bytes === undefined ? "wrong" : ""}`.trim()),
      Buffer.concat(kept).toString("latin1"),
    );
    return {
      left: left.replaceAll(LONG, "~"),
      files: files.map(([, bytes]) => bytes && Buffer.from(bytes).toString().replace(/^\0+/, "")),
    };
  }

  test.each([
    ['{"raw":"~aGV5"}', '{"raw":"FILE 0"}', ["hey"]],
    ['{ "raw" : "~aGV5" , "a" : "~aGV5" }', '{ "raw" : "FILE 0" , "a" : "~aGV5" }', ["hey"]],
    ['{"raw":"~"}', '{"raw":"FILE 0"}', [""]],
    ['{"raw":"~aGV5","raw":"~aGU="}', '{"raw":"FILE 0","raw":"FILE 1"}', ["hey", "he"]],
    [
      '{"attachments":[{"filename":"raw","content_base64":"~aGV5"},{"content_base64":"~aGU="}],"raw":1}',
      '{"attachments":[{"filename":"raw","content_base64":"FILE 0"},{"content_base64":"FILE 1"}],"raw":1}',
      ["hey", "he"],
    ],
    ['{"raw":"~a\\u0047V5"}', '{"raw":"FILE 0"}', ["hey"]],
    ['{"raw":"~Pz8\\/"}', '{"raw":"FILE 0"}', ["???"]],
    ['{"raw":"~no Base64"}', '{"raw":"FILE 0 wrong"}', [undefined]],
    ['{"raw":"\\\\u0047\\"aGV5~"}', '{"raw":"FILE 0 wrong"}', [undefined]],
    ['{"raw":"~\xc3\xa9"}', '{"raw":"FILE 0 wrong"}', [undefined]],
    ['{"raw":"\xef\xbb\xbf~"}', '{"raw":"FILE 0 wrong"}', [undefined]],
    ['{"\\u0072aw":"~aGV5"}', '{"\\u0072aw":"~aGV5"}', []],
    ['{"content_base64":"~aGV5","b":{"raw":"~aGV5"}}', '{"content_base64":"~aGV5","b":{"raw":"~aGV5"}}', []],
    [
      '{"attachments":["raw","content_base64","~aGV5"]}',
      '{"attachments":["raw","content_base64","~aGV5"]}',
      [],
    ],
    [`{"${"x".repeat(40)}raw":"~aGV5"}`, `{"${"x".repeat(40)}raw":"~aGV5"}`, []],
    ['["raw","~aGV5"]', '["raw","~aGV5"]', []],
    ['{"raw":["~aGV5"]}', '{"raw":["FILE 0"]}', ["hey"]],
  ])("%s", (text, left, files) => {
    expect(scanned(text)).toEqual({ left, files });
  });

  test.each([
    ["a line break", '{"raw":"~aG\nV5"}'],
    ["an unknown escape", '{"raw":"~aG\\x"}'],
    ["an escape that is cut off", '{"raw":"~aG\\u00"}'],
    ["bytes that are no UTF-8", '{"raw":"~\xff\xff"}'],
    ["a character that is cut off", '{"raw":"~\xc3"}'],
  ])("with %s are no JSON", (_, text) => {
    expect(() => scanned(text)).toThrow(expect.objectContaining({ code: "invalid_json" }));
    expect(() =>
      JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"))),
    ).toThrow(Error);
  });

  test("are no more than a call may have", () => {
    const { left, files } = scanned(
      `{"raw":[${Array(LIMITS.attachments + 9)
        .fill('"~"')
        .join()}]}`,
    );
    expect(files).toHaveLength(LIMITS.attachments);
    expect(left.match(/"~"/g)).toHaveLength(9);
  });
});

test("many short files are left to the parser, but for those that come in two pieces", () => {
  const text = `{"raw":[${Array(LIMITS.json_keys - 2)
    .fill('"AAAA"')
    .join()}]}`;
  const sent = Buffer.from(text);
  const whole = createJsonScanner(["raw"]);
  expect(Buffer.concat(whole.scan(sent)).toString()).toBe(text);
  expect(whole.files.size).toBe(0);
  const parted = createJsonScanner(["raw"]);
  const kept: Uint8Array[] = [];
  for (let at = 0; at < sent.length; at += 16) kept.push(...parted.scan(sent.subarray(at, at + 16)));
  expect(parted.files.size).toBe(LIMITS.attachments);
  const left = [...parted.files.keys()].reduce(
    (all, name) => all.replace(name, "AAAA"),
    Buffer.concat(kept).toString(),
  );
  expect(left).toBe(text);
});

test("35 MB of text hold the event loop for less than 50 ms", async () => {
  const bytes = Buffer.from(
    JSON.stringify({ text: "The quick brown fox jumps over the lazy dog. ".repeat(800_000) }),
  );
  const spent: number[] = [];
  for (let round = 0; round < 3; round++)
    spent.push(await measureThreadCpu(() => createJsonScanner().scan(bytes)));
  expect(Math.min(...spent)).toBeLessThan(50);
});
