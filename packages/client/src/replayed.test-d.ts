import { expectTypeOf, test } from "vitest";
import {
  type Approval,
  type createClient,
  type Draft,
  type Inbox,
  type Message,
  type Replayed,
  type Task,
  whole,
} from "./index.ts";

declare const client: ReturnType<typeof createClient>;
const mail = { inbox_id: "inb_1", to: ["bo@example.org"] };

test("a call that may repeat an earlier one says that the record may be withheld, and object tells", async () => {
  const sent = await client.messages.send(mail);
  expectTypeOf(sent).toEqualTypeOf<Message | Draft | Replayed>();
  expectTypeOf(sent.id).toEqualTypeOf<string>();
  // @ts-expect-error: neither a draft nor a replay has a status
  void sent.status;
  if (sent.object === "message") expectTypeOf(sent).toEqualTypeOf<Message>();
  if (sent.object === "replayed") expectTypeOf(sent.kind).toEqualTypeOf<string>();
  expectTypeOf(await client.inboxes.create({})).toEqualTypeOf<Inbox | Replayed>();
});

test("so do the records within an answer", async () => {
  const { task, message } = await client.tasks.reply({ task_id: "tsk_1", text: "Done." });
  expectTypeOf(task).toEqualTypeOf<Task | Replayed>();
  expectTypeOf(message).toEqualTypeOf<Message | Draft | Replayed>();
  const { data, has_more } = await client.inboxes.createBatch({ count: 2 });
  expectTypeOf(data).toEqualTypeOf<(Inbox | Replayed)[]>();
  expectTypeOf(has_more).toEqualTypeOf<boolean>();
});

test("no other call does", async () => {
  expectTypeOf(
    (await client.webhooks.test({ webhook_id: "wh_1" })).object,
  ).toEqualTypeOf<"webhook_delivery">();
  expectTypeOf(
    (await client.consumers.create({ client_id: "crm" })).object,
  ).toEqualTypeOf<"event_consumer">();
  expectTypeOf(await client.inboxes.update({ inbox_id: "inb_1" })).toEqualTypeOf<Inbox | Approval>();
});

test("whole leaves the record", async () => {
  expectTypeOf(whole(await client.inboxes.create({}))).toEqualTypeOf<Inbox>();
  expectTypeOf(whole(await client.messages.send(mail))).toEqualTypeOf<Message | Draft>();
});
