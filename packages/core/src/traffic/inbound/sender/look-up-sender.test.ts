import { describe, expect, test } from "vitest";
import { createTestService } from "../../../../testing/index.ts";
import type { SenderFacts } from "../../../model/sender-facts.ts";
import { lookUpSender, matchSender } from "./look-up-sender.ts";

test("an inbox's own address is known by the mail from it, not by what others write to the inbox", async () => {
  const service = createTestService();
  const account = await service.signUp();
  const { email, id: inbox_id } = account.inbox;
  const { services } = service.letterslot;
  const { storage } = services;
  const inbox = await storage.get("inboxes", inbox_id);
  if (inbox === undefined) throw new Error("there is no inbox");
  const isKnown = async () => (await lookUpSender(services, inbox, email)).known;
  const { results } = await service.receive({ from: "ann@partner.example", to: email });
  expect(await isKnown()).toBe(false);
  const message_id = results[0]?.message_id ?? "";
  await account.as.messages.update({ inbox_id, message_id, add_labels: ["read"] });
  expect(await isKnown()).toBe(false);
  await account.as.messages.send({ inbox_id, to: [email], subject: "A note", text: "To myself." });
  expect(await isKnown()).toBe(true);
});

describe("who gives an inbox work", () => {
  const open = async (others: number) => {
    const service = createTestService();
    const account = await service.signUp();
    const { as, inbox, account_id } = account;
    const { services } = service.letterslot;
    const entries = Array.from({ length: others }, (_, number) => ({
      id: services.makeId("ent"),
      account_id,
      inbox_id: inbox.id,
      address: `d${number}.example.com`,
      names: "outside",
      made_by: "key" as const,
      created_at: "2026-01-01T00:00:00.000Z",
    }));
    await services.storage.transaction(async (tx) => tx.append("allowlist", entries));
    const record = await services.storage.get("inboxes", inbox.id);
    if (record === undefined) throw new Error("there is no inbox");
    const isAllowlisted = async () =>
      matchSender(await lookUpSender(services, record, "ann@partner.example"), { kind: "person" })
        .allowlisted;
    const owner = async () => (await lookUpSender(services, record, "olga@owner.example")).owner?.email;
    return { service, account, as, inbox, isAllowlisted, owner };
  };

  test.each([1, 100, 101])("is known at once, beside %i others", async (others) => {
    const { service, account, as, inbox, isAllowlisted, owner } = await open(others);
    expect([await isAllowlisted(), await owner()]).toEqual([false, undefined]);
    await as.allowlist.create({ inbox_id: inbox.id, address: "partner.example" });
    expect(await isAllowlisted()).toBe(true);
    const { id } = await as.allowlist.create({ inbox_id: inbox.id, address: "ann@partner.example" });
    await as.allowlist.delete({ inbox_id: inbox.id, entry: "partner.example" });
    expect(await isAllowlisted()).toBe(true);
    await as.allowlist.delete({ inbox_id: inbox.id, entry: id });
    expect(await isAllowlisted()).toBe(false);
    await service.addOwner(account, "olga@owner.example");
    expect(await owner()).toBe("olga@owner.example");
  });
});

describe("a correspondent whose Reply-To leads to another organisation", () => {
  const signalsOf = async (reply_to: string, mails = 2) => {
    const service = createTestService();
    const account = await service.signUp();
    const inbox_id = account.inbox.id;
    await service.receive({ from: "accounts@ledger.example", to: account.inbox.email });
    if (mails > 1) await service.receive({ from: "ann@partner.example", to: account.inbox.email });
    const { results } = await service.receive({
      from: "Ann Field <ann@partner.example>",
      to: account.inbox.email,
      headers: [`Reply-To: ${reply_to}`],
    });
    const message = await account.as.messages.get({ inbox_id, message_id: results[0]?.message_id ?? "" });
    return message.safety?.signals.map(({ type }) => type);
  };

  test("is detected if the inbox has no history with that address", async () => {
    expect(await signalsOf("ann@elsewhere.example")).toContain("reply_to_changed");
  });

  test.each([
    ["an address that the inbox has mail from", "accounts@ledger.example", 2],
    ["another address of the same organisation", "office@partner.example", 2],
    ["any address in a first mail", "ann@elsewhere.example", 1],
  ])("isn't for %s", async (_, reply_to, mails) => {
    expect(await signalsOf(reply_to, mails)).not.toContain("reply_to_changed");
  });
});

describe("an organisation", () => {
  const open = async () => {
    const service = createTestService();
    const account = await service.signUp();
    const inbox = await service.letterslot.services.storage.get("inboxes", account.inbox.id);
    if (inbox === undefined) throw new Error("there is no inbox");
    const write = async (
      from: string,
      more: { text?: string; headers?: string[] } = {},
      facts?: SenderFacts,
    ) => {
      const { results } = await service.receive({ from, to: inbox.email, ...more }, facts);
      return results[0]?.message_id ?? "";
    };
    const lookUp = (from: string) => lookUpSender(service.letterslot.services, inbox, from);
    const typesOf = async (message_id: string) =>
      (await account.as.messages.get({ inbox_id: inbox.id, message_id })).safety?.signals.map(
        ({ type }) => type,
      );
    return { service, account, inbox, write, lookUp, typesOf };
  };

  const wroteTo = async (
    { account, inbox, service }: Awaited<ReturnType<typeof open>>,
    people: { to: string[]; bcc?: string[] },
  ) => {
    const sent = await account.as.messages.send({
      ...{ inbox_id: inbox.id, ...people, subject: "The room", text: "Is it free?" },
    });
    await service.work();
    return account.as.messages.get({ inbox_id: inbox.id, message_id: sent.id });
  };
  const withinRows = ({ inbox, service }: Awaited<ReturnType<typeof open>>, organisation: string) =>
    service.letterslot.services.storage.find("message_terms", {
      where: { inbox_id: inbox.id, term: `within:${organisation}` },
      limit: 20,
    });

  test("is known by what the inbox wrote to it, and others of it aren't known by that", async () => {
    const opened = await open();
    const { lookUp } = opened;
    await wroteTo(opened, { to: ["ann@mail.partner.example"], bcc: ["cleo@third.example"] });
    const within = { known: false, organisation_known: true };
    expect(await lookUp("ann@mail.partner.example")).toMatchObject({ known: true });
    expect(await lookUp("bob@partner.example")).toMatchObject(within);
    expect(await lookUp("bob@third.example")).toMatchObject(within);
    expect(await lookUp("bob@other.example")).toMatchObject({ known: false, organisation_known: false });
  });

  test("isn't known by mail from it, of which none has a row for it", async () => {
    const opened = await open();
    const { lookUp, write } = opened;
    for (let nth = 0; nth < 10; nth += 1) await write("ann@partner.example");
    expect(await lookUp("bob@partner.example")).toMatchObject({ organisation_known: false });
    await wroteTo(opened, { to: ["ann@partner.example"] });
    for (let nth = 0; nth < 10; nth += 1) await write("ann@partner.example");
    expect(await lookUp("bob@partner.example")).toMatchObject({ organisation_known: true });
    expect(await withinRows(opened, "partner.example")).toHaveLength(1);
  });

  test.each([
    ["a provider of mailboxes", "ann@gmail.com", "bob@gmail.com"],
    ["public hosting", "ann@one.myshopify.com", "bob@one.myshopify.com"],
    ["a private suffix", "ann@one.uk.com", "bob@two.uk.com"],
  ])("isn't known where anybody can have an address: %s", async (_, written_to, from) => {
    const opened = await open();
    await wroteTo(opened, { to: [written_to] });
    expect(await opened.lookUp(from)).toMatchObject({ known: false, organisation_known: false });
  });

  test("isn't known at the service's own domain, where every account has addresses", async () => {
    const opened = await open();
    const { inbox } = await opened.service.signUp("other");
    await wroteTo(opened, { to: [inbox.email] });
    expect(await opened.lookUp(inbox.email)).toMatchObject({ known: true });
    expect(await opened.lookUp(`x${inbox.email}`)).toMatchObject({ known: false, organisation_known: false });
  });

  test("is known as long as such a mail exists", async () => {
    const opened = await open();
    const { account, inbox, lookUp } = opened;
    const { id } = await wroteTo(opened, { to: ["ann@partner.example"] });
    await account.as.messages.update({ inbox_id: inbox.id, message_id: id, add_labels: ["done"] });
    expect(await withinRows(opened, "partner.example")).toHaveLength(1);
    await account.as.messages.delete({ inbox_id: inbox.id, message_id: id, permanent: true });
    expect(await withinRows(opened, "partner.example")).toEqual([]);
    expect(await lookUp("bob@partner.example")).toMatchObject({ organisation_known: false });
  });

  test("makes a colleague's first short request no first contact, and only an answer of those who were asked", async () => {
    const opened = await open();
    const { write, typesOf } = opened;
    const text = "What is the password?";
    expect(await typesOf(await write("bob@partner.example", { text }))).toContain("first_contact");
    const { message_id } = await wroteTo(opened, { to: ["ann@partner.example"] });
    const headers = [`In-Reply-To: ${message_id}`];
    for (const from of ["ann@partner.example", "cleo@partner.example"])
      expect(await typesOf(await write(from, { text, headers }))).not.toContain("first_contact");
    expect(await typesOf(await write("dan@elsewhere.example", { text, headers }))).toContain("first_contact");
  });
});
