import { expect, test } from "vitest";
import { createTestService, signedBy } from "../../../testing/index.ts";

async function opened() {
  const service = createTestService();
  const { as, inbox } = await service.signUp("agent");
  let number = 0;
  const receive = async (to: string) => {
    number += 1;
    const raw = Buffer.from(
      `From: ada@a.example\r\nTo: all@list.example\r\nSubject: ${number}\r\nMessage-ID: <${number}@a.example>\r\n\r\nHi`,
    );
    const { results } = await service.receiveRaw(raw, to, "ada@a.example", signedBy("a.example"));
    const message_id = results[0]?.message_id ?? "";
    return { raw, message_id, one: { inbox_id: inbox.id, message_id } };
  };
  return { service, as, inbox, receive };
}

test("the address that a mail came to is kept with its tag: shown, listed, in events and in raw", async () => {
  const { as, inbox, receive } = await opened();
  const { raw, one: tagged } = await receive("Agent+Orders.7@LETTERSLOT.localhost");
  const envelope_to = "Agent+Orders.7@letterslot.localhost";
  expect(await as.messages.get(tagged)).toMatchObject({ envelope_to, to: ["all@list.example"] });
  const { one: plain } = await receive(inbox.email);
  expect(await as.messages.get(plain)).toMatchObject({ envelope_to: inbox.email });

  const events = await as.events.list({ after: "0", types: ["message.received"] });
  expect(events.data.map(({ data }) => data)).toMatchObject([
    { message: { envelope_to } },
    { message: { envelope_to: inbox.email } },
  ]);
  const { bytes } = await as.messages.raw(tagged);
  expect(Buffer.from(bytes).toString()).toBe(`Delivered-To: ${envelope_to}\r\n${raw.toString()}`);
});

test("messages are listed by it, whatever else filters and however many there are", async () => {
  const { as, inbox, receive } = await opened();
  const made: Record<string, string[]> = {};
  for (const to of [
    "agent+a@letterslot.localhost",
    inbox.email,
    "AGENT+A@letterslot.localhost",
    "agent+b@letterslot.localhost",
  ]) {
    const { message_id } = await receive(to);
    (made[to.toLowerCase()] ??= []).unshift(message_id);
  }
  const list = async (envelope_to: string, more = {}) =>
    (await as.messages.list({ inbox_id: inbox.id, envelope_to, ...more })).data.map(({ id }) => id);
  for (const [address, ids] of Object.entries(made)) {
    expect(await list(address)).toEqual(ids);
    expect(await list(address.toUpperCase())).toEqual(ids);
    expect(await list(address, { label: ["unread"], from: "ada@a.example" })).toEqual(ids);
    expect(await list(address, { direction: "outbound" })).toEqual([]);
  }
  expect(await list("agent+c@letterslot.localhost")).toEqual([]);
  expect(await list("someone@letterslot.localhost")).toEqual([]);

  const [read = ""] = made["agent+a@letterslot.localhost"] ?? [];
  await as.messages.read({ inbox_id: inbox.id, message_id: read });
  expect(await list("agent+a@letterslot.localhost")).toEqual(made["agent+a@letterslot.localhost"]);
  expect(await list("agent+a@letterslot.localhost", { label: ["unread"] })).toHaveLength(1);
  await as.messages.delete({ inbox_id: inbox.id, message_id: read });
  expect(await list("agent+a@letterslot.localhost")).toHaveLength(1);
  expect(await list(inbox.email)).toEqual(made[inbox.email]);
});

test("an injected mail came to the address of the inbox that its To names", async () => {
  const { as, inbox } = await opened();
  const inject = (to?: string[]) =>
    as.messages.inject({ inbox_id: inbox.id, from: "ada@a.example", text: String(to), ...(to && { to }) });
  expect(await inject()).toMatchObject({ envelope_to: inbox.email });
  expect(await inject(["bo@b.example", "agent+t@letterslot.localhost"])).toMatchObject({
    envelope_to: "agent+t@letterslot.localhost",
  });
  expect(await inject(["bo@b.example"])).toMatchObject({ envelope_to: inbox.email });
});

test("mail that is sent came to no address, and the copy inside the service names its recipient", async () => {
  const { service, as, inbox } = await opened();
  const other = await service.signUp("other");
  const sent = await as.messages.send({
    inbox_id: inbox.id,
    to: ["other+x@letterslot.localhost"],
    text: "Hi",
  });
  expect(sent).toMatchObject({ envelope_to: null });
  await service.work();
  const { data } = await other.as.messages.list({ inbox_id: other.inbox.id });
  expect(data).toMatchObject([{ envelope_to: "other+x@letterslot.localhost" }]);
});

test("a mail to several addresses of one inbox is one message, which came to the first", async () => {
  const { service, as, inbox } = await opened();
  const raw = Buffer.from("From: ada@a.example\r\nMessage-ID: <m@a.example>\r\n\r\nHi");
  const rcpt_to = ["agent+one@letterslot.localhost", inbox.email];
  const envelope = { mail_from: "ada@a.example", rcpt_to, client_ip: "192.0.2.1", helo: "a" };
  await service.letterslot.receive({ raw, envelope, origin: "smtp" });
  const { data } = await as.messages.list({ inbox_id: inbox.id });
  expect(data).toMatchObject([{ envelope_to: "agent+one@letterslot.localhost" }]);
});
