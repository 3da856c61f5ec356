import { expect, test } from "vitest";
import { createTestService } from "../testing/index.ts";
import { createLetterslot } from "./letterslot.ts";

const bare = () => {
  const { storage, blobs, queue, signals, clock } = createTestService().letterslot.services;
  return createLetterslot({
    ...{ storage, blobs, queue, signals, clock },
    encryptionKeys: [new Uint8Array(32).fill(7)],
    mailDomain: "agents.example.com",
  });
};

test("an account is opened by one call, and its key is a caller by another", async () => {
  const letterslot = bare();
  const { api_key, inbox } = await letterslot.onboard({ username: "ada" });
  expect(inbox.email).toBe("ada@agents.example.com");
  const { data } = await letterslot.withKey(api_key).inboxes.list({});
  expect(data.map(({ id }) => id)).toEqual([inbox.id]);
});

test("a key is looked up at each call: one that was revoked is refused by the next", async () => {
  const letterslot = bare();
  const { api_key, inbox } = await letterslot.onboard({ username: "ada" });
  const agent = letterslot.withKey(api_key);
  const { api_key: second, ...made } = await agent.keys.create({
    name: "second",
    permissions: ["message_read"],
  });
  const other = letterslot.withKey(second);
  expect((await other.messages.list({ inbox_id: inbox.id })).data).toEqual([]);
  await agent.keys.delete({ key_id: made.id });
  await expect(other.messages.list({ inbox_id: inbox.id })).rejects.toMatchObject({
    code: "api_key_revoked",
  });
  await expect(letterslot.withKey("ls_live_nobody").inboxes.list({})).rejects.toMatchObject({
    code: "invalid_api_key",
  });
});

test("without a transport, mail to the outside fails and says why; without webhookHttp, no URL can be a webhook", async () => {
  const letterslot = bare();
  const { api_key, inbox } = await letterslot.onboard({ username: "ada" });
  const { name, send } = letterslot.services.transport;
  expect(name).toBe("none");
  const envelope = { mail_from: inbox.email, rcpt_to: ["grace@example.org"] };
  const mail = { message_id: "<1@a>", from: inbox.email, envelope, raw: new Uint8Array() };
  expect(await send(mail)).toEqual([
    {
      recipient: "grace@example.org",
      outcome: "permanent_failure",
      detail: expect.stringContaining("no transport"),
    },
  ]);
  await expect(
    letterslot
      .withKey(api_key)
      .webhooks.create({ url: "https://example.org/hook", events: ["message.received"] }),
  ).rejects.toMatchObject({ code: "invalid_webhook_url" });
});

test("without senderAuth, mail comes in and proves nothing of its sender", async () => {
  const letterslot = bare();
  const { api_key, inbox } = await letterslot.onboard({ username: "ada" });
  const envelope = { mail_from: "grace@example.org", rcpt_to: [inbox.email], client_ip: null, helo: null };
  const raw = new TextEncoder().encode("From: grace@example.org\r\nSubject: Hi\r\n\r\nHello");
  const { results } = await letterslot.receive({ raw, envelope, origin: "smtp" });
  expect(results.map(({ outcome }) => outcome)).toEqual(["stored"]);
  const { data } = await letterslot.withKey(api_key).messages.list({ inbox_id: inbox.id });
  expect(data[0]?.auth).toMatchObject({ spf: "none", dmarc: "none" });
});
