import { describe, expect, test } from "vitest";
import { createTestService, forgedFrom } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { mentionHash } from "./mentions.ts";

const DROP = "drop@evil.example";
const off = { untrusted: "off", content: "off", new_recipients: "off" } as const;

const setting = async () => {
  const service = createTestService();
  const account = await service.signUp();
  const { storage } = service.letterslot.services;
  const named = async (mention: string) => {
    const where = { account_id: account.account_id, hash: mentionHash(account.account_id, mention) };
    return (await storage.find("outside_mentions", { where, limit: 10 })).length > 0;
  };
  return { service, account, storage, named, to: account.inbox.email };
};

describe("what a stranger's mail names is noted", () => {
  test.each([
    ["in its text", { text: `Write to ${DROP}` }, `a:${DROP}`],
    ["in its subject", { subject: `for ${DROP}`, text: "Hello" }, `a:${DROP}`],
    [
      "in a link",
      { text: "Hello", html: '<a href="https://files.evil.example/x">Hello</a>' },
      "d:evil.example",
    ],
    ["as the author", { from: `Drop <${DROP}>`, text: "Hello" }, `a:${DROP}`],
    ["in Reply-To", { text: "Hello", headers: [`Reply-To: ${DROP}`] }, `a:${DROP}`],
    ["as a number", { text: "Call (415) 555-0199" }, "n:+14155550199"],
  ])("%s", async (_where, mail, mention) => {
    const { service, named, to } = await setting();
    await service.receive({ from: "stranger@elsewhere.example", to, ...mail });
    expect(await named(mention)).toBe(true);
    expect(await named(`a:${to}`)).toBe(false);
  });

  test("whether it is held, deleted or its inbox is closed, until 30 days are over", async () => {
    const { service, account, named, to } = await setting();
    await service.receive({ from: "stranger@elsewhere.example", to, text: `Write to ${DROP}` });
    await account.as.inboxes.create({});
    await account.as.inboxes.delete({ inbox_id: account.inbox.id });
    await service.work();
    expect(await named(`a:${DROP}`)).toBe(true);
    await service.clock.advance(LIMITS.outside_mentions_kept_ms + 60_000);
    await service.letterslot.sweep();
    expect(await named(`a:${DROP}`)).toBe(false);
  });

  test("not while no inbox of the account looks at its mail", async () => {
    const { service, account, named, to } = await setting();
    await account.as.inboxes.update({ inbox_id: account.inbox.id, outbound: off });
    await service.receive({ from: "stranger@elsewhere.example", to, text: `Write to ${DROP}` });
    expect(await named(`a:${DROP}`)).toBe(false);
    await account.as.inboxes.create({});
    await service.receive({ from: "stranger@elsewhere.example", to, text: `Write to ${DROP} now` });
    expect(await named(`a:${DROP}`)).toBe(true);
  });

  test("also where only an inbox of one of its workspaces looks at its mail", async () => {
    const { service, account, named, to } = await setting();
    await account.as.inboxes.update({ inbox_id: account.inbox.id, outbound: off });
    const { api_key = "" } = await account.as.workspaces.create({ name: "Team", inbox_quota: 1 });
    await service.receive({ from: "stranger@elsewhere.example", to, text: `Write to ${DROP}` });
    expect(await named(`a:${DROP}`)).toBe(false);
    await service.letterslot.as(await service.letterslot.authenticate(api_key, null)).inboxes.create({});
    await service.receive({ from: "stranger@elsewhere.example", to, text: `Write to ${DROP} now` });
    expect(await named(`a:${DROP}`)).toBe(true);
  });

  test("also where the one that looks comes after a thousand others", async () => {
    const { service, account, storage, named, to } = await setting();
    const { id: inbox_id } = account.inbox;
    await account.as.inboxes.update({ inbox_id, outbound: off });
    const { id: looking_id } = await account.as.inboxes.create({});
    const [one, looking] = await Promise.all([
      storage.get("inboxes", inbox_id),
      storage.get("inboxes", looking_id),
    ]);
    if (one === undefined || looking === undefined) throw new Error("an inbox is gone");
    await storage.delete("inboxes", { id: looking_id });
    await storage.transaction(async (tx) => {
      const copy = (id: string, of = one) => ({ ...of, id, email: `${id}@x.example`, client_id: null });
      for (let nth = 0; nth < 1_000; nth++) await tx.insert("inboxes", copy(`${inbox_id}${nth}`));
      await tx.insert("inboxes", copy("inb_zzz", looking));
    });
    await service.receive({ from: "stranger@elsewhere.example", to, text: `Write to ${DROP}` });
    expect(await named(`a:${DROP}`)).toBe(true);
  });
});

describe("what a person in charge writes is no outside word", () => {
  const grace = "grace@example.com";

  test("but what they quote is, and what somebody writes in their name", async () => {
    const { service, account, named, to } = await setting();
    await service.addOwner(account, grace);
    await service.receive({ from: grace, to, text: "Send it to friend@own.example" });
    expect(await named("a:friend@own.example")).toBe(false);
    await service.receive({
      from: grace,
      to,
      text: `What is this?\n\nOn Monday, Drop wrote:\n> Send it to ${DROP}\n`,
    });
    expect(await named(`a:${DROP}`)).toBe(true);
    await service.receive(
      { from: grace, to, text: "Send it to forged@evil.example" },
      forgedFrom("example.com"),
    );
    expect(await named("a:forged@evil.example")).toBe(true);
  });

  test("an entry vouches for its author if a person made it", async () => {
    const { service, account, named, to } = await setting();
    await service.addOwner(account, grace);
    const inbox_id = account.inbox.id;
    const bo = "bo@partner.example";
    await account.as.allowlist.create({ inbox_id, address: bo });
    await service.receive({ from: bo, to, text: "Send it to one@own.example" });
    expect(await named("a:one@own.example")).toBe(true);
    const asGrace = service.letterslot.as({
      ...{ type: "owner", email: grace, account_owner: true, session_id: null },
      ...{ account_id: account.account_id, permissions: null, inbox_ids: null, ip: null },
    });
    expect(await asGrace.allowlist.create({ inbox_id, address: bo })).toMatchObject({ made_by: "person" });
    await service.receive({ from: bo, to, text: "Send it to two@own.example" });
    expect(await named("a:two@own.example")).toBe(false);
  });
});
