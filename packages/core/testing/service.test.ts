import { expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { createTestService } from "./service.ts";

test("a service with a given clock uses it everywhere and returns it", async () => {
  const clock = createManualClock(new Date("2030-05-01T10:00:00.000Z"));
  const service = createTestService({ clock });
  expect(service.clock).toBe(clock);
  const { as, inbox } = await service.signUp();
  expect(inbox.created_at).toBe("2030-05-01T10:00:00.000Z");
  const stop = service.letterslot.work();
  const send_at = "2030-05-01T11:00:00.000Z";
  await as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com"], text: "Later.", send_at });
  await clock.advance(3600_000);
  // The code that composes mail is loaded with the first mail, which takes time.
  await expect.poll(() => service.transport.sent).toHaveLength(1);
  await stop();
});

test("its phones are a simulator that the test drives", async () => {
  const { phone, signUp, work } = createTestService();
  const { as, inbox } = await signUp("ada");
  const inbox_id = inbox.id;
  const { e164 } = await as.phoneNumbers.create({ inbox_id, area_code: "415" });
  const person = "+14155550199";

  await phone.text({ from: person, to: e164, text: "Is the table free?" });
  await phone.leaveVoicemail({ from: person, to: e164, text: "Call me back" });
  await as.messages.call({ inbox_id, to: person, say: "It is free." });
  await work();
  const call = phone.calls.findLast(({ placed_by }) => placed_by === "service");
  if (call === undefined) throw new Error("the call was placed");
  await phone.ring(call);
  await phone.answer(call);
  await phone.hangUp(call, 12);

  const { data } = await as.messages.list({ inbox_id });
  expect(data).toMatchObject([
    { channel: "voice", status: "completed", duration_seconds: 12, text: "It is free." },
    { channel: "voicemail", caller_number: person, transcript: "Call me back" },
    { channel: "sms", from: person, text: "Is the table free?" },
  ]);
});
