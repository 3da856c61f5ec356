import { describe, expect, test } from "vitest";
import { createTestService } from "../../testing/index.ts";

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
