import { expectTypeOf, test } from "vitest";
import type { MessageSnapshot, StoredEventData } from "../model/events.ts";
import type { Event } from "../model/feed.ts";
import type { Work } from "./work.ts";

declare const work: Work;
declare const message: MessageSnapshot;

test("a payload of another type is a type error", () => {
  expectTypeOf(work.publish).returns.toBeVoid();
  const inbox_id = "inb_1";
  work.publish({ type: "webhook.test", inbox_id, data: { webhook_id: "wh_1", url: "https://hook.example" } });
  work.publish({ type: "message.held", inbox_id, message_id: "msg_1", data: { message } });

  // @ts-expect-error: the url is missing
  work.publish({ type: "webhook.test", inbox_id, data: { webhook_id: "wh_1" } });
  // @ts-expect-error: the data of another type
  work.publish({ type: "webhook.test", inbox_id, data: { task_id: "tsk_1" } });
  // @ts-expect-error: a snapshot without the message that it belongs to
  work.publish({ type: "message.held", inbox_id, data: { message } });
  // @ts-expect-error: no such type
  work.publish({ type: "message.read", inbox_id, message_id: "msg_1", data: { message } });
});

test("snapshots stand where events show messages and tasks, and other fields are stored as shown", () => {
  expectTypeOf<StoredEventData["message.received"]>().toEqualTypeOf<{ message: MessageSnapshot }>();
  expectTypeOf<StoredEventData["owner.reply"]["message"]>().toEqualTypeOf<MessageSnapshot | null>();
  expectTypeOf<StoredEventData["webhook.test"]>().toEqualTypeOf<Event<"webhook.test">["data"]>();
});
