import { expectTypeOf, test } from "vitest";
import { type createClient, type LetterslotEvent, verifyWebhook } from "./index.ts";

declare const client: ReturnType<typeof createClient>;
declare const delivery: Parameters<typeof verifyWebhook>[0];

test("the type of an event says what its data holds", async () => {
  const { event } = await verifyWebhook(delivery);
  expectTypeOf(event).toEqualTypeOf<LetterslotEvent>();
  if (event.type === "message.received") {
    expectTypeOf(event.data.message.subject).toEqualTypeOf<string | null>();
    expectTypeOf(event.data.message.id).toEqualTypeOf<string>();
    // A message that was deleted since shows none of its text.
    if (!("deleted" in event.data.message)) expectTypeOf(event.data.message.to).toEqualTypeOf<string[]>();
    // @ts-expect-error: a message event holds no task
    void event.data.task;
  }
  if (event.type === "message.bounced") expectTypeOf(event.data.recipients).toEqualTypeOf<string[]>();
  // @ts-expect-error: no such type
  void (event.type === "message.read");
});

test("the feed and streams yield the same events", async () => {
  for await (const event of client.events.follow()) expectTypeOf(event).toEqualTypeOf<LetterslotEvent>();
  for await (const event of client.events.stream()) expectTypeOf(event).toEqualTypeOf<LetterslotEvent>();
  expectTypeOf((await client.events.list()).data).toEqualTypeOf<LetterslotEvent[]>();
});
