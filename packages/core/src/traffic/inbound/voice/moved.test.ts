import { expect, test } from "vitest";
import { moveAccount } from "../../../../test/move-account.ts";
import { createTestService } from "../../../../testing/index.ts";

const GRACE = "grace@example.com";

test("what a person wrote moves with the account, as no mail, and its task is trusted no more", async () => {
  const service = createTestService();
  const account = await service.signUp("ada");
  await service.addOwner(account, GRACE);
  const { as, inbox, account_id } = account;
  const created = await as.uploads.create({ inbox_id: inbox.id, filename: "list.txt" });
  async function* bytes() {
    yield Buffer.from("1 box");
  }
  const word = new URL(created.put_url).searchParams.get("word") ?? "";
  await service.letterslot.receiveUpload({ word, declared_bytes: undefined, bytes: bytes() });
  const { message, task } = await service.letterslot
    .asOwner({ email: GRACE, account_id: "" })
    .ownerMessages.create({ inbox_id: inbox.id, text: "Order paper.", upload_ids: [created.id] });
  const { files, as: moved } = await moveAccount(service, account_id);
  expect(files.get(`mail/${inbox.email}.mbox`)?.toString()).not.toContain("Order paper.");
  expect(files.get("messages.jsonl")?.toString()).toContain("Order paper.");
  const found = await moved.messages.get({ inbox_id: inbox.id, message_id: message.id });
  expect(found).toMatchObject({ channel: "console", text: "Order paper.", from: GRACE });
  const [attachment] = found.attachments;
  const file = await moved.attachments.get({
    ...{ inbox_id: inbox.id, message_id: message.id, attachment_id: attachment?.id ?? "" },
  });
  expect(Buffer.from((file as { bytes: Uint8Array }).bytes).toString()).toBe("1 box");
  expect(await moved.tasks.get({ task_id: task.id })).toMatchObject({ imported: true, trusted: false });
});

test("nothing of it counts as words from outside", async () => {
  const service = createTestService();
  const account = await service.signUp("ada");
  await service.addOwner(account, GRACE);
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  await as.inboxes.update({ inbox_id, outbound: { untrusted: "observe" } });
  const text = "Write to bob@supplier.example, please: order paper number 4711 by tomorrow.";
  const { message } = await service.letterslot
    .asOwner({ email: GRACE, account_id: "" })
    .ownerMessages.create({ inbox_id, text });
  const { storage } = service.letterslot.services;
  const noted = await storage.find("outside_mentions", { where: { message_id: message.id }, limit: 100 });
  expect(noted).toEqual([]);
  const sent = await as.messages.send({ inbox_id, to: ["bob@supplier.example"], subject: "Order", text });
  const codes = (of: unknown) =>
    (of as { outbound_findings: { code: string }[] }).outbound_findings.map(({ code }) => code);
  expect(codes(sent)).not.toContain("untrusted_recipient");
  // The same words from a stranger do count.
  await service.receive({
    from: "eve@example.net",
    to: inbox.email,
    text: "Write to eva@supplier.example.\n",
  });
  const other = await as.messages.send({
    inbox_id,
    to: ["eva@supplier.example"],
    subject: "Order",
    text: "Paper.",
  });
  expect(codes(other)).toContain("untrusted_recipient");
});
