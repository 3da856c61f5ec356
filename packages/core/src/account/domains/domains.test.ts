import { createPrivateKey, createPublicKey } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createMemoryDnsZones,
  createTestService,
  MEMORY_DNS_CREDENTIALS,
  type TestAccount,
  type TestService,
} from "../../../testing/index.ts";
import { customDomain, signingKey } from "../../kernel/addresses/custom-domains.ts";
import { countOrFail } from "../../kernel/rate.ts";
import type { Domain } from "../../model/domains.ts";
import { type TableName, tables } from "../../model/tables.ts";
import { acceptsRecipient } from "../../traffic/inbound/index.ts";
import { scanTable } from "../transfer/scan.ts";

const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;
const OURS = "letterslot.localhost";
const NAME = "agents.example.com";
const olga = "olga@family.example";

let service: TestService;
let account: TestAccount;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
});

type Purpose = Domain["records"][number]["purpose"];
const ALL: Purpose[] = ["ownership", "dkim", "mx", "spf", "return_path", "dmarc", "tls_reports"];
const code = (expected: string) => expect.objectContaining({ code: expected });
const storage = () => service.letterslot.services.storage;
const add = (domain = NAME) => account.as.domains.create({ domain });
const get = ({ id }: { id: string }, { as } = account) => as.domains.get({ domain_id: id });
const events = async ({ as } = account) =>
  (await as.events.list({ types: ["domain.verified", "domain.degraded"] })).data.map(({ type }) => type);

/** Publishes records of a domain as it shows them, as its owner would. */
function publish({ records }: Domain, purposes: Purpose[] = ALL) {
  const texts = new Map<string, string[]>();
  for (const { purpose, type, name, value, priority } of records.filter((one) =>
    purposes.includes(one.purpose),
  )) {
    if (type === "TXT") texts.set(name, [...(texts.get(name) ?? []), value]);
    else if (type === "MX") service.dns.set(name, "MX", [{ exchange: value, priority: priority ?? 0 }]);
    else service.dns.set(name, type, [value]);
    expect(purpose).toBeTruthy();
  }
  for (const [name, values] of texts) service.dns.set(name, "TXT", values);
  service.dns.set(OURS, "MX", [{ exchange: OURS, priority: 10 }]);
  service.dns.set(OURS, "A", ["203.0.113.5"]);
  service.dns.set(OURS, "TXT", ["v=spf1 mx ~all"]);
}

const unpublish = ({ records }: Domain, purpose: Purpose) => {
  for (const { name, type } of records.filter((one) => one.purpose === purpose))
    service.dns.remove(name, type);
};

/** Lets time pass in steps of an hour, or of six when it is long, with all work that comes due. */
async function pass(ms: number) {
  const step = ms > 5 * DAY_MS ? 6 * HOUR_MS : HOUR_MS;
  for (let left = ms; left > 0; left -= step) {
    await service.clock.advance(Math.min(left, step));
    await service.work();
  }
}

async function verified(domain = NAME): Promise<Domain> {
  const added = await add(domain);
  publish(added);
  await service.work();
  const shown = await get(added);
  expect(shown.status).toBe("verified");
  return shown;
}

describe("a new domain", () => {
  test("is pending, and wants its records, with absolute names", async () => {
    const domain = await account.as.domains.create({ domain: "Agents.EXAMPLE.com.", client_id: "one" });
    expect(domain).toMatchObject({
      ...{ object: "domain", domain: NAME, status: "pending", client_id: "one", idempotent: false },
      ...{
        dns: { mode: "manual", provider: null, last_error: null },
        mail: { receiving: false, sending: false },
      },
      ...{ warnings: [], checked_at: null, verified_at: null, next_check_at: domain.created_at },
    });
    expect(
      domain.records.map(({ purpose, type, name, required }) => [purpose, type, name, required]),
    ).toEqual([
      ["ownership", "TXT", `_letterslot.${NAME}`, true],
      ["dkim", "TXT", `ls-${domain.id.slice(-6)}._domainkey.${NAME}`, true],
      ["mx", "MX", NAME, false],
      ["spf", "TXT", NAME, false],
      ["return_path", "CNAME", `ls-bounce.${NAME}`, false],
      ["dmarc", "TXT", `_dmarc.${NAME}`, false],
      ["tls_reports", "TXT", `_smtp._tls.${NAME}`, false],
    ]);
    expect(domain.records.every(({ status }) => status === "missing")).toBe(true);
  });

  test("has a DKIM key of 2048 bits of its own, whose private half is sealed and shown to nobody", async () => {
    const { id, records } = await add();
    const stored = await storage().get("domains", id);
    if (stored === undefined) throw new Error("it is stored");
    const { private_key } = signingKey(service.letterslot.services, stored);
    expect(createPrivateKey(private_key).asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    const half = createPublicKey(private_key).export({ type: "spki", format: "der" }).toString("base64");
    expect(records.find(({ purpose }) => purpose === "dkim")?.value).toBe(`v=DKIM1; k=rsa; p=${half}`);
    expect(JSON.stringify(stored)).not.toContain("PRIVATE KEY");
    expect(JSON.stringify(await account.as.domains.list({}))).not.toMatch(/sealed|PRIVATE/);
    const other = await add("other.example.com");
    expect((await storage().get("domains", other.id))?.dkim_public_key).not.toBe(stored.dkim_public_key);
  });

  test("that is added again is the first one, by its name or client_id", async () => {
    const first = await account.as.domains.create({ domain: NAME, client_id: "one" });
    expect(await add()).toMatchObject({ id: first.id, idempotent: true });
    expect(await account.as.domains.create({ domain: "x.example.com", client_id: "one" })).toMatchObject({
      id: first.id,
    });
    expect((await account.as.domains.list({})).data).toHaveLength(1);
  });

  test("is one of fifty in an hour, and repeats aren't counted", async () => {
    // The others of this hour: a key for each of them would take most of this file's time.
    const cap = { name: `domains:${account.account_id}`, max: 50, window_ms: HOUR_MS };
    for (let count = 1; count < 50; count++) await countOrFail(storage(), cap, service.clock.now());
    await add("n0.example.com");
    for (let count = 0; count < 3; count++) expect((await add("n0.example.com")).idempotent).toBe(true);
    await expect(add()).rejects.toEqual(code("rate_limited"));
    await service.clock.advance(HOUR_MS);
    expect((await add()).status).toBe("pending");
  });

  test.each([
    ["com"],
    ["co.uk"],
    ["192.0.2.1"],
    ["[192.0.2.1]"],
    [OURS],
    [`agents.${OURS}`],
    ["ada@example.com"],
    ["https://example.com"],
    ["exa mple.com"],
    [""],
    ["a".repeat(254)],
  ])("%j is refused with a sentence", async (domain) => {
    await expect(add(domain)).rejects.toEqual(code("invalid_domain"));
    expect((await account.as.domains.list({})).data).toEqual([]);
  });

  test("is in letters of any script, and stored in ASCII", async () => {
    expect((await add("bücher.example")).domain).toBe("xn--bcher-kva.example");
  });

  test("asks workspaces that it lists for no more than that they are the account's", async () => {
    const own = await account.as.workspaces.create({ name: "Acme", inbox_quota: 1 });
    const eve = await service.signUp("eve");
    const other = await eve.as.workspaces.create({ name: "Other", inbox_quota: 1 });
    const made = await account.as.domains.create({ domain: NAME, workspace_ids: [own.id] });
    expect(made.workspace_ids).toEqual([own.id]);
    for (const workspace_ids of [[other.id], [own.id, "wsp_nobody"]]) {
      const update = account.as.domains.update({ domain_id: made.id, workspace_ids });
      await expect(update).rejects.toEqual(code("workspace_not_found"));
    }
    expect(await account.as.domains.update({ domain_id: made.id, workspace_ids: [] })).toMatchObject({
      workspace_ids: [],
    });
    await expect(account.as.domains.update({ domain_id: made.id })).rejects.toEqual(code("missing_change"));
  });
});

describe("verification", () => {
  test("goes from pending over verifying to verified, and says so once", async () => {
    const domain = await add();
    await service.work();
    expect(await get(domain)).toMatchObject({ status: "pending", checked_at: expect.any(String) });
    publish(domain, ["ownership"]);
    await pass(60_000);
    expect(await get(domain)).toMatchObject({ status: "verifying", verified_at: null });
    publish(domain);
    await pass(4 * 60_000);
    const shown = await get(domain);
    expect(shown).toMatchObject({
      ...{ status: "verified", mail: { receiving: true, sending: true }, warnings: [] },
      verified_at: service.clock.now().toISOString(),
    });
    expect(shown.records.map(({ status }) => status)).toEqual(Array(7).fill("valid"));
    expect(await events()).toEqual(["domain.verified"]);
    await pass(3 * DAY_MS);
    expect(await events()).toEqual(["domain.verified"]);
    const { data } = await account.as.events.list({ types: ["domain.verified"] });
    expect(data[0]).toMatchObject({
      inbox_id: null,
      data: { domain: { id: domain.id, status: "verified" } },
    });
    expect(JSON.stringify(data)).not.toMatch(/sealed/);
  });

  test("looks at once, after 1, 5, 15 and 60 minutes, and every hour", async () => {
    const domain = await add();
    const begun = service.clock.now().getTime();
    const minutes: number[] = [];
    for (let check = 0; check < 8; check++) {
      await service.work();
      const next = new Date((await get(domain)).next_check_at ?? 0).getTime();
      minutes.push((next - begun) / 60_000);
      await service.clock.advance(next - service.clock.now().getTime());
    }
    expect(minutes).toEqual([1, 5, 15, 60, 120, 180, 240, 300]);
  });

  test("looks at a verified domain once a day", async () => {
    const domain = await verified();
    const { checked_at, next_check_at } = domain;
    expect(new Date(next_check_at ?? 0).getTime() - new Date(checked_at ?? 0).getTime()).toBe(DAY_MS);
    await pass(DAY_MS - HOUR_MS);
    expect((await get(domain)).checked_at).toBe(checked_at);
    await pass(HOUR_MS);
    expect((await get(domain)).checked_at).toBe(next_check_at);
  });

  test.each([
    [["ownership", "dkim"], { receiving: false, sending: false }],
    [["ownership", "dkim", "mx"], { receiving: true, sending: false }],
    [["ownership", "dkim", "spf"], { receiving: false, sending: true }],
    [["ownership", "dkim", "return_path"], { receiving: false, sending: true }],
  ] satisfies [Purpose[], Partial<Domain["mail"]>][])(
    "with %j is verified, and does %j",
    async (purposes, mail) => {
      const domain = await add();
      publish(domain, purposes);
      await service.work();
      expect(await get(domain)).toMatchObject({ status: "verified", mail });
    },
  );

  test.each([[["ownership", "mx", "spf"]], [["dkim", "mx", "spf"]]] satisfies [Purpose[]][])(
    "with %j alone is not verified, and nothing works",
    async (purposes) => {
      const domain = await add();
      publish(domain, purposes);
      await service.work();
      expect(await get(domain)).toMatchObject({
        status: "verifying",
        mail: { receiving: false, sending: false },
      });
    },
  );

  test("fails after 72 hours, and begins anew when asked", async () => {
    const domain = await add();
    await pass(72 * HOUR_MS - HOUR_MS);
    expect((await get(domain)).status).toBe("pending");
    await pass(HOUR_MS);
    expect(await get(domain)).toMatchObject({ status: "failed", next_check_at: null });
    const asked = service.dns.asked.length;
    await pass(3 * DAY_MS);
    expect(service.dns.asked).toHaveLength(asked);
    const again = await account.as.domains.verify({ domain_id: domain.id });
    expect(again).toMatchObject({ status: "pending", checked_at: service.clock.now().toISOString() });
    publish(domain);
    await pass(60_000);
    expect((await get(domain)).status).toBe("verified");
  });

  test("that is asked for looks at once, and leaves one job", async () => {
    const domain = await add();
    publish(domain);
    for (let times = 0; times < 3; times++)
      expect(await account.as.domains.verify({ domain_id: domain.id })).toMatchObject({ status: "verified" });
    const jobs = await storage().find("jobs", { where: { subject_id: domain.id }, limit: 9 });
    expect(jobs.map(({ kind }) => kind)).toEqual(["domain.check"]);
  });

  test("keeps what it found while the DNS is in trouble, for any time", async () => {
    const domain = await verified();
    service.dns.fail(NAME, "ESERVFAIL");
    await pass(40 * DAY_MS);
    expect(await get(domain)).toMatchObject({ status: "verified", mail: { receiving: true, sending: true } });
    expect((await get(domain)).warnings.map((warning) => warning.code)).toEqual(["dnssec_failure"]);
    service.dns.fail(NAME, null);
    await pass(DAY_MS);
    expect(await get(domain)).toMatchObject({ status: "verified", warnings: [] });
  });

  test("takes no proof from what was found before the trouble", async () => {
    const domain = await add();
    publish(domain, ["ownership"]);
    await service.work();
    await storage().delete("proven_domains", { domain: NAME });
    service.dns.fail(`_letterslot.${NAME}`, "ETIMEOUT");
    publish(domain);
    await pass(HOUR_MS);
    expect((await get(domain)).status).toBe("verifying");
    expect(await storage().get("proven_domains", NAME)).toBeUndefined();
  });
});

describe("a verified domain", () => {
  test.each(["ownership", "dkim"] as const)(
    "without its %s record is degraded after a day, told to its owners, and recovers",
    async (purpose) => {
      await service.addOwner(account, olga);
      const domain = await verified();
      const letters = () =>
        service.transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(olga)).length;
      const before = letters();
      unpublish(domain, purpose);
      await pass(DAY_MS + HOUR_MS);
      expect((await get(domain)).status).toBe("verified");
      await pass(DAY_MS);
      const shown = await get(domain);
      expect(shown.status).toBe("degraded");
      expect(shown.mail.sending).toBe(purpose === "ownership");
      expect(await events()).toEqual(["domain.verified", "domain.degraded"]);
      expect(letters()).toBe(before + 1);
      const letter = new TextDecoder().decode(service.transport.sent.at(-1)?.raw);
      expect(letter).toContain(`The DNS of ${NAME} needs you`);
      await pass(2 * DAY_MS);
      expect(letters()).toBe(before + 1);
      publish(domain);
      await pass(HOUR_MS);
      expect(await get(domain)).toMatchObject({ status: "verified", verified_at: domain.verified_at });
      expect(await events()).toEqual(["domain.verified", "domain.degraded"]);
    },
  );

  test("whose record is gone for less than a day stays verified", async () => {
    const domain = await verified();
    unpublish(domain, "dkim");
    await pass(DAY_MS + 20 * HOUR_MS);
    publish(domain);
    await pass(10 * DAY_MS);
    expect(await events()).toEqual(["domain.verified"]);
  });

  test("receives no more once its MX is elsewhere", async () => {
    const domain = await verified();
    service.dns.set(NAME, "MX", [{ exchange: "mx.elsewhere.example", priority: 1 }]);
    await pass(DAY_MS);
    const shown = await get(domain);
    expect(shown).toMatchObject({ status: "verified", mail: { receiving: false, sending: true } });
    expect(shown.warnings.map((warning) => warning.code)).toContain("existing_mail_provider");
  });

  test("is released once the proof of ownership is gone for 30 days, and not a day earlier", async () => {
    const domain = await verified();
    unpublish(domain, "ownership");
    await pass(30 * DAY_MS);
    expect((await get(domain)).status).toBe("degraded");
    expect(await customDomain(storage(), NAME)).toMatchObject({ id: domain.id });
    await pass(DAY_MS);
    expect(await get(domain)).toMatchObject({
      ...{ status: "failed", next_check_at: null, mail: { receiving: false, sending: false } },
    });
    expect(await customDomain(storage(), NAME)).toBeUndefined();
  });
});

describe("two accounts that want one domain", () => {
  let eve: TestAccount;
  beforeEach(async () => {
    eve = await service.signUp("eve");
  });

  test("may both try; who proves it has it, and the other is told", async () => {
    const [mine, hers] = [await add(), await eve.as.domains.create({ domain: NAME })];
    const [own, other] = [mine, hers].map(
      ({ records }) => records.find(({ purpose }) => purpose === "ownership")?.value ?? "",
    );
    expect(own).not.toBe(other);
    publish(mine);
    await service.work();
    service.dns.set(`_letterslot.${NAME}`, "TXT", [own ?? "", other ?? ""]);
    for (const { purpose, name, value } of hers.records)
      if (purpose === "dkim") service.dns.set(name, "TXT", [value]);
    const lost = await eve.as.domains.verify({ domain_id: hers.id }).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: "domain_taken" });
    await pass(HOUR_MS);
    const shown = await get(hers, eve);
    expect(shown).toMatchObject({ status: "verifying", mail: { receiving: false, sending: false } });
    expect(shown.warnings.map((warning) => warning.code)).toContain("domain_taken");
    expect((await get(mine)).status).toBe("verified");
    expect(await customDomain(storage(), NAME)).toMatchObject({ account_id: account.account_id });
    await pass(72 * HOUR_MS);
    expect((await get(hers, eve)).status).toBe("failed");
    expect((await get(mine)).status).toBe("verified");
  });

  test("find it taken once it is verified", async () => {
    await verified();
    await expect(eve.as.domains.create({ domain: NAME })).rejects.toEqual(code("domain_taken"));
  });

  test.each([
    [
      "released",
      async ({ records }: Domain) => {
        unpublish({ records } as Domain, "ownership");
        await pass(32 * DAY_MS);
      },
    ],
    ["deleted", async ({ id }: Domain) => void (await account.as.domains.delete({ domain_id: id }))],
  ])("leave it to the other when it is %s", async (_, end) => {
    await end(await verified());
    const hers = await eve.as.domains.create({ domain: NAME });
    publish(hers);
    await service.work();
    expect((await get(hers, eve)).status).toBe("verified");
    expect(await customDomain(storage(), NAME)).toMatchObject({ account_id: eve.account_id });
  });

  test("that fails after the proof was seen leaves it to the other", async () => {
    const mine = await add();
    publish(mine, ["ownership"]);
    await service.work();
    expect(await customDomain(storage(), NAME)).toMatchObject({ account_id: account.account_id });
    await pass(72 * HOUR_MS);
    expect((await get(mine)).status).toBe("failed");
    expect(await customDomain(storage(), NAME)).toBeUndefined();
  });

  test("that prove it at the same moment, one has it", async () => {
    const accounts = [account, eve, await service.signUp("mallory"), await service.signUp("trudy")];
    const tried = await Promise.all(accounts.map(({ as }) => as.domains.create({ domain: NAME })));
    for (const domain of tried) publish(domain, ["dkim"]);
    const proofs = tried.flatMap(({ records }) => records.filter(({ purpose }) => purpose === "ownership"));
    service.dns.set(
      `_letterslot.${NAME}`,
      "TXT",
      proofs.map(({ value }) => value),
    );
    const { length } = (
      await Promise.allSettled(
        tried.map(async ({ id }, at) => accounts[at]?.as.domains.verify({ domain_id: id })),
      )
    ).filter((each) => each.status === "fulfilled" && each.value?.status === "verified");
    expect(length).toBe(1);
    await service.work();
    const shown = await Promise.all(tried.map((domain, at) => get(domain, accounts[at])));
    expect(shown.filter(({ status }) => status === "verified")).toHaveLength(1);
    expect(await storage().count("proven_domains", { domain: NAME }, 9)).toBe(1);
  });

  test("see nothing of each other's", async () => {
    const mine = await add();
    for (const call of [
      eve.as.domains.get({ domain_id: mine.id }),
      eve.as.domains.verify({ domain_id: mine.id }),
      eve.as.domains.zoneFile({ domain_id: mine.id }),
      eve.as.domains.rotateDkim({ domain_id: mine.id }),
      eve.as.domains.update({ domain_id: mine.id, workspace_ids: [] }),
      eve.as.domains.delete({ domain_id: mine.id }),
    ])
      await expect(call).rejects.toEqual(code("domain_not_found"));
  });
});

describe("a domain of the owners' own addresses", () => {
  test("isn't switched to receiving while that would leave nobody in charge", async () => {
    await service.addOwner(account, `olga@${NAME}`);
    const domain = await add();
    publish(domain);
    await expect(account.as.domains.verify({ domain_id: domain.id })).rejects.toEqual(code("owner_required"));
    const shown = await get(domain);
    expect(shown).toMatchObject({ status: "verified", mail: { receiving: false, sending: true } });
    expect(shown.warnings.map((warning) => warning.code)).toEqual(["owner_at_domain"]);
    const { operator } = service.letterslot;
    await operator.accounts.authority.give({ account_id: account.account_id, email: olga });
    expect(await account.as.domains.verify({ domain_id: domain.id })).toMatchObject({
      mail: { receiving: false, sending: true },
      warnings: [{ code: "people_at_domain" }],
    });
    await pass(14 * DAY_MS);
    expect(await get(domain)).toMatchObject({ mail: { receiving: true, sending: true }, warnings: [] });
  });
});

describe("a domain that will receive here", () => {
  const WITHOUT_MX = ALL.filter((purpose) => purpose !== "mx");
  const lettersTo = (email: string) =>
    service.transport.sent.filter(({ envelope, raw }) => {
      const text = new TextDecoder().decode(raw);
      return envelope.rcpt_to.includes(email) && text.includes(`Subject: Mail for ${NAME}`);
    }).length;
  const later = (ms: number) => new Date(service.clock.now().getTime() + ms).toISOString();
  /** Another account with an owner at the domain, who also is in charge of it. */
  const theirs = async (email = `cfo@${NAME}`) => {
    const other = await service.signUp(email.slice(0, email.indexOf("@")));
    await service.addOwner(other, email);
    return other;
  };
  const accepts = (address: string) => acceptsRecipient(service.letterslot.services, address);

  test("waits for nobody where nobody has an address at it", async () => {
    await theirs("cfo@firm.example");
    const domain = await verified();
    expect(domain.mail).toEqual({ receiving: true, sending: true, receiving_from: null });
  });

  test("tells people of other accounts once, and is switched after 72 hours, not before", async () => {
    const other = await service.signUp("other");
    await service.letterslot.operator.accounts.authority.give({ account_id: other.account_id, email: olga });
    await service.addOwner(other, `cfo@${NAME}`);
    const domain = await add();
    const from = later(72 * HOUR_MS);
    publish(domain, WITHOUT_MX);
    await service.work();
    const shown = await get(domain);
    expect(shown.mail).toEqual({ receiving: false, sending: true, receiving_from: from });
    expect(shown.records.find(({ purpose }) => purpose === "mx")?.hint).toContain(`Set it from ${from} on`);
    expect([lettersTo(`cfo@${NAME}`), lettersTo(olga)]).toEqual([1, 1]);
    const inbox = await account.as.inboxes.create({ username: "desk", domain: NAME });
    publish(domain);
    await account.as.domains.verify({ domain_id: domain.id });
    expect(await accepts(inbox.email)).toBe("deferred");
    await pass(71 * HOUR_MS);
    expect((await get(domain)).mail.receiving).toBe(false);
    expect(await other.as.owners.list({ inbox_id: other.inbox.id })).toMatchObject({
      data: [{ status: "verified" }],
    });
    await pass(HOUR_MS);
    expect((await get(domain)).mail.receiving).toBe(true);
    expect(await accepts(inbox.email)).toBe("ok");
    expect([lettersTo(`cfo@${NAME}`), lettersTo(olga)]).toEqual([1, 1]);
  });

  test("waits 14 days where another account would lose everybody in charge, and comes all the same", async () => {
    await theirs();
    const domain = await add();
    publish(domain);
    await service.work();
    expect((await get(domain)).mail).toMatchObject({ receiving: false, receiving_from: later(14 * DAY_MS) });
    await pass(14 * DAY_MS - HOUR_MS);
    expect((await get(domain)).mail.receiving).toBe(false);
    await pass(HOUR_MS);
    expect((await get(domain)).mail.receiving).toBe(true);
  });

  test("tells who came later, and gives them the time too", async () => {
    const domain = await add();
    publish(domain, WITHOUT_MX);
    await service.work();
    expect((await get(domain)).mail.receiving_from).toBeNull();
    await theirs();
    publish(domain);
    const { mail } = await account.as.domains.verify({ domain_id: domain.id });
    expect(mail).toMatchObject({ receiving: false, receiving_from: later(14 * DAY_MS) });
    await service.work();
    expect(lettersTo(`cfo@${NAME}`)).toBe(1);
  });

  test("was nothing when it is deleted before, and is told of again with another proof", async () => {
    await theirs();
    const domain = await add();
    publish(domain);
    await service.work();
    await account.as.domains.delete({ domain_id: domain.id });
    expect(await storage().count("receiving_notices", {}, 9)).toBe(0);
    await pass(15 * DAY_MS);
    expect(await storage().find("owners", { where: { email: `cfo@${NAME}` }, limit: 1 })).toMatchObject([
      { status: "verified" },
    ]);
    const again = await add();
    publish(again);
    await service.work();
    expect((await get(again)).mail.receiving_from).toBe(later(14 * DAY_MS));
    expect(lettersTo(`cfo@${NAME}`)).toBe(2);
  });
});

describe("rotating the DKIM key", () => {
  const keys = ({ records }: Domain) => records.filter(({ purpose }) => purpose === "dkim");
  const signer = async ({ id }: Domain) => (await storage().get("domains", id))?.dkim_selector;

  test("publishes a new one first, signs with it once it is seen, and keeps the old one for 7 days", async () => {
    const domain = await verified();
    const first = `ls-${domain.id.slice(-6)}`;
    const begun = await account.as.domains.rotateDkim({ domain_id: domain.id });
    expect(keys(begun).map(({ name, status }) => [name, status])).toEqual([
      [`${first}._domainkey.${NAME}`, "valid"],
      [`${first}-2._domainkey.${NAME}`, "missing"],
    ]);
    expect(begun.status).toBe("verified");
    expect(await signer(domain)).toBe(first);
    expect(keys(await account.as.domains.rotateDkim({ domain_id: domain.id }))).toHaveLength(2);
    await pass(2 * DAY_MS);
    expect(await signer(domain)).toBe(first);

    publish(begun);
    await pass(HOUR_MS);
    expect(await signer(domain)).toBe(`${first}-2`);
    expect(await storage().get("domains", domain.id)).toMatchObject({ previous_dkim_selector: first });
    await pass(7 * DAY_MS - HOUR_MS);
    expect(await storage().get("domains", domain.id)).toMatchObject({ previous_dkim_selector: first });
    await pass(2 * HOUR_MS);
    expect(await storage().get("domains", domain.id)).toMatchObject({ previous_dkim_selector: null });
    expect(keys(await get(domain)).map(({ name }) => name)).toEqual([`${first}-2._domainkey.${NAME}`]);
    expect((await get(domain)).status).toBe("verified");
  });

  test("at the same time makes one key", async () => {
    const domain = await verified();
    const call = () => account.as.domains.rotateDkim({ domain_id: domain.id });
    const made = await Promise.all([call(), call(), call()]);
    expect(new Set(made.flatMap((each) => keys(each).map(({ value }) => value))).size).toBe(2);
  });

  test("needs a domain that signs", async () => {
    const domain = await add();
    await expect(account.as.domains.rotateDkim({ domain_id: domain.id })).rejects.toEqual(
      code("domain_not_verified"),
    );
  });
});

describe("automatic DNS", () => {
  const zones = createMemoryDnsZones();
  const dns = {
    mode: "automatic" as const,
    provider: "cloudflare" as const,
    credentials: { api_token: MEMORY_DNS_CREDENTIALS.write },
  };
  const written = () => zones.records("example.com");
  beforeEach(async () => {
    service = createTestService({ dnsZones: zones });
    account = await service.signUp();
    written().length = 0;
    zones.failWith(null);
  });

  test("writes the records at once, and removes exactly those", async () => {
    const foreign = { name: `other.${NAME}`, type: "TXT", value: "mine", priority: null };
    written().push(foreign);
    const domain = await account.as.domains.create({ domain: NAME, dns });
    expect(domain.dns).toEqual({ mode: "automatic", provider: "cloudflare", last_error: null });
    await service.work();
    expect(written()).toHaveLength(8);
    for (const { name, type, value } of domain.records)
      expect(written()).toContainEqual(expect.objectContaining({ name, type, value }));
    const deleted = await account.as.domains.delete({ domain_id: domain.id });
    expect(deleted).toMatchObject({ deleted: true, inboxes_deleted: 0, dns_cleanup: { errors: [] } });
    expect(deleted.dns_cleanup.removed).toHaveLength(7);
    expect(written()).toEqual([foreign]);
  });

  test("leaves what is in the way alone, and says so", async () => {
    const theirs = { name: NAME, type: "MX", value: "mx.elsewhere.example", priority: 1 };
    written().push(theirs);
    const domain = await account.as.domains.create({ domain: NAME, dns });
    await service.work();
    const { warnings } = await get(domain);
    expect(warnings.map((warning) => warning.code)).toContain("dns_conflict");
    expect(written()).toContainEqual(theirs);
    expect(written().filter(({ type }) => type === "MX")).toEqual([theirs]);
  });

  test("tells why it can't write, goes on with checks, and writes later", async () => {
    zones.failWith("dns_credentials_refused");
    const domain = await account.as.domains.create({ domain: NAME, dns });
    await service.work();
    expect((await get(domain)).dns.last_error).toEqual(expect.any(String));
    publish(domain);
    zones.failWith(null);
    await pass(60_000);
    expect(await get(domain)).toMatchObject({ status: "verified", dns: { last_error: null } });
  });

  test("keeps its credentials sealed, and in no answer, event or stored text", async () => {
    const domain = await account.as.domains.create({ domain: NAME, dns });
    publish(domain);
    await service.work();
    expect((await get(domain)).status).toBe("verified");
    const shown = JSON.stringify([await account.as.domains.list({}), await account.as.events.list({})]);
    const stored: string[] = [];
    for (const table of Object.keys(tables) as TableName[])
      for await (const records of scanTable(storage(), table)) stored.push(JSON.stringify(records));
    expect(stored.join()).toContain(domain.id);
    for (const text of [shown, ...stored]) expect(text).not.toContain(MEMORY_DNS_CREDENTIALS.write);
  });

  test("tells of records that it can't remove, and deletes the domain", async () => {
    const domain = await account.as.domains.create({ domain: NAME, dns });
    await service.work();
    zones.failWith("dns_provider_unreachable");
    const { dns_cleanup } = await account.as.domains.delete({ domain_id: domain.id });
    expect(dns_cleanup.removed).toEqual([]);
    expect(dns_cleanup.errors).toHaveLength(7);
    expect(dns_cleanup.errors[0]).toMatchObject({
      code: "dns_provider_unreachable",
      message: expect.any(String),
    });
    await expect(get(domain)).rejects.toEqual(code("domain_not_found"));
    await pass(HOUR_MS);
    expect(written()).toHaveLength(7);
    zones.failWith(null);
    await pass(5 * HOUR_MS);
    expect(written()).toEqual([]);
    expect(await storage().find("jobs", { where: { subject_id: domain.id }, limit: 10 })).toEqual([]);
  });

  test("leaves what the domain wants when it was added again before its zone was cleared", async () => {
    const first = await account.as.domains.create({ domain: NAME, dns });
    await service.work();
    const key = written().find(({ name }) => name.includes("_domainkey"));
    zones.failWith("dns_provider_unreachable");
    await account.as.domains.delete({ domain_id: first.id });
    zones.failWith(null);
    await account.as.domains.create({ domain: NAME, dns });
    await service.work();
    expect(written()).toContainEqual(key);
    await pass(HOUR_MS);
    expect(written()).toHaveLength(7);
    expect(written()).not.toContainEqual(key);
  });

  test("clears the zone of a domain that goes with its account", async () => {
    await account.as.domains.create({ domain: NAME, dns });
    await service.work();
    expect(written()).toHaveLength(7);
    await service.letterslot.operator.accounts.delete(account.account_id);
    await service.work();
    expect(written()).toEqual([]);
  });

  test("publishes the next DKIM key by itself, and takes the old one away after 7 days", async () => {
    const domain = await account.as.domains.create({ domain: NAME, dns });
    publish(domain);
    await service.work();
    publish(await account.as.domains.rotateDkim({ domain_id: domain.id }));
    const selectors = () => written().flatMap(({ name }) => /^(ls-.*)\._domainkey/.exec(name)?.[1] ?? []);
    const first = `ls-${domain.id.slice(-6)}`;
    expect(selectors()).toEqual([first, `${first}-2`]);
    await pass(7 * DAY_MS);
    expect(selectors()).toEqual([first, `${first}-2`]);
    await pass(2 * DAY_MS);
    expect(selectors()).toEqual([`${first}-2`]);
  });

  test.each([
    ["a provider that isn't there", { ...dns, provider: "nobody" }, "dns_provider_unavailable"],
    ["a zone that hasn't the domain", { ...dns, zone: "elsewhere.example" }, "dns_zone_mismatch"],
    ["credentials in another form", { ...dns, credentials: { token: "x" } }, "invalid_dns_credentials"],
  ])("with %s is refused at once", async (_, wrong, expected) => {
    const call = account.as.domains.create({ domain: NAME, dns: wrong as typeof dns });
    await expect(call).rejects.toMatchObject({ code: expect.stringMatching(`${expected}|invalid_request`) });
  });
});

test("a service that can't write DNS records says so", async () => {
  const dns = {
    mode: "automatic" as const,
    provider: "cloudflare" as const,
    credentials: { api_token: "x" },
  };
  await expect(account.as.domains.create({ domain: NAME, dns })).rejects.toEqual(
    code("dns_provider_unavailable"),
  );
});

test("the zone file has what is missing, ready to import", async () => {
  const domain = await add();
  publish(domain, ["mx"]);
  await service.work();
  const { bytes, headers } = await account.as.domains.zoneFile({ domain_id: domain.id });
  expect(headers["Content-Type"]).toBe("text/dns; charset=utf-8");
  const text = new TextDecoder().decode(bytes);
  expect(text).toContain(`_letterslot.${NAME}.`);
  expect(text).not.toMatch(/\bIN\s+MX\b/);
});

describe("deleting a domain", () => {
  const at = (domain: Domain, as = account.as) => as.inboxes.create({ domain: domain.domain });

  test("that inboxes use is refused, unless they are to go with it", async () => {
    const domain = await verified();
    const room = await at(domain);
    const end = (delete_inboxes = false) =>
      account.as.domains.delete({ domain_id: domain.id, delete_inboxes });
    await expect(end()).rejects.toEqual(code("domain_in_use"));
    expect((await get(domain)).status).toBe("verified");
    expect(await end(true)).toMatchObject({ deleted: true, inboxes_deleted: 1 });
    await expect(account.as.inboxes.get({ inbox_id: room.id })).rejects.toEqual(code("inbox_not_found"));
    expect((await account.as.inboxes.list({})).data.map(({ id }) => id)).toEqual([account.inbox.id]);
  });

  test("deletes none of the inboxes if one needs an approval", async () => {
    const domain = await verified();
    const [open, held] = [await at(domain), await at(domain)];
    await service.addOwner({ ...account, inbox: held }, olga);
    await account.as.inboxes.update({ inbox_id: held.id, send_mode: "approval" });
    const call = account.as.domains.delete({ domain_id: domain.id, delete_inboxes: true });
    await expect(call).rejects.toEqual(code("approval_required"));
    for (const { id } of [open, held])
      expect(await account.as.inboxes.get({ inbox_id: id })).toMatchObject({ id });
    expect((await get(domain)).status).toBe("verified");
  });

  test("deletes inboxes of workspaces that use it too, and only they keep it from being taken from them", async () => {
    const domain = await verified();
    const { id, api_key = "" } = await account.as.workspaces.create({ name: "Acme", inbox_quota: 2 });
    const within = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(at(domain, within)).rejects.toEqual(code("domain_not_found"));
    const list = (workspace_ids: string[]) =>
      account.as.domains.update({ domain_id: domain.id, workspace_ids });
    await list([id]);
    const room = await at(domain, within);
    await expect(list([])).rejects.toEqual(code("domain_in_use"));
    await expect(account.as.domains.delete({ domain_id: domain.id })).rejects.toEqual(code("domain_in_use"));
    const deleted = await account.as.domains.delete({ domain_id: domain.id, delete_inboxes: true });
    expect(deleted.inboxes_deleted).toBe(1);
    await expect(within.inboxes.get({ inbox_id: room.id })).rejects.toEqual(code("inbox_not_found"));
  });

  test("at the same time as inboxes are made leaves none without its domain", async () => {
    const domain = await verified();
    const [gone, ...made] = await Promise.allSettled([
      account.as.domains.delete({ domain_id: domain.id }),
      ...Array.from({ length: 4 }, () => at(domain)),
    ]);
    const there = made.filter(({ status }) => status === "fulfilled").length;
    expect(gone.status === "fulfilled").toBe(there === 0);
    expect(await storage().count("domains", { id: domain.id }, 2)).toBe(there === 0 ? 0 : 1);
  });

  test("of which people write the records cleans nothing up", async () => {
    const domain = await verified();
    expect(await account.as.domains.delete({ domain_id: domain.id })).toEqual({
      ...{ id: domain.id, object: "domain", deleted: true, inboxes_deleted: 0 },
      dns_cleanup: { removed: [], errors: [] },
    });
    await expect(get(domain)).rejects.toEqual(code("domain_not_found"));
    await pass(2 * DAY_MS);
    expect(await storage().count("jobs", { subject_id: domain.id }, 1)).toBe(0);
  });
});

describe("a plan", () => {
  test("limits the domains of an account, however many are added at once", async () => {
    const nulls = {
      inboxes: null,
      monthly_sends: null,
      workspaces: null,
      storage_mb: null,
      upgrade_url: null,
    };
    const phone = { phone_numbers: null, voice_minutes_per_number: null, voice_minutes: null };
    const free = { ...nulls, ...phone, included_numbers: null, owner_bonus_percent: null, custom_domains: 2 };
    service = createTestService({ plans: { default: "free", plans: { free } } });
    account = await service.signUp();
    const tried = await Promise.allSettled([1, 2, 3, 4].map((n) => add(`n${n}.example.com`)));
    expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await expect(add("n5.example.com")).rejects.toEqual(code("plan_limit_exceeded"));
    const [domain] = (await account.as.domains.list({})).data;
    await account.as.domains.delete({ domain_id: domain?.id ?? "" });
    expect(await add("n5.example.com")).toMatchObject({ status: "pending" });
    expect(await account.as.me.get({})).toMatchObject({
      usage: { custom_domains: { used: 2, limit: 2 } },
      notices: [{ code: "usage_full", resource: "custom_domains" }],
    });
  });
});
