import { beforeEach, describe, expect, test } from "vitest";
import {
  createTestService,
  provenDomain,
  signedBy,
  type TestAccount,
  type TestService,
} from "../testing/index.ts";
import type { DomainRecord } from "./model/domains.ts";
import { returnPathOf } from "./traffic/bounces/index.ts";
import { acceptsRecipient } from "./traffic/inbound/index.ts";

const NAME = "agents.example.com";
const OURS = "letterslot.localhost";
const code = (expected: string) => expect.objectContaining({ code: expected });

let service: TestService;
let account: TestAccount;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
});

const own = (change: Partial<DomainRecord> = {}, of = account) =>
  provenDomain(service.letterslot.services, of.account_id, { domain: NAME, ...change });
const change = ({ id }: DomainRecord, to: Partial<DomainRecord>) =>
  service.letterslot.services.storage.update("domains", { id }, to);
const inboxAt = (username = "ada", { as } = account) => as.inboxes.create({ username, domain: NAME });
/** The return path that the service would make for a message at a domain. */
const pathAt = (id: string, domain: string) => returnPathOf(service.letterslot.services, id, domain);
const accepts = (address: string) => acceptsRecipient(service.letterslot.services, address);
const last = () => {
  const mail = service.transport.sent.at(-1);
  if (mail === undefined) throw new Error("no mail left");
  return { ...mail, text: new TextDecoder().decode(mail.raw) };
};
/** A custom domain's proof goes to another account. */
async function passOn(domain: DomainRecord, to: TestAccount): Promise<DomainRecord> {
  await service.letterslot.services.storage.delete("proven_domains", { domain: domain.domain });
  return own({}, to);
}

describe("an inbox at a custom domain", () => {
  test.each(["agents.example.com", "Agents.EXAMPLE.com", "ａgents.example.com"])(
    "is made at a verified one, named %s",
    async (domain) => {
      await own();
      const inbox = await account.as.inboxes.create({ username: "ada", domain });
      expect(inbox).toMatchObject({ email: `ada@${NAME}`, username: "ada" });
      expect(await account.as.inboxes.get({ inbox_id: `ada@${NAME}` })).toMatchObject({ id: inbox.id });
      expect((await account.as.inboxes.create({ domain })).email).toMatch(
        /^[a-z-]+\d*@agents\.example\.com$/,
      );
    },
  );

  test("is one of many that are made at once, with or without a prefix", async () => {
    await own();
    for (const prefix of [undefined, "lead"]) {
      const { data } = await account.as.inboxes.createBatch({
        count: 3,
        domain: NAME,
        ...(prefix && { prefix }),
      });
      const name = prefix === undefined ? "[a-z-]+\\d*" : "lead-[a-z0-9]{6}";
      for (const { email } of data) expect(email).toMatch(new RegExp(`^${name}@agents\\.example\\.com$`));
      expect(data).toHaveLength(3);
    }
    await expect(account.as.inboxes.createBatch({ count: 2, domain: "other.example.com" })).rejects.toEqual(
      code("domain_not_found"),
    );
  });

  test.each<[Partial<DomainRecord>, string]>([
    [{ status: "degraded" }, ""],
    [{ status: "pending" }, "domain_not_verified"],
    [{ status: "verifying" }, "domain_not_verified"],
    [{ status: "failed" }, "domain_not_verified"],
    [{ domain: "other.example.com" }, "domain_not_found"],
  ])("of %j answers %s", async (given, expected) => {
    await own(given);
    if (expected === "") expect(await inboxAt()).toMatchObject({ email: `ada@${NAME}` });
    else await expect(inboxAt()).rejects.toEqual(code(expected));
  });

  test("isn't another account's to make, nor a workspace's that isn't listed", async () => {
    const domain = await own();
    const other = await service.signUp("other");
    await expect(inboxAt("ada", other)).rejects.toEqual(code("domain_not_found"));
    const workspace = await account.as.workspaces.create({ name: "One", inbox_quota: 5 });
    const within = service.letterslot.as(await service.letterslot.within(account.caller, workspace.id));
    await expect(within.inboxes.create({ domain: NAME })).rejects.toEqual(code("domain_not_found"));
    await change(domain, { workspace_ids: [workspace.id] });
    const inbox = await within.inboxes.create({ username: "ada", domain: NAME });
    expect(await accepts(inbox.email)).toBe("ok");
    await change(domain, { workspace_ids: [] });
    expect(await accepts(inbox.email)).toBe("unknown");
  });

  test("has its username apart from the same one elsewhere", async () => {
    await own();
    await account.as.inboxes.create({ username: "ada" });
    const { id } = await inboxAt("ada");
    expect(await account.as.inboxes.get({ inbox_id: "ada" })).toMatchObject({ email: `ada@${OURS}` });
    expect(await account.as.inboxes.get({ inbox_id: `ada@${NAME}` })).toMatchObject({ id });
    await expect(inboxAt("ada")).rejects.toEqual(code("username_taken"));
    await expect(inboxAt("postmaster")).rejects.toEqual(code("username_reserved"));
  });

  test("can't have the address of a verified owner or of who has authority", async () => {
    const domain = await own({ mail: { receiving: false, sending: true } });
    await service.addOwner(account, `grace@${NAME}`);
    await change(domain, { mail: { receiving: true, sending: true } });
    await expect(inboxAt("grace")).rejects.toEqual(code("username_taken"));
  });

  test("is issued anew only to an account that has proven the domain since", async () => {
    const domain = await own();
    const before = await inboxAt("ada");
    const other = await service.signUp("other");
    await passOn(domain, other);
    expect(await accepts(before.email)).toBe("unknown");
    const after = await inboxAt("ada", other);
    expect(await accepts(after.email)).toBe("ok");
    await service.receive({ from: "bo@example.org", to: after.email });
    expect((await other.as.messages.list({ inbox_id: after.id })).data).toHaveLength(1);
    expect((await account.as.messages.list({ inbox_id: before.id })).data).toHaveLength(0);
    await account.as.inboxes.delete({ inbox_id: before.id, permanent: true });
    expect(await accepts(after.email)).toBe("ok");
  });
});

describe("mail for it", () => {
  test.each<[Partial<DomainRecord>, string]>([
    [{}, "ok"],
    [{ status: "degraded" }, "ok"],
    [{ mail: { receiving: false, sending: true } }, "unknown"],
    [{ status: "failed" }, "unknown"],
  ])("with a domain of %j is %s", async (given, expected) => {
    const domain = await own();
    const { email } = await inboxAt();
    await change(domain, given);
    for (const address of [email, `ADA+tag@${NAME.toUpperCase()}`]) {
      expect(await accepts(address)).toBe(expected);
      const { results } = await service.receive({
        from: "bo@example.org",
        to: address,
        message_id: `<${address}>`,
      });
      expect(results).toMatchObject([{ outcome: expected === "ok" ? "stored" : "refused" }]);
    }
  });

  test("of a name that no inbox has, or while nobody has proven the domain, is refused", async () => {
    const domain = await own();
    const { email } = await inboxAt();
    expect(await accepts(`nobody@${NAME}`)).toBe("unknown");
    await service.letterslot.services.storage.delete("proven_domains", { domain: domain.domain });
    expect(await accepts(email)).toBe("unknown");
  });
});

describe("mail to postmaster@ and abuse@", () => {
  const write = (to: string, more = {}) =>
    service.receive({ from: "bo@example.org", to, subject: "A complaint", text: "Stop that", ...more });
  const accepting = async () => [await accepts(`postmaster@${NAME}`), await accepts(`ABUSE+x@${NAME}`)];
  const readers = () => service.transport.sent.map(({ envelope }) => envelope.rcpt_to);
  const giveAuthority = (email: string) =>
    service.letterslot.services.storage.insert("authorities", {
      ...{ id: "aut_1", account_id: account.account_id, inbox_id: null, email },
      ...{ since: "2026-01-01T00:00:00.000Z", given_by: email, passkeys_off_at: null },
    });

  test("is refused where nobody is in charge, and where the domain doesn't receive", async () => {
    const domain = await own();
    expect(await accepting()).toEqual(["unknown", "unknown"]);
    await giveAuthority("grace@family.example");
    expect(await accepting()).toEqual(["ok", "ok"]);
    expect(await accepts(`webmaster@${NAME}`)).toBe("unknown");
    await change(domain, { mail: { receiving: false, sending: true } });
    expect(await accepting()).toEqual(["unknown", "unknown"]);
  });

  test("goes to the account owners, else to the verified owners, as a letter", async () => {
    await own();
    await giveAuthority("grace@family.example");
    expect((await write(`abuse@${NAME}`)).results).toMatchObject([{ outcome: "recorded" }]);
    await service.work();
    expect(readers()).toEqual([["grace@family.example"]]);
    expect(last().text).toMatch(/Subject: Mail for abuse@agents\.example\.com: A complaint/);
    expect(last().text).toContain("bo@example.org");
    expect(last().text).toContain("Stop that");
    expect(last()).toMatchObject({ from: `no-reply@${OURS}`, letter: true });
    await service.addOwner(account, "olga@family.example");
    await service.letterslot.services.storage.delete("authorities", { account_id: account.account_id });
    await write(`postmaster@${NAME}`);
    await service.work();
    expect(last().envelope.rcpt_to).toEqual(["olga@family.example"]);
  });

  test("of a machine that answers is dropped, and beyond twenty an hour it is to come later", async () => {
    await own();
    await giveAuthority("grace@family.example");
    const answer = await write(`postmaster@${NAME}`, { headers: ["Auto-Submitted: auto-replied"] });
    expect(answer.results).toMatchObject([{ outcome: "dropped", reason: "automatic_reply" }]);
    for (let written = 0; written < 20; written++) await write(`postmaster@${NAME}`);
    expect((await write(`postmaster@${NAME}`)).results).toMatchObject([
      { outcome: "deferred", reason: "too_many" },
    ]);
    await service.work();
    expect(readers()).toHaveLength(20);
    await service.clock.advance(3600_000);
    expect((await write(`postmaster@${NAME}`)).results).toMatchObject([{ outcome: "recorded" }]);
  });
});

describe("mail from within", () => {
  const send = (to: string[]) => account.as.messages.send({ inbox_id: account.inbox.id, to, text: "Hello" });

  test("stays here only where the domain receives and an inbox has the address; all else leaves", async () => {
    const domain = await own();
    const ada = await inboxAt();
    await send([ada.email, `ada+tag@${NAME}`, `nobody@${NAME}`]);
    await service.work();
    expect(last().envelope.rcpt_to).toEqual([`nobody@${NAME}`]);
    expect((await account.as.messages.list({ inbox_id: ada.id })).data).toHaveLength(1);
    await change(domain, { mail: { receiving: false, sending: true } });
    await send([ada.email]);
    await service.work();
    expect(last().envelope.rcpt_to).toEqual([ada.email]);
    expect((await account.as.messages.list({ inbox_id: ada.id })).data).toHaveLength(1);
  });

  test("that is a letter always leaves", async () => {
    await own();
    const ada = await inboxAt();
    await account.as.owners.create({ inbox_id: account.inbox.id, email: ada.email });
    await service.work();
    expect(last().envelope.rcpt_to).toEqual([ada.email]);
    expect((await account.as.messages.list({ inbox_id: ada.id })).data).toHaveLength(0);
  });
});

describe("mail that it sends", () => {
  const send = (inbox_id: string) =>
    account.as.messages.send({ inbox_id, to: ["bo@example.org"], subject: "Hello", text: "Hello" });

  test("is from its domain, with a Message-ID there and the envelope below it", async () => {
    await own();
    const { id: inbox_id } = await inboxAt();
    const { id } = await send(inbox_id);
    await service.work();
    expect(last()).toMatchObject({
      from: `ada@${NAME}`,
      envelope: { mail_from: pathAt(id, `ls-bounce.${NAME}`) },
      message_id: `<${id.slice(4)}@${NAME}>`,
    });
    expect(last().text).toContain(`From: ada@${NAME}`);
    expect(await accepts(last().envelope.mail_from)).toBe("ok");
    expect(await accepts(pathAt(id, OURS))).toBe("ok");
    expect(await accepts(pathAt(id, NAME))).toBe("unknown");
    expect(await accepts(pathAt(id, "ls-bounce.other.example"))).toBe("unknown");
  });

  test("has its envelope at the service's own domain while the record for bounces isn't there", async () => {
    await own({ records: [] });
    const { id: inbox_id } = await inboxAt();
    const { id } = await send(inbox_id);
    await service.work();
    expect(last().envelope.mail_from).toBe(pathAt(id, OURS));
  });

  test.each<Partial<DomainRecord>>([{ status: "failed" }, { mail: { receiving: true, sending: false } }])(
    "is refused while its domain is %j",
    async (given) => {
      const domain = await own();
      const { id: inbox_id } = await inboxAt();
      await change(domain, given);
      await expect(send(inbox_id)).rejects.toEqual(code("domain_not_verified"));
    },
  );

  test("waits while its domain can't send", async () => {
    const domain = await own();
    const { id: inbox_id } = await inboxAt();
    const { id } = await send(inbox_id);
    await change(domain, { mail: { receiving: true, sending: false } });
    await service.work();
    expect(service.transport.attempts).toEqual([]);
    expect(await account.as.messages.get({ inbox_id, message_id: id })).toMatchObject({ status: "queued" });
    await change(domain, { mail: { receiving: true, sending: true } });
    await service.clock.advance(3600_000);
    await service.work();
    expect(last().from).toBe(`ada@${NAME}`);
  });

  test("never leaves once another account has proven the domain: that account's key would sign it", async () => {
    const domain = await own();
    const { id: inbox_id } = await inboxAt();
    const { id } = await send(inbox_id);
    await passOn(domain, await service.signUp("other"));
    await service.work();
    expect(service.transport.attempts).toEqual([]);
    expect(await account.as.messages.get({ inbox_id, message_id: id })).toMatchObject({ status: "failed" });
    await expect(send(inbox_id)).rejects.toEqual(code("domain_not_verified"));
  });
});

describe("an address at a custom domain", () => {
  test("is a person's who has a say only while the domain doesn't receive here", async () => {
    const domain = await own({ mail: { receiving: false, sending: true } });
    await service.addOwner(account, `grace@${NAME}`);
    const seen = async () => (await account.as.me.get({})).owner_recommended;
    expect(await seen()).toBeUndefined();
    await change(domain, { mail: { receiving: true, sending: true } });
    expect(await seen()).toBeDefined();
  });

  test("isn't its owner's word when our own key there signed it", async () => {
    const domain = await own({ mail: { receiving: false, sending: true } });
    await service.addOwner(account, `grace@${NAME}`);
    const inbox_id = account.inbox.id;
    const trusted = async () => (await account.as.tasks.list({ inbox_id })).data.map((task) => task.trusted);
    const signed = signedBy(NAME);
    const [signature] = signed.dkim;
    if (signature === undefined) throw new Error("it is signed");
    const mail = { from: `grace@${NAME}`, to: account.inbox.email, text: "Please book a table" };
    await service.receive(
      { ...mail, message_id: "<1@x>" },
      {
        ...signed,
        spf: { ...signed.spf, domain: `ls-bounce.${NAME}` },
        dkim: [{ ...signature, selector: domain.dkim_selector }],
      },
    );
    expect(await trusted()).toEqual([false]);
    await service.receive(
      { ...mail, message_id: "<2@x>" },
      { ...signed, dkim: [{ ...signature, signature: "ab" }] },
    );
    expect(new Set(await trusted())).toEqual(new Set([false, true]));
  });
});
