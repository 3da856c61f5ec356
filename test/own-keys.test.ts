import { createPrivateKey, createPublicKey } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSigningKeys } from "../packages/core/src/index.ts";
import type { Domain } from "../packages/core/src/model/domains.ts";
import type { TestAccount } from "../packages/core/testing/index.ts";
import { type OwnerWorld, startOwnerWorld } from "./support/owner-world.ts";
import { proofStorageNames, proofStorages } from "./support/proof-storages.ts";
import { createSigningKey, type SigningKey } from "./support/signer.ts";

/**
 * Keys that sign mail for this service, or once did, prove no author, wherever they are published now: mail is sent by
 * real SMTP, and its signatures are checked against a DNS server that the domain's owner controls.
 */
const FIRM = "firm.example.org";
const OTHER = "other.example.org";
const CFO = `cfo@${FIRM}`;
const DAY_MS = 86_400_000;

describe.each(proofStorageNames)("on %s", (storage_name) => {
  let world: OwnerWorld;
  let remove: () => Promise<void>;
  let victim: Awaited<ReturnType<OwnerWorld["guarded"]>>;
  let eve: TestAccount;

  beforeAll(async () => {
    const made = await proofStorages[storage_name]();
    remove = made.remove;
    world = await startOwnerWorld(made.storage);
    for (const domain of [FIRM, OTHER]) world.zone[`TXT _dmarc.${domain}`] = ["v=DMARC1; p=reject"];
    victim = await world.guarded("victim", CFO);
    eve = await world.service.signUp("eve");
  });
  afterAll(async () => {
    await world?.close();
    await remove?.();
  });

  /** Publishes a key as a domain's owner may, with another form of it if one is given. */
  function put(key: SigningKey, published = key.published): SigningKey {
    world.zone[`TXT ${key.selector}._domainkey.${key.domain}`] = [`v=DKIM1; k=rsa; p=${published}`];
    return key;
  }

  /** Adds a domain and proves it, without its MX record. */
  async function add(domain: string, { as } = eve): Promise<Domain> {
    const added = await as.domains.create({ domain });
    return verify(added, { as });
  }

  async function verify({ id }: Domain, { as } = eve as Pick<TestAccount, "as">): Promise<Domain> {
    const { records } = await as.domains.get({ domain_id: id });
    for (const { type, name, value } of records)
      if (type === "TXT") world.service.dns.set(name, "TXT", [value]);
    const shown = await as.domains.verify({ domain_id: id });
    expect(shown.status).toBe("verified");
    return shown;
  }

  /** The key that signs a domain's mail now: who has bytes that it signed needs no more. */
  async function keyOf({ id }: Domain, selector?: string): Promise<SigningKey> {
    const { storage, seal } = world.service.letterslot.services;
    const stored = await storage.get("domains", id);
    if (stored === undefined) throw new Error("it is gone");
    return keyFrom(seal.open(stored.sealed_dkim_key), stored.domain, selector ?? stored.dkim_selector);
  }

  function keyFrom(pem: string, domain: string, selector: string): SigningKey {
    const private_key = createPrivateKey(pem);
    const der = createPublicKey(private_key).export({ type: "spki", format: "der" });
    return { domain, selector, private_key, published: der.toString("base64"), zone: {} };
  }

  /** Whether an order in the CFO's name is taken for theirs. */
  async function isTrusted(key: SigningKey, { from = CFO, to = victim } = {}): Promise<boolean> {
    await world.service.clock.advance(1_000);
    const mail = world.write({ from, to: to.inbox.email, body: "Pay the invoice." });
    const { status } = await world.send(mail, { key, mail_from: "eve@elsewhere.example" });
    expect(status).toBe(250);
    const [task] = (await to.as.tasks.list({ inbox_id: to.inbox.id, limit: 1 })).data;
    const { data } = await to.as.messages.list({ inbox_id: to.inbox.id, limit: 1 });
    // The signature verifies: it is the key that proves nothing.
    expect(data[0]).toMatchObject({ auth: { dkim: "pass", dmarc: "pass" } });
    expect(task?.message_id).toBe(data[0]?.id);
    return task?.trusted ?? false;
  }

  const forget = async (domain: Domain, { as } = eve) => as.domains.delete({ domain_id: domain.id });

  test("a key of the domain's own is its owner's, before, while and after the domain is here", async () => {
    const own = put(createSigningKey(FIRM, { selector: "own" }));
    expect(await isTrusted(own)).toBe(true);
    const domain = await add(FIRM);
    expect(await isTrusted(own)).toBe(true);
    await forget(domain);
    expect(await isTrusted(own)).toBe(true);
  });

  test("a key of a domain that was deleted proves nothing, at its own selector or another", async () => {
    const domain = await add(FIRM);
    const key = put(await keyOf(domain));
    expect(await isTrusted(key)).toBe(false);
    await forget(domain);
    expect(await isTrusted(key)).toBe(false);
    expect(await isTrusted(put({ ...key, selector: "mail1" }))).toBe(false);
  });

  test("a key that was rotated away and forgotten proves nothing", async () => {
    const domain = await add(FIRM);
    const before = await keyOf(domain, "rotated");
    await eve.as.domains.rotateDkim({ domain_id: domain.id });
    await verify(domain);
    for (let days = 0; days < 9; days++) {
      await world.service.clock.advance(DAY_MS);
      await world.service.work();
    }
    const stored = await world.service.letterslot.services.storage.get("domains", domain.id);
    expect(stored).toMatchObject({
      previous_dkim_public_key: null,
      dkim_selector: expect.stringMatching(/-2$/),
    });
    expect(await isTrusted(put(before))).toBe(false);
    expect(await isTrusted(put(await keyOf(domain, "rotated2")))).toBe(false);
    await forget(domain);
    expect(await isTrusted(before)).toBe(false);
  });

  test("a key of another account's domain, there or published here, proves nothing", async () => {
    const mallory = await world.service.signUp("mallory");
    const first = await add(FIRM);
    const of_first = await keyOf(first, "moved1");
    await forget(first);
    const second = await add(FIRM, mallory);
    const elsewhere = await add(OTHER, mallory);
    expect(await isTrusted(put(of_first))).toBe(false);
    expect(await isTrusted(put(await keyOf(second, "moved2")))).toBe(false);
    expect(await isTrusted(put({ ...(await keyOf(elsewhere, "moved3")), domain: FIRM }))).toBe(false);
    await forget(second, mallory);
    await forget(elsewhere, mallory);
  });

  test("the service's own key proves nothing at a domain where it is published too", async () => {
    const { storage } = world.service.letterslot.services;
    const named = createSigningKey(FIRM, { selector: "relay" });
    expect(await isTrusted(put(named))).toBe(true);
    const options = { storage, encryptionKeys: [new Uint8Array(32).fill(7)], selector: "relay" };
    const keys = createSigningKeys({
      ...{ ...options, mailDomain: "agents.example.com" },
      ownKey: named.private_key.export({ type: "pkcs8", format: "pem" }).toString(),
    });
    await keys.own();
    expect(await isTrusted(named)).toBe(false);
    const stored = await createSigningKeys({ ...options, mailDomain: "earlier.example" }).own();
    expect(await isTrusted(put(keyFrom(stored.private_key, FIRM, "earlier")))).toBe(false);
  });

  test("whoever's key is at a selector of our form, it proves nothing", async () => {
    for (const selector of ["ls-zzzzzz", "ls-zzzzzz-2"])
      expect(await isTrusted(put(createSigningKey(FIRM, { selector })))).toBe(false);
    for (const selector of ["ls-zzzzz", "als-zzzzzz"])
      expect(await isTrusted(put(createSigningKey(FIRM, { selector })))).toBe(true);
  });

  test("a key proves nothing of an author in a subdomain, or in another form of its record", async () => {
    const below = await world.guarded("below", `cfo@mail.${FIRM}`);
    const domain = await add(FIRM);
    const key = put(await keyOf(domain, "sub"));
    await forget(domain);
    expect(await isTrusted(key, { from: `cfo@mail.${FIRM}`, to: below })).toBe(false);
    const pkcs1 = createPublicKey(key.private_key).export({ type: "pkcs1", format: "der" });
    expect(await isTrusted(put({ ...key, selector: "pkcs1" }, pkcs1.toString("base64")))).toBe(false);
  });
});
