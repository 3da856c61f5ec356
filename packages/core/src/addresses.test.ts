import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestService, recycleTestStorage, signedBy, type TestService } from "../testing/index.ts";
import { newReplyId, replyLocalPart } from "./catalogue/letter-words.ts";
import { givenAddress } from "./model/address.ts";
import { acceptsRecipient } from "./traffic/inbound/index.ts";

/** Spellings of one mailbox; the first is how it is compared. */
const SPELLINGS = [
  "josé@xn--bcher-kva.example",
  "JOSÉ@Bücher.example",
  "Jose\u0301@bu\u0308cher。example",
  '"josé"@ＢÜＣＨＥＲ．EXAMPLE',
  '"j\\osé"@XN--BCHER-KVA.example',
] as const;
const [JOSE] = SPELLINGS;
const spellings = SPELLINGS.map((spelling) => [spelling] as const);

/** Other mailboxes, which a careless reader takes for the same one. */
const OTHERS = ["jose@xn--bcher-kva.example", "josé@bucher.example", "josé@xn--bcher-kva.example.test"];

const fromJose = (service: TestService, from: string, to: string) =>
  service.receive({ from, to, text: "Order paper.\n" }, signedBy("xn--bcher-kva.example"));

describe.each(spellings)("as %s, a mailbox is the same one", (spelling) => {
  test("for owners: invited once, and their mail makes tasks", async () => {
    const service = createTestService();
    const account = await service.signUp("ada");
    const inbox_id = account.inbox.id;
    const owner = await account.as.owners.create({ inbox_id, email: spelling });
    // Shown and written to as given.
    const given = givenAddress(spelling) ?? "";
    expect(owner).toMatchObject({ email: given, status: "pending" });
    await service.work();
    await account.as.owners.confirmWithCode({ inbox_id, owner_id: owner.id, code: service.codeFor(given) });
    expect(await account.as.owners.create({ inbox_id, email: JOSE })).toMatchObject({
      id: owner.id,
      email: given,
    });

    for (const from of [spelling, JOSE]) await fromJose(service, from, account.inbox.email);
    for (const from of OTHERS) await fromJose(service, from, account.inbox.email);
    const tasks = (await account.as.tasks.list({ status: "all" })).data;
    expect(tasks.map(({ owner_id }) => owner_id)).toEqual([owner.id, owner.id]);
  });

  test("for the allowlist, and removed by any spelling", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp("ada");
    const entry = await as.allowlist.create({ inbox_id: inbox.id, address: spelling });
    expect(entry.address).toBe(JOSE);
    expect(await as.allowlist.create({ inbox_id: inbox.id, address: JOSE })).toEqual({
      ...entry,
      idempotent: true,
    });
    await fromJose(service, JOSE, inbox.email);
    for (const from of OTHERS) await fromJose(service, from, inbox.email);
    expect((await as.tasks.list({ status: "all" })).data).toHaveLength(1);
    expect((await as.allowlist.delete({ inbox_id: inbox.id, entry: spelling })).id).toBe(entry.id);
  });

  test("for lists and suppressions", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp("ada");
    const inbox_id = inbox.id;
    const mail = { inbox_id, to: [JOSE], text: "Hello" };
    await as.lists.create({ direction: "send", type: "block", entry: spelling });
    await expect(as.messages.send(mail)).rejects.toMatchObject({ code: "recipient_blocked" });
    await as.lists.delete({ direction: "send", type: "block", entry: JOSE });

    await as.lists.create({ direction: "receive", type: "block", entry: JOSE });
    expect((await fromJose(service, spelling, inbox.email)).results[0]?.outcome).toBe("dropped");

    expect(await as.suppressions.create({ address: spelling })).toMatchObject({ address: JOSE });
    await expect(as.messages.send(mail)).rejects.toMatchObject({ code: "recipient_suppressed" });
    await as.messages.send({ ...mail, to: [OTHERS[0] ?? ""] });
    await as.suppressions.delete({ address: spelling });
    await expect(as.messages.send({ ...mail, to: [spelling] })).resolves.toBeDefined();
  });

  test("for filters of lists, and for search", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp("ada");
    const inbox_id = inbox.id;
    await as.messages.inject({ inbox_id, from: spelling, to: [inbox.email, spelling], text: "x" });
    await as.messages.inject({ inbox_id, from: "bo@example.com", text: "x" });
    for (const named of SPELLINGS) {
      expect((await as.messages.list({ inbox_id, from: named })).data).toHaveLength(1);
      expect((await as.messages.list({ inbox_id, to: named })).data).toHaveLength(1);
    }
    for (const q of ["from:josé@bücher.example", "from:josé@xn--bcher-kva.example", "to:bücher.example"])
      expect((await as.search.messages({ q })).data, q).toHaveLength(1);
  });

  test("for sending: once, and as it was given", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp("ada");
    await as.messages.send({
      inbox_id: inbox.id,
      to: [spelling, "Bo.Smith@Example.COM"],
      cc: SPELLINGS.slice(),
      text: "Hello",
    });
    await service.work();
    const [mail] = service.transport.sent;
    expect(mail?.envelope.rcpt_to).toHaveLength(2);
    expect(mail?.envelope.rcpt_to[0]).toMatch(/^jos\u00e9@xn--bcher-kva\.example$/i);
    expect(mail?.envelope.rcpt_to[1]).toBe("Bo.Smith@example.com");
  });
});

test("a message shows addresses as they were given, and a reply goes there", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp("ada");
  const inbox_id = inbox.id;
  const { results } = await service.receive({
    from: "Bo <Bo.Smith@Example.COM>",
    to: inbox.email.toUpperCase(),
    headers: ["Cc: bo.smith@example.com, ADA@letterslot.localhost, cy@example.com"],
  });
  const message_id = results[0]?.message_id ?? "";
  expect(await as.messages.get({ inbox_id, message_id })).toMatchObject({
    from: "Bo.Smith@example.com",
    to: ["ADA@letterslot.localhost"],
  });
  await as.messages.replyAll({ inbox_id, message_id, text: "Hello" });
  await service.work();
  expect(service.transport.sent.at(-1)?.envelope.rcpt_to).toEqual(["Bo.Smith@example.com", "cy@example.com"]);
});

test.each([
  "ada@letterslot.localhost",
  "ADA@LETTERSLOT.localhost",
  '"ada"@letterslot.localhost',
  '"a\\da"@letterslot.localhost',
  "ada@ｌｅｔｔｅｒｓｌｏｔ。localhost",
  "Ada+tag@letterslot.localhost",
])("mail for %s reaches ada's inbox, from outside and from within", async (address) => {
  const service = createTestService();
  const ada = await service.signUp("ada");
  const bo = await service.signUp("bo");
  expect(await acceptsRecipient(service.letterslot.services, address)).toBe("ok");
  const { results } = await service.receive({ from: "eve@example.com", to: address });
  expect(results).toMatchObject([{ recipient: address, outcome: "stored" }]);
  await bo.as.messages.send({ inbox_id: bo.inbox.id, to: [address], text: "Hello" });
  await service.work();
  expect(service.transport.sent).toEqual([]);
  expect((await ada.as.messages.list({ inbox_id: ada.inbox.id })).data).toHaveLength(2);
});

test("an inbox is found by any spelling of its address, and by no lookalike", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp("kate");
  for (const named of ["kate", "KATE", "Kate@LETTERSLOT.localhost", '"kate"@ｌetterslot.localhost'])
    expect((await as.inboxes.get({ inbox_id: named })).id, named).toBe(inbox.id);
  for (const named of ["\u212aate", "ｋate", "\u212aate@letterslot.localhost", "kate@letterslot.localhost."])
    await expect(as.inboxes.get({ inbox_id: named }), named).rejects.toMatchObject({
      code: "inbox_not_found",
    });
});

test("mail to a subdomain of this service's is another server's to deliver", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp("ada");
  await as.messages.send({ inbox_id: inbox.id, to: ["eve@corp.letterslot.localhost"], text: "Hello" });
  await service.work();
  expect(service.transport.sent[0]?.envelope.rcpt_to).toEqual(["eve@corp.letterslot.localhost"]);
});

test.each([
  "ａda@example.com",
  "\u212aate@example.com",
  "a..b@example.com",
  '"a b"@example.com',
  "ada@example.com.",
  "ada@ex%61mple.com",
  "ada@192.0.2.1",
  "ada\u202e@example.com",
])("%s is refused wherever a caller gives an address", async (address) => {
  const service = createTestService();
  const { as, inbox } = await service.signUp("ada");
  const inbox_id = inbox.id;
  const draft = await as.drafts.create({ inbox_id, text: "x" });
  const code = { code: "invalid_address" };
  await expect(as.messages.send({ inbox_id, to: [address], text: "x" })).rejects.toMatchObject(code);
  for (const field of ["cc", "bcc"] as const)
    await expect(
      as.messages.send({ inbox_id, to: ["bo@example.com"], [field]: [address], text: "x" }),
    ).rejects.toMatchObject(code);
  await expect(
    as.messages.send({ inbox_id, to: ["bo@example.com"], reply_to: address, text: "x" }),
  ).rejects.toMatchObject(code);
  await expect(as.drafts.update({ inbox_id, draft_id: draft.id, to: [address] })).rejects.toMatchObject(code);
  await expect(as.messages.inject({ inbox_id, from: address, text: "x" })).rejects.toMatchObject(code);
  await expect(as.owners.create({ inbox_id, email: address })).rejects.toMatchObject(code);
  await expect(as.suppressions.create({ address })).rejects.toMatchObject(code);
  await expect(service.signUp("eve", address)).rejects.toMatchObject(code);
});

test("the reply address of a letter is refused as a recipient, in every spelling", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp("ada");
  const inbox_id = inbox.id;
  const local = replyLocalPart(newReplyId());
  for (const address of [
    `${local}@letterslot.localhost`,
    `${local.toUpperCase()}@letterslot.localhost`,
    `"${local}"@ｌetterslot。localhost`,
  ]) {
    const code = { code: "invalid_address" };
    const mail = { inbox_id, to: ["bo@example.com"], text: "x" };
    await expect(as.messages.send({ ...mail, to: [address] })).rejects.toMatchObject(code);
    for (const field of ["cc", "bcc"])
      await expect(as.messages.send({ ...mail, [field]: [address] })).rejects.toMatchObject(code);
    await expect(as.messages.send({ ...mail, reply_to: address })).rejects.toMatchObject(code);
    await expect(as.drafts.create({ ...mail, to: [address] })).rejects.toMatchObject(code);
  }
});

test("a mail from an address that only looks like the owner's makes no task", async () => {
  const service = createTestService();
  const account = await service.signUp("agent");
  await service.addOwner(account, "kate@example.com");
  for (const from of ["\u212aate@example.com", "ｋate@example.com", "kate@example.com.test"])
    await service.receive({ from, to: account.inbox.email }, signedBy("example.com"));
  expect((await account.as.tasks.list({ status: "all" })).data).toEqual([]);
});

test("two spellings of one mailbox are never two owners", async () => {
  const flip = (text: string, flips: readonly boolean[]) =>
    [...text].map((letter, index) => (flips[index % flips.length] ? letter.toUpperCase() : letter)).join("");
  const spelled = (local: string, domain: string) =>
    fc
      .record({
        flips: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
        local: fc.constantFrom(
          local,
          local.normalize("NFD"),
          `"${local}"`,
          `"${local.replace(/^[a-z]/, "\\$&")}"`,
        ),
        domain: fc.constantFrom(
          domain,
          domain.normalize("NFD"),
          domain.replace(".", "。"),
          new URL(`http://${domain}`).hostname,
        ),
      })
      .map((parts) => flip(`${parts.local}@${parts.domain}`, parts.flips));
  const mailbox = fc.constantFrom(
    ["ada", "example.com"],
    ["jürgen", "bücher.example"],
    ["o'hara", "münchen.example"],
    ["用户", "例え.example"],
  );
  await fc.assert(
    fc.asyncProperty(
      mailbox.chain(([local = "", domain = ""]) => fc.tuple(spelled(local, domain), spelled(local, domain))),
      async ([first, second]) => {
        const service = createTestService();
        const { as, inbox } = await service.signUp("agent");
        const owner = await as.owners.create({ inbox_id: inbox.id, email: first });
        expect(await as.owners.create({ inbox_id: inbox.id, email: second })).toMatchObject({ id: owner.id });
        expect((await as.owners.list({ inbox_id: inbox.id })).data).toHaveLength(1);
        await recycleTestStorage();
      },
    ),
    { numRuns: 40 },
  );
});
