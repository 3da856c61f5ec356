import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";

const LONGEST = "x".repeat(LIMITS.body_chars);
const ids = { message_id: "msg_x", draft_id: "dft_x", task_id: "tsk_x" };
const to = ["bo@example.org"];

async function opened() {
  const service = createTestService();
  const account = await service.signUp("ada-main");
  return { service, account, inbox_id: account.inbox.id };
}

describe("text and html have at most a million characters each", () => {
  const operations: [name: string, input: Record<string, unknown>][] = [
    ["messages.send", { to }],
    ["messages.reply", { message_id: ids.message_id }],
    ["messages.replyAll", { message_id: ids.message_id }],
    ["messages.forward", { message_id: ids.message_id, to }],
    ["messages.inject", { from: "bo@example.org" }],
    ["drafts.create", { to }],
    ["drafts.update", { draft_id: ids.draft_id }],
    ["tasks.reply", { task_id: ids.task_id }],
  ];

  test.each(operations)("%s refuses one more", async (name, input) => {
    const { service, account, inbox_id } = await opened();
    const scope = name === "tasks.reply" ? {} : { inbox_id };
    for (const param of ["text", "html"])
      await expect(
        service.letterslot.call(account.caller, name, { ...scope, ...input, [param]: `${LONGEST}x` }),
      ).rejects.toMatchObject({ code: "message_too_large", param });
  });

  test("the longest is sent as it is", async () => {
    const { account, inbox_id } = await opened();
    const sent = await account.as.messages.send({ inbox_id, to, text: LONGEST, html: LONGEST });
    expect(sent).toMatchObject({ object: "message", text: LONGEST, html: LONGEST });
  });
});
