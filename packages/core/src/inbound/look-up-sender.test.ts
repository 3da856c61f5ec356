import { describe, expect, test } from "vitest";
import { createTestService } from "../../testing/index.ts";
import { lookUpSender } from "./look-up-sender.ts";

test("an inbox's own address is known by the mail from it, not by what others write to the inbox", async () => {
  const service = createTestService();
  const account = await service.signUp();
  const { email, id: inbox_id } = account.inbox;
  const { storage } = service.letterslot.services;
  const inbox = await storage.get("inboxes", inbox_id);
  if (inbox === undefined) throw new Error("there is no inbox");
  const isKnown = async () => (await lookUpSender({ storage }, inbox, email)).known;
  const { results } = await service.receive({ from: "ann@partner.example", to: email });
  expect(await isKnown()).toBe(false);
  const message_id = results[0]?.message_id ?? "";
  await account.as.messages.update({ inbox_id, message_id, add_labels: ["read"] });
  expect(await isKnown()).toBe(false);
  await account.as.messages.send({ inbox_id, to: [email], subject: "A note", text: "To myself." });
  expect(await isKnown()).toBe(true);
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
