import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../../testing/index.ts";
import type { Permission } from "../../../catalogue/permissions.ts";

const ada = "ada@example.org";
const hour = 3600_000;

let service: TestService;
let account: TestAccount;
let inbox_id: string;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
  inbox_id = account.inbox.id;
});

const written = async (wish: object = {}) =>
  (await account.as.drafts.create({ inbox_id, to: [ada], subject: "Hi", text: "Hello", ...wish })).id;
const send = (draft_id: string) => account.as.drafts.send({ inbox_id, draft_id });
const left = () => service.transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(ada)).length;
const gone = { code: "draft_not_found" };

async function keyWith(permissions: Permission[]) {
  const { api_key } = await account.as.keys.create({ permissions });
  return service.letterslot.as(await service.letterslot.authenticate(api_key, null));
}

describe("a draft that was sent answers a second send", () => {
  test("with its message, as it is now, for 24 hours, and sends nothing more", async () => {
    const draft_id = await written();
    const sent = await send(draft_id);
    await service.work();
    await service.clock.advance(24 * hour - 1);
    expect(await send(draft_id)).toMatchObject({ id: sent.id, status: "sent", idempotent: true });
    await service.clock.advance(1);
    await expect(send(draft_id)).rejects.toMatchObject(gone);
    await service.work();
    expect(left()).toBe(1);
  });

  test("also when it left at its time", async () => {
    const draft_id = await written({ send_at: new Date(service.clock.now().getTime() + hour).toISOString() });
    await service.clock.advance(hour);
    await service.work();
    const again = await send(draft_id);
    expect(again).toMatchObject({ object: "message", status: "sent", to: [ada], idempotent: true });
    await service.clock.advance(24 * hour);
    await expect(send(draft_id)).rejects.toMatchObject(gone);
    expect(left()).toBe(1);
  });

  test("counted from when it left, where an owner had to approve it first", async () => {
    await service.addOwner(account, "grace@example.com");
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    const draft_id = await written();
    expect(await send(draft_id)).toMatchObject({ object: "draft", approval_status: "pending" });
    const grace = service.letterslot.asOwner({ email: "grace@example.com", account_id: account.account_id });
    const [approval] = (await account.as.approvals.list({})).data;
    const { id: approval_id = "", digest = "" } = approval ?? {};
    await grace.approvals.decideInSession({ approval_id, decision: "approve", digest });
    await service.clock.advance(30 * hour);
    await service.work();
    await service.clock.advance(23 * hour);
    expect(await send(draft_id)).toMatchObject({ object: "message", status: "sent", idempotent: true });
    expect(left()).toBe(1);
  });

  test("at once with others: one mail, one message, from every process", async () => {
    const beside = createTestService({ ...service.letterslot.services, clock: service.clock });
    const there = beside.letterslot.as(account.caller);
    const draft_id = await written();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? send(draft_id) : there.drafts.send({ inbox_id, draft_id }),
      ),
    );
    await service.work();
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
    expect(left()).toBe(1);
  });

  test("with 404 once its message is deleted, and where it was never sent or not from there", async () => {
    const draft_id = await written();
    const { id: message_id } = await send(draft_id);
    await service.work();
    const other = await account.as.inboxes.create({ username: "other" });
    await expect(account.as.drafts.send({ inbox_id: other.id, draft_id })).rejects.toMatchObject(gone);
    await account.as.messages.delete({ inbox_id, message_id });
    await expect(send(draft_id)).rejects.toMatchObject(gone);
    const thrown = await written();
    await account.as.drafts.delete({ inbox_id, draft_id: thrown });
    await expect(send(thrown)).rejects.toMatchObject(gone);
  });

  test("to those who may send it; who may not read the message sees its id alone", async () => {
    const draft_id = await written();
    const { id } = await send(draft_id);
    const sender = await keyWith(["draft_send"]);
    expect(await sender.drafts.send({ inbox_id, draft_id })).toEqual({
      id,
      object: "replayed",
      kind: "message",
      idempotent: true,
    });
    const writer = await keyWith(["draft_write", "message_read"]);
    await expect(writer.drafts.send({ inbox_id, draft_id })).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test("with its own Idempotency-Key too, and also while the inbox is paused", async () => {
    const draft_id = await written();
    const { id } = await send(draft_id);
    await account.as.inboxes.update({ inbox_id, status: "paused" });
    const keyed = await account.as.drafts.send({ inbox_id, draft_id }, { idempotencyKey: "later" });
    expect(keyed).toMatchObject({ id, idempotent: true });
    const unsent = await account.as.drafts.list({ inbox_id });
    expect(unsent.data).toEqual([]);
  });
});

test("what is known of sent drafts is swept after its 24 hours", async () => {
  await send(await written());
  const { storage } = service.letterslot.services;
  expect(await storage.count("idempotency", {}, 10)).toBe(1);
  await service.clock.advance(24 * hour);
  await service.letterslot.sweep();
  expect(await storage.count("idempotency", {}, 10)).toBe(0);
});
