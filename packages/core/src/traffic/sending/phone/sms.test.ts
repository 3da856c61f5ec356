import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../../testing/index.ts";
import { Plans } from "../../../catalogue/plans.ts";
import { recordSmsStatus } from "../../../phone/telephony/index.ts";
import { TelephonyFailure } from "../../../ports/telephony.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A plan beyond the texts that an account without one may send. */
const UNLIMITED = Plans.parse({ default: "all", plans: { all: {} } });
const ADA = "+14155550199";
const BOB = "+16045550198";

let service: TestService;
let account: TestAccount;
let inbox_id: string;
let ours: string;

async function open(config?: Parameters<typeof createTestService>[0]) {
  service = createTestService(config);
  account = await service.signUp();
  inbox_id = account.inbox.id;
  ours = (await account.as.phoneNumbers.create({ inbox_id, area_code: "415" })).e164;
}
beforeEach(() => open());

const code = (expected: string) => expect.objectContaining({ code: expected });
const send = (input: Record<string, unknown> = {}, as = account.as) =>
  as.messages.sendSms({ inbox_id, to: ADA, text: "Two boxes arrive on Friday.", ...input });

/** A text that was queued, as a message. */
async function queued(input: Record<string, unknown> = {}) {
  const sent = await send(input);
  if (sent.object !== "message") throw new Error("the text was held");
  return sent;
}
const get = (message_id: string) => account.as.messages.get({ inbox_id, message_id });
const storage = () => service.letterslot.services.storage;
/** The texts of the agent that the provider took. */
const carried = () => service.phone.texts.filter(({ message_id }) => message_id !== null);

/** The types of the events about a message, in order. */
async function eventsAbout(id: string): Promise<string[]> {
  const found = await storage().find("events", {
    where: { inbox_id },
    order: { by: "sequence", direction: "asc" },
    limit: 200,
  });
  return found.flatMap(({ type, message_id }) => (message_id === id ? [type] : []));
}

describe("a text", () => {
  test("is queued, handed to the provider, and told by events", async () => {
    const sent = await queued({ client_id: "one" });
    expect(sent).toMatchObject({
      object: "message",
      direction: "outbound",
      channel: "sms",
      from: ours,
      to: [ADA],
      subject: "",
      text: "Two boxes arrive on Friday.",
      status: "queued",
      segments: 1,
      encoding: "GSM-7",
      duration_seconds: null,
      delivery_events: [],
      labels: ["sent"],
      client_id: "one",
    });
    expect(carried()).toEqual([]);
    await service.work();
    expect(carried()).toMatchObject([{ from: ours, to: ADA, text: sent.text, message_id: sent.id }]);
    expect(await get(sent.id)).toMatchObject({
      status: "sent",
      provider: "simulator",
      delivery_events: [{ type: "sent", recipient: ADA }],
    });
    expect(await eventsAbout(sent.id)).toEqual(["message.sent"]);
  });

  test("is found by its words and its number, and in the list", async () => {
    const { id } = await queued();
    const found = await account.as.messages.search({ inbox_id, q: "boxes" });
    expect(found.data.map(({ message }) => message.id)).toEqual([id]);
    expect((await account.as.messages.list({ inbox_id, to: ADA })).data.map((one) => one.id)).toEqual([id]);
  });

  test("shares one thread with all between the same two numbers, and no other", async () => {
    const [first, second, other] = [
      await queued(),
      await queued({ text: "And more." }),
      await queued({ to: BOB }),
    ];
    expect(second.thread_id).toBe(first.thread_id);
    expect(other.thread_id).not.toBe(first.thread_id);
    const thread = await account.as.threads.get({ inbox_id, thread_id: first.thread_id });
    expect(thread).toMatchObject({ message_count: 2, preview: "And more." });
    await account.as.phoneNumbers.delete({ inbox_id });
    await account.as.phoneNumbers.create({ inbox_id, area_code: "604" });
    expect((await queued()).thread_id).not.toBe(first.thread_id);
  });

  test("begins a new thread once the old one is deleted", async () => {
    const first = await queued();
    await service.work();
    await account.as.threads.delete({ inbox_id, thread_id: first.thread_id });
    const next = await queued();
    expect(next.thread_id).not.toBe(first.thread_id);
    expect(await storage().count("message_references", { inbox_id }, 10)).toBe(1);
  });

  test("that comes in is found by its code", async () => {
    await service.phone.text({ from: BOB, to: ours, text: "Your code is 482913." });
    expect(await account.as.messages.waitForCode({ inbox_id, wait: 0 })).toMatchObject({ code: "482913" });
  });

  test("that is deleted before it left doesn't leave", async () => {
    const { id } = await queued();
    await account.as.messages.delete({ inbox_id, message_id: id });
    await service.work();
    expect(carried()).toEqual([]);
    expect(await storage().count("jobs", { kind: "sms.send" }, 10)).toBe(0);
  });

  test("has no raw form, and is answered by a text, not by a mail", async () => {
    const { id: message_id } = await queued();
    const { messages, drafts } = account.as;
    await expect(messages.raw({ inbox_id, message_id })).rejects.toEqual(code("not_a_mail"));
    await expect(messages.reply({ inbox_id, message_id, text: "x" })).rejects.toEqual(code("not_a_mail"));
    await expect(messages.replyAll({ inbox_id, message_id, text: "x" })).rejects.toEqual(code("not_a_mail"));
    await expect(
      drafts.create({ inbox_id, kind: "reply", in_reply_to: message_id, text: "x" }),
    ).rejects.toEqual(code("not_a_mail"));
    const forward = await messages.forward({ inbox_id, message_id, to: ["ada@example.org"] });
    expect(forward).toMatchObject({ channel: "email", text: expect.stringContaining("Two boxes") });
  });
});

describe("what is refused", () => {
  test.for<[input: Record<string, unknown>, refusal: string]>([
    [{ text: undefined }, "missing_text"],
    [{ text: "" }, "missing_text"],
    [{ text: " \n" }, "missing_text"],
    [{ text: "x".repeat(1_601) }, "text_too_long"],
    [{ text: "", to: "nobody" }, "missing_text"],
    [{ to: undefined }, "invalid_e164"],
    [{ to: "4155550199" }, "invalid_e164"],
    [{ to: "+1911" }, "invalid_e164"],
    [{ to: "ada@example.org" }, "invalid_e164"],
    [{ to: [ADA] }, "invalid_e164"],
    [{ to: "+442071838750" }, "international_not_allowed"],
    [{ to: "+18765551234" }, "international_not_allowed"],
    [{ to: "+19002345678" }, "premium_rate_blocked"],
  ])("%j: %s", async ([input, refusal]) => {
    await expect(send(input)).rejects.toEqual(code(refusal));
    await service.work();
    expect(carried()).toEqual([]);
  });

  test("the longest text is taken", async () => {
    expect(await queued({ text: "x".repeat(1_600) })).toMatchObject({ segments: 11 });
  });

  test("an inbox without a number, a paused one, and an expired one", async () => {
    const bare = (await account.as.inboxes.create({})).id;
    await expect(send({ inbox_id: bare })).rejects.toEqual(code("phone_number_not_found"));
    await account.as.inboxes.update({ inbox_id, status: "paused" });
    await expect(send()).rejects.toEqual(code("inbox_paused"));
    await account.as.inboxes.update({ inbox_id, status: "active" });
    await account.as.phoneNumbers.delete({ inbox_id });
    await expect(send()).rejects.toEqual(code("phone_number_not_found"));
  });

  test("a number on a block list, and one that isn't on the allow list", async () => {
    await account.as.lists.create({ direction: "send", type: "block", entry: ADA });
    await expect(send()).rejects.toEqual(code("recipient_blocked"));
    await send({ to: BOB });
    await account.as.lists.createForInbox({
      inbox_id,
      direction: "send",
      type: "allow",
      entry: "owner.example",
    });
    await expect(send({ to: BOB })).rejects.toEqual(code("recipient_blocked"));
    await account.as.lists.createForInbox({ inbox_id, direction: "send", type: "allow", entry: BOB });
    await send({ to: BOB });
  });

  test("who said STOP gets no text from that inbox until they say START", async () => {
    await service.phone.text({ from: ADA, to: ours, text: "Stop." });
    await expect(send()).rejects.toEqual(code("recipient_suppressed"));
    await send({ to: BOB });
    await service.phone.text({ from: ADA, to: ours, text: "START" });
    await send();
  });

  test("a key without sms_send is refused before its input is looked at", async () => {
    const { api_key } = await account.as.keys.create({ permissions: ["message_send"] });
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(send({ text: "" }, as)).rejects.toMatchObject({
      code: "permission_denied",
      param: "sms_send",
    });
  });

  test("an unclaimed account's texts where accounts must be claimed", async () => {
    await open({ onboarding: "claimed" });
    await expect(send()).rejects.toEqual(code("account_unclaimed"));
  });
});

describe("what a text counts as", () => {
  const plans = Plans.parse({
    default: "small",
    plans: {
      small: {
        ...{
          inboxes: 3,
          workspaces: 1,
          custom_domains: 0,
          storage_mb: 10,
          monthly_sends: 2,
          phone_numbers: 1,
        },
        upgrade_url: null,
      },
    },
  });

  test("one recipient of the plan's month, together with mail", async () => {
    await open({ plans });
    await queued();
    await account.as.messages.send({ inbox_id, to: ["ada@example.org"], text: "x" });
    await expect(send()).rejects.toMatchObject({
      code: "plan_limit_exceeded",
      quota: { resource: "monthly_sends", limit: 2, used: 2 },
    });
  });

  test("a recipient, and a new one, of the budgets of the key that sends it", async () => {
    const { api_key } = await account.as.keys.create({
      budget: { new_recipients_per_day: 1, sends_per_day: 3 },
    });
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await send({}, as);
    await send({}, as);
    await expect(send({ to: BOB }, as)).rejects.toMatchObject({
      code: "budget_exceeded",
      param: "new_recipients_per_day",
    });
    await send({}, as);
    await expect(send({}, as)).rejects.toMatchObject({ code: "budget_exceeded", param: "sends_per_day" });
  });

  test("outside a budget that is for domains", async () => {
    const { api_key } = await account.as.keys.create({ budget: { recipient_domains: ["example.org"] } });
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(send({}, as)).rejects.toEqual(code("recipient_outside_budget"));
  });
});

describe("once", () => {
  test("the same client_id answers the first text, whatever else is said", async () => {
    const first = await queued({ client_id: "one" });
    expect(await send({ client_id: "one", text: "Another." })).toMatchObject({
      id: first.id,
      text: first.text,
      idempotent: true,
    });
    await service.work();
    expect(carried()).toHaveLength(1);
  });

  test("the same Idempotency-Key answers the first text", async () => {
    const input = { inbox_id, to: ADA, text: "Once." };
    const first = await account.as.messages.sendSms(input, { idempotencyKey: "k" });
    const again = await account.as.messages.sendSms(input, { idempotencyKey: "k" });
    expect(again).toMatchObject({ id: first.id, idempotent: true });
    await service.work();
    expect(carried()).toHaveLength(1);
  });

  test("two at once with one client_id are one text", async () => {
    const both = await Promise.all([queued({ client_id: "one" }), queued({ client_id: "one" })]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    await service.work();
    expect(carried()).toHaveLength(1);
  });

  test("twenty at once to one number share a thread", async () => {
    await open({ plans: UNLIMITED });
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => queued({ text: `Text ${n}` })));
    expect(new Set(all.map(({ thread_id }) => thread_id)).size).toBe(1);
    const thread_id = all[0]?.thread_id ?? "";
    expect(await account.as.threads.get({ inbox_id, thread_id })).toMatchObject({ message_count: 20 });
  });

  test("of twenty at once as many pass as the plan has room for", async () => {
    const plans = Plans.parse({
      default: "small",
      plans: {
        small: {
          ...{
            inboxes: 3,
            workspaces: 1,
            custom_domains: 0,
            storage_mb: 10,
            monthly_sends: 7,
            phone_numbers: 1,
          },
          upgrade_url: null,
        },
      },
    });
    await open({ plans });
    const all = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => queued({ text: `Text ${n}` })));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(7);
    await service.work();
    expect(carried()).toHaveLength(7);
  });
});

describe("what comes of it", () => {
  const outcome = (kind: "refused" | "unavailable" | "unknown", happened = false) =>
    service.phone.failNext("sendSms", new TelephonyFailure(kind, "30034: the number isn't registered"), {
      happened,
    });

  test("a refusal fails it with the provider's words", async () => {
    outcome("refused");
    const { id } = await queued();
    await service.work();
    expect(await get(id)).toMatchObject({
      status: "failed",
      delivery_events: [{ type: "failed", recipient: ADA, detail: "30034: the number isn't registered" }],
    });
    expect(await eventsAbout(id)).toEqual(["message.failed"]);
    await service.clock.advance(24 * HOUR_MS);
    await service.work();
    expect(carried()).toEqual([]);
  });

  test("an unreachable provider is asked again, and the text leaves once", async () => {
    outcome("unavailable");
    outcome("unavailable");
    const { id } = await queued();
    await service.work();
    expect(await get(id)).toMatchObject({ status: "queued", delivery_events: [{ type: "deferred" }] });
    for (let minute = 0; minute < 10; minute += 1) {
      await service.clock.advance(MINUTE_MS);
      await service.work();
    }
    expect(carried()).toHaveLength(1);
    expect((await get(id)).delivery_events.map(({ type }) => type)).toEqual(["deferred", "deferred", "sent"]);
  });

  test("a provider that stays unreachable for four hours fails it", async () => {
    for (let attempt = 0; attempt < 7; attempt += 1) outcome("unavailable");
    const { id } = await queued();
    for (let minutes = 0; minutes <= 240; minutes += 5) {
      await service.work();
      await service.clock.advance(5 * MINUTE_MS);
    }
    const { status, delivery_events } = await get(id);
    expect([status, delivery_events.length, delivery_events.at(-1)?.type]).toEqual(["failed", 7, "failed"]);
    await service.clock.advance(24 * HOUR_MS);
    await service.work();
    expect(carried()).toEqual([]);
  });

  test.for([true, false])("an unknown outcome is never repeated (it happened: %s)", async (happened) => {
    outcome("unknown", happened);
    const { id } = await queued();
    await service.work();
    expect(await get(id)).toMatchObject({ status: "failed", delivery_events: [{ type: "possibly_sent" }] });
    expect(await eventsAbout(id)).toEqual(["message.failed"]);
    await service.clock.advance(24 * HOUR_MS);
    await service.work();
    expect(carried()).toHaveLength(happened ? 1 : 0);
  });

  test("a worker that died after it began leaves a text that may have been sent, and that isn't sent again", async () => {
    const { id } = await queued();
    const [job] = await storage().find("jobs", { where: { subject_id: id }, limit: 1 });
    await storage().update("jobs", { id: job?.id ?? "" }, { payload: { begun: 1 } });
    await service.work();
    expect(carried()).toEqual([]);
    expect(await get(id)).toMatchObject({
      status: "failed",
      delivery_events: [{ type: "possibly_sent", detail: expect.stringContaining("isn't sent again") }],
    });
  });

  test("a worker that fails after the provider took the text doesn't send it again", async () => {
    const { sendSms } = service.phone;
    service.phone.sendSms = async (sms) => {
      await sendSms(sms);
      throw new Error("the process ended");
    };
    const { id } = await queued();
    await service.work();
    await service.clock.advance(HOUR_MS);
    await service.work();
    expect(carried()).toHaveLength(1);
    expect(await get(id)).toMatchObject({ status: "failed", delivery_events: [{ type: "possibly_sent" }] });
  });

  test("a worker that died, when a callback has told since that it was sent, changes nothing", async () => {
    const { id } = await queued();
    const [job] = await storage().find("jobs", { where: { subject_id: id }, limit: 1 });
    await storage().update("jobs", { id: job?.id ?? "" }, { payload: { begun: 1 } });
    await service.phone.sendSms({ message_id: id, from: ours, to: ADA, text: "x" });
    await service.phone.reportText(carried()[0] ?? { id: "" }, "sent");
    await service.work();
    expect(await get(id)).toMatchObject({ status: "sent", delivery_events: [{ type: "sent" }] });
    expect(await eventsAbout(id)).toEqual(["message.sent"]);
  });

  test("a suspended account's text waits", async () => {
    const { id } = await queued();
    await service.letterslot.operator.accounts.suspend(account.account_id);
    await service.work();
    expect(carried()).toEqual([]);
    await service.letterslot.operator.accounts.resume(account.account_id);
    await service.clock.advance(10 * MINUTE_MS);
    await service.work();
    expect(await get(id)).toMatchObject({ status: "sent" });
  });

  test("STOP that comes before it left, and a number that was given back, fail it", async () => {
    outcome("unavailable");
    const { id } = await queued();
    await service.work();
    await service.phone.text({ from: ADA, to: ours, text: "STOP" });
    await service.clock.advance(MINUTE_MS);
    await service.work();
    expect(await get(id)).toMatchObject({ status: "failed" });
    const other = await queued({ to: BOB });
    await account.as.phoneNumbers.delete({ inbox_id });
    await service.work();
    expect(await get(other.id)).toMatchObject({ status: "failed" });
    expect(carried()).toEqual([]);
  });
});

describe("callbacks", () => {
  type Report = "sent" | "delivered" | "failed";
  const reported = async (...reports: Report[]) => {
    const { id } = await queued();
    await service.work();
    const text = carried()[0] ?? { id: "" };
    for (const report of reports) await service.phone.reportText(text, report, "30003: unreachable");
    const { status, delivery_events } = await get(id);
    return { status, events: delivery_events.map(({ type }) => type), published: await eventsAbout(id) };
  };

  test.for<[reports: Report[], status: string, events: string[], published: string[]]>([
    [["sent"], "sent", ["sent"], ["message.sent"]],
    [["sent", "delivered"], "sent", ["sent", "delivered"], ["message.sent", "message.delivered"]],
    [["delivered", "sent"], "sent", ["sent", "delivered"], ["message.sent", "message.delivered"]],
    [["delivered", "delivered"], "sent", ["sent", "delivered"], ["message.sent", "message.delivered"]],
    [["delivered", "failed"], "sent", ["sent", "delivered"], ["message.sent", "message.delivered"]],
    [["sent", "failed"], "failed", ["sent", "failed"], ["message.sent", "message.failed"]],
    [["failed", "failed"], "failed", ["sent", "failed"], ["message.sent", "message.failed"]],
    [["failed", "delivered", "sent"], "failed", ["sent", "failed"], ["message.sent", "message.failed"]],
  ])("%j: %s", async ([reports, status, events, published]) => {
    expect(await reported(...reports)).toEqual({ status, events, published });
  });

  test("in any order, doubled and forged, never move a text back, and the first end stands", async () => {
    await open({ plans: UNLIMITED });
    const report = fc.record({
      status: fc.constantFrom<Report>("sent", "delivered", "failed"),
      forged: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(report, { maxLength: 8 }), async (reports) => {
        const { id } = await queued();
        await service.work();
        const provider_id = carried().find(({ message_id }) => message_id === id)?.id ?? "";
        for (const { status, forged } of reports)
          await recordSmsStatus(
            service.letterslot.services,
            {
              ...{ kind: "sms_status", message_id: id, status, detail: "" },
              provider_id: forged ? "another" : provider_id,
            },
            service.clock.now(),
          );
        const end = reports.find(({ status, forged }) => !forged && status !== "sent")?.status;
        const shown = await get(id);
        expect(shown.status).toBe(end === "failed" ? "failed" : "sent");
        expect(shown.delivery_events.map(({ type }) => type)).toEqual([
          "sent",
          ...(end === undefined ? [] : [end]),
        ]);
        expect(await eventsAbout(id)).toEqual([
          "message.sent",
          ...(end === undefined ? [] : [`message.${end}`]),
        ]);
      }),
      { numRuns: 40, seed: 16 },
    );
  });

  test("one about another message, or by another id of the provider, changes nothing", async () => {
    const { id } = await queued();
    await service.work();
    const mail = await account.as.messages.send({ inbox_id, to: ["ada@example.org"], text: "x" });
    const report = (message_id: string, provider_id: string) =>
      recordSmsStatus(
        service.letterslot.services,
        { kind: "sms_status", message_id, provider_id, status: "failed", detail: "" },
        service.clock.now(),
      );
    const provider_id = carried()[0]?.id ?? "";
    expect(await report(id, "another")).toBe(false);
    expect(await report(mail.id, provider_id)).toBe(false);
    expect(await report("msg_nothing", provider_id)).toBe(false);
    expect([(await get(id)).status, (await get(mail.id)).status]).toEqual(["sent", "queued"]);
    expect(await report(id, provider_id)).toBe(true);
    expect((await get(id)).status).toBe("failed");
  });

  test("one that comes before the worker noted its result stands", async () => {
    const { phone } = service;
    const { sendSms } = phone;
    phone.sendSms = async (sms) => {
      const answer = await sendSms(sms);
      await phone.reportText({ id: answer.provider_id }, "failed", "30034: not registered");
      return answer;
    };
    const { id } = await queued();
    await service.work();
    expect(await get(id)).toMatchObject({
      status: "failed",
      delivery_events: [{ type: "failed", detail: "30034: not registered" }],
    });
    expect(await eventsAbout(id)).toEqual(["message.failed"]);
  });
});
