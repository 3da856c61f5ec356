import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { dnsError } from "./cached-dns.ts";
import { createKeyReader, MAX_CACHED_RECORD_CHARS, MAX_RSA_BITS } from "./public-keys.ts";

const recordOf = (bits: number) => {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  return `v=DKIM1; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
};
const sha256 = { hashAlgo: "sha256" };

function reader(records: Record<string, string>) {
  const asked: string[] = [];
  const keys = createKeyReader(async (name) => {
    asked.push(name);
    const record = records[name];
    if (record === undefined) throw dnsError("ENOTFOUND");
    return [[record]];
  });
  return { asked, read: (name: string, options = sha256) => keys.get("DKIM", name, undefined, options) };
}

test("a name is looked up once per message, and the same record gives the same key in the next", async () => {
  const record = recordOf(1024);
  const first = reader({ "a.test": record });
  const key = await first.read("a.test");
  await first.read("a.test");
  expect(first.asked).toEqual(["a.test"]);
  const second = reader({ "b.test": record });
  expect(await second.read("b.test")).toBe(key);
  expect(second.asked).toEqual(["b.test"]);
});

test("a different record under the same name gives a different key", async () => {
  const before = await reader({ "a.test": recordOf(1024) }).read("a.test");
  expect(await reader({ "a.test": recordOf(1024) }).read("a.test")).not.toBe(before);
});

test("an overlong record is not cached", async () => {
  const record = `${recordOf(1024)}; n=${"x".repeat(MAX_CACHED_RECORD_CHARS)}`;
  const key = await reader({ "a.test": record }).read("a.test");
  expect(await reader({ "b.test": record }).read("b.test")).not.toBe(key);
});

test("a cached key is not reused for a hash that its record excludes", async () => {
  const record = recordOf(1024).replace("v=DKIM1;", "v=DKIM1; h=sha256;");
  await reader({ "a.test": record }).read("a.test");
  await expect(reader({ "a.test": record }).read("a.test", { hashAlgo: "sha1" })).rejects.toMatchObject({
    code: "EINVALIDHASH",
  });
});

test("an answer that was read before gives the same key, but none for a hash that its record excludes", async () => {
  const answer = [[recordOf(1024).replace("v=DKIM1;", "v=DKIM1; h=sha256;")]];
  const read = (hashAlgo: string) =>
    createKeyReader(async () => answer).get("DKIM", "a.test", undefined, { hashAlgo });
  const key = await read("sha256");
  expect(await read("sha256")).toBe(key);
  expect(await read("sha256")).toBe(key);
  await expect(read("sha1")).rejects.toMatchObject({ code: "EINVALIDHASH" });
});

test("an oversized key is refused", async () => {
  // Cheaper than generating a key: any number with that many bits works.
  const modulus = Buffer.alloc(MAX_RSA_BITS / 8 + 1, 0xff);
  const integer = (bytes: Buffer) => der(0x02, Buffer.concat([Buffer.from([0]), bytes]));
  const key = der(0x30, Buffer.concat([integer(modulus), integer(Buffer.from([1, 0, 1]))]));
  const { read } = reader({ "a.test": `v=DKIM1; p=${key.toString("base64")}` });
  await expect(read("a.test")).rejects.toMatchObject({ code: "EINVALIDVAL" });
});

function der(tag: number, content: Buffer): Buffer {
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

test("a Unicode name is looked up in ASCII, and an overlong one not at all", async () => {
  const { asked, read } = reader({});
  await expect(read("s._domainkey.bücher.example")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(read(`${"x".repeat(60)}.`.repeat(5))).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(asked).toEqual(["s._domainkey.xn--bcher-kva.example"]);
});
