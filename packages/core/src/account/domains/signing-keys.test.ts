import { createPrivateKey } from "node:crypto";
import { expect, test } from "vitest";
import { createTestService, provenDomain } from "../../../testing/index.ts";
import { generateDkimKey } from "../../kernel/addresses/dkim-key.ts";
import { publicHalf, publicKeyHash } from "../../kernel/addresses/known-keys.ts";
import { createSigningKeys, type SigningKeysOptions } from "./signing-keys.ts";

const encryptionKeys = [new Uint8Array(32).fill(7)];

function keysOf(change: Partial<SigningKeysOptions> = {}) {
  const { services } = createTestService().letterslot;
  const { storage, clock } = services;
  const options = { storage, encryptionKeys, mailDomain: "agents.example.com", selector: "letterslot" };
  return {
    services,
    storage,
    keys: (more: Partial<SigningKeysOptions> = {}) =>
      createSigningKeys({ ...options, clock, ...change, ...more }),
  };
}

test("the key of the mail domain is an RSA key of 2048 bits, sealed in storage", async () => {
  const { storage, keys } = keysOf();
  const { selector, private_key } = await keys().own();
  const details = createPrivateKey(private_key);
  expect([selector, details.asymmetricKeyType, details.asymmetricKeyDetails?.modulusLength]).toEqual([
    ...["letterslot", "rsa", 2048],
  ]);
  const [stored, ...others] = await storage.find("service_keys", { where: {}, limit: 10 });
  expect(others).toEqual([]);
  expect(stored).toMatchObject({
    name: "dkim agents.example.com letterslot",
    created_at: "2026-01-01T00:00:00.000Z",
  });
  expect(JSON.stringify(stored)).not.toContain("PRIVATE KEY");
});

test("processes that start at once sign with one key, and so does one that starts later", async () => {
  const { storage, keys } = keysOf();
  const racing = await Promise.all(Array.from({ length: 8 }, () => keys().own()));
  const later = await keys().own();
  expect(new Set([...racing, later].map(({ private_key }) => private_key)).size).toBe(1);
  expect(await storage.count("service_keys", {}, 10)).toBe(1);
});

test("another selector and another mail domain have a key of their own", async () => {
  const { keys } = keysOf();
  const each = [keys(), keys({ selector: "later" }), keys({ mailDomain: "other.example.com" })];
  const made = await Promise.all(each.map((one) => one.own()));
  expect(new Set(made.map(({ private_key }) => private_key)).size).toBe(3);
});

test("a key that signed before keys were stored is taken over, and not asked for again", async () => {
  const earlier = await generateDkimKey();
  const { keys } = keysOf();
  let asked = 0;
  const earlierKey = async () => {
    asked += 1;
    return earlier;
  };
  expect((await keys({ earlierKey }).own()).private_key).toBe(earlier);
  expect((await keys({ earlierKey }).own()).private_key).toBe(earlier);
  expect(asked).toBe(1);
});

test("a key that the operator names signs in place of the stored one, and isn't stored", async () => {
  const ownKey = await generateDkimKey();
  const { storage, keys } = keysOf();
  expect((await keys({ ownKey }).own()).private_key).toBe(ownKey);
  expect(await storage.count("service_keys", {}, 10)).toBe(0);
});

test("every key of a mail domain is remembered before it signs, the operator's and earlier ones too", async () => {
  const { storage, keys } = keysOf();
  const known = async () =>
    (await storage.find("known_keys", { where: {}, limit: 9 })).map(({ hash }) => hash);
  const hashOf = ({ private_key }: { private_key: string }) => publicKeyHash(publicHalf(private_key));
  const first = await keys().find("agents.example.com");
  expect(await known()).toEqual(first === null ? [] : [hashOf(first)]);
  const ownKey = await generateDkimKey();
  await keys({ ownKey }).own();
  await keys({ ownKey }).own();
  expect(new Set(await known())).toEqual(
    new Set([first ?? { private_key: "" }, { private_key: ownKey }].map(hashOf)),
  );
  // A database of before remembers none: what is stored is made up for.
  await storage.delete("known_keys", {});
  const other = await keys({ mailDomain: "other.example.com" }).own();
  expect(new Set(await known())).toEqual(new Set([first ?? other, other].map(hashOf)));
});

test("a mail domain written in another way has the same key; other domains have none", async () => {
  const { keys } = keysOf({ mailDomain: "B\u00fccher.example" });
  const found = keys();
  const own = await found.own();
  for (const domain of ["xn--bcher-kva.example", "XN--BCHER-KVA.example"])
    expect(await found.find(domain)).toEqual(own);
  for (const domain of ["example", "a.xn--bcher-kva.example", "example.com", ""])
    expect(await found.find(domain)).toBeNull();
});

test("after a storage that failed the key is asked for again", async () => {
  const { storage, keys } = keysOf();
  let down = true;
  const get = (async (...given: Parameters<typeof storage.get>) => {
    if (down) throw new Error("storage is down");
    return storage.get(...given);
  }) as typeof storage.get;
  const failing = keys({ storage: { ...storage, get } });
  await expect(failing.own()).rejects.toThrow("storage is down");
  down = false;
  expect(await failing.own()).toMatchObject({ selector: "letterslot" });
});

test("a custom domain that an account has proven signs with its own key, the one that signs at present", async () => {
  const { storage, keys, services } = keysOf();
  const { seal } = services;
  const [first, second] = [await generateDkimKey(), await generateDkimKey()];
  const holder = await provenDomain(services, "acct_2", { domain: "example.org", private_key: second });
  const other = { ...holder, id: "dom_other", account_id: "acct_1", sealed_dkim_key: seal.seal(first) };
  await storage.insert("domains", other);
  const found = keys();
  expect(await found.find("Example.org")).toEqual({ selector: holder.dkim_selector, private_key: second });
  const rotated = { dkim_selector: "ls-next", sealed_dkim_key: seal.seal(first) };
  await storage.update("domains", { id: holder.id }, rotated);
  expect(await found.find("example.org")).toEqual({ selector: "ls-next", private_key: first });
  await storage.delete("proven_domains", { domain: "example.org" });
  expect(await found.find("example.org")).toBeNull();
});
