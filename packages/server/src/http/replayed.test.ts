import { whole } from "@letterslot/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

test("a key that may not read what it repeats gets its id, from which whole makes an error", async () => {
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "ada" });
  const owner = served.client(api_key);
  const mail = { inbox_id: inbox.id, to: ["bo@example.org"], text: "Hi.", client_id: "once" };
  const sent = whole(await owner.messages.send(mail));
  const { api_key: narrow } = await owner.keys.create({ permissions: ["message_send"] });
  const again = await served.client(narrow).messages.send(mail);
  expect(again).toEqual({ object: "replayed", id: sent.id, kind: "message", idempotent: true });
  expect(() => whole(again)).toThrow(
    expect.objectContaining({ code: "replayed", status: 200, message: expect.stringContaining(sent.id) }),
  );
  expect(whole(await owner.messages.send(mail))).toMatchObject({ id: sent.id, idempotent: true });
});
