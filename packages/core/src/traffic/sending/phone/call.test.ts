import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../../testing/index.ts";
import { type Plan, Plans } from "../../../catalogue/plans.ts";
import { recordCallStatus } from "../../../phone/telephony/index.ts";
import { TelephonyFailure } from "../../../ports/telephony.ts";

const THEIRS = "+14155550199";
const SAY = "Your two boxes arrive on Friday.";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UPGRADE = "https://example.com/plans";

const plansOf = (free: Partial<Plan>) =>
  Plans.parse({ default: "free", plans: { free: { upgrade_url: UPGRADE, ...free } } });

/** A service, an account whose inbox has a number, and what a test of calls does. */
async function withNumber(free?: Partial<Plan>) {
  const service = createTestService(free === undefined ? {} : { plans: plansOf(free) });
  const account = await service.signUp();
  const { e164 } = await account.as.phoneNumbers.create({ inbox_id: account.inbox.id, area_code: "415" });
  return { service, account, e164, ...driving(service, account) };
}

function driving({ work, phone, letterslot }: TestService, { as, inbox, account_id }: TestAccount) {
  const inbox_id = inbox.id;
  const show = async (message_id: string) => as.messages.get({ inbox_id, message_id });
  return {
    inbox_id,
    place: (input: Partial<Parameters<typeof as.messages.call>[0]> = {}) =>
      as.messages.call({ inbox_id, to: THEIRS, say: SAY, ...input }),
    /** Places a call and lets the provider take it. */
    async placed(input: Parameters<typeof as.messages.call>[0] | object = {}) {
      const { id } = await as.messages.call({ inbox_id, to: THEIRS, say: SAY, ...input });
      await work();
      const call = phone.calls.findLast(({ message_id }) => message_id === id);
      if (call === undefined) throw new Error("the provider was not asked");
      return { id, call, show: () => show(id) };
    },
    show,
    minutes: async () => (await as.me.get({})).usage?.voice_minutes,
    async statuses() {
      const { storage } = letterslot.services;
      const where = { account_id, type: "phone.call_updated" as const };
      const { data } = await as.events.list({ types: ["phone.call_updated"] });
      expect(await storage.count("events", where, 1_000)).toBe(data.length);
      return data.map((event) => {
        const { message } = event.data as { message: Record<string, unknown> };
        return [message["status"], message["duration_seconds"]];
      });
    },
  };
}

test("a call is a message from the inbox's number, and its status follows the phone", async () => {
  const { service, place, show, statuses, inbox_id, e164 } = await withNumber();
  const { phone } = service;
  const sent = await place();
  expect(sent).toMatchObject({
    object: "message",
    direction: "outbound",
    channel: "voice",
    from: e164,
    to: [THEIRS],
    subject: `Call to ${THEIRS}`,
    text: SAY,
    status: "queued",
    mode: "say",
    duration_seconds: null,
    labels: ["sent"],
    inbox_id,
  });
  await service.work();
  const [call] = phone.calls;
  if (call === undefined) throw new Error("there is no call");
  expect(call).toMatchObject({ from: e164, to: THEIRS, heard: SAY, message_id: sent.id });
  expect(await show(sent.id)).toMatchObject({ status: "queued", provider: "simulator" });
  await phone.ring(call);
  expect(await show(sent.id)).toMatchObject({ status: "ringing", duration_seconds: null });
  await phone.answer(call);
  await phone.hangUp(call, 42);
  expect(await show(sent.id)).toMatchObject({ status: "completed", duration_seconds: 42 });
  expect(await statuses()).toEqual([
    ["ringing", null],
    ["completed", 42],
  ]);
});

test.for([
  ["nobody answers", "ignore", "no-answer"],
  ["the call can't be completed", "breakOff", "failed"],
] as const)("%s: %s", async ([, act, status]) => {
  const { service, placed, minutes } = await withNumber({ voice_minutes: 10 });
  const { call, show } = await placed();
  await service.phone.ring(call);
  expect((await minutes())?.used).toBe(1);
  await service.phone[act](call);
  const shown = await show();
  expect(shown).toMatchObject({ status, duration_seconds: 0 });
  const failure = { type: "failed", recipient: THEIRS, detail: "The call can't be completed." };
  expect(shown.delivery_events).toMatchObject(status === "failed" ? [failure] : []);
  expect(await minutes()).toEqual({ used: 0, limit: 10 });
});

test("say_and_record says first that it records, and the answer comes into the same thread", async () => {
  const { service, account, placed, inbox_id } = await withNumber();
  const { call, show } = await placed({ mode: "say_and_record" });
  expect(call).toMatchObject({ heard: `This call will be recorded. ${SAY}`, recording_seconds: 120 });
  await service.phone.ring(call);
  await service.phone.answer(call);
  await service.phone.speak(call, { text: "Friday is fine.", seconds: 4 });
  await service.phone.hangUp(call, 20);
  await service.work();
  const { thread_id } = await show();
  const { data } = await account.as.messages.list({ inbox_id, thread_id });
  expect(data).toMatchObject([
    { type: "voicemail", caller_number: THEIRS, duration_seconds: 4, transcript: "Friday is fine." },
    { channel: "voice", mode: "say_and_record", duration_seconds: 20 },
  ]);
});

describe("of several faults the first of this order is told", () => {
  interface Scene {
    free?: Partial<Plan>;
    input: Record<string, unknown>;
    number: boolean;
    also: ((service: TestService, account: TestAccount) => Promise<unknown>)[];
  }
  type Fault = [code: string, what: string, set: (scene: Scene) => void];
  const faults: Fault[] = [
    ["missing_say", "say", ({ input }) => (input["say"] = " ")],
    ["say_too_long", "say", ({ input }) => (input["say"] = "a".repeat(1_001))],
    ["invalid_e164", "to", ({ input }) => (input["to"] = "4155550123")],
    ["international_not_allowed", "to", ({ input }) => (input["to"] = "+442071838750")],
    ["premium_rate_blocked", "to", ({ input }) => (input["to"] = "+19002345678")],
    ["phone_number_not_found", "number", (scene) => (scene.number = false)],
    [
      "inbox_paused",
      "inbox",
      ({ also }) =>
        also.push((_service, { as, inbox }) => as.inboxes.update({ inbox_id: inbox.id, status: "paused" })),
    ],
    [
      "daily_call_cap",
      "cap",
      ({ also }) =>
        also.push(async ({ letterslot, clock }, { account_id }) => {
          const day_ms = 24 * HOUR_MS;
          const start = Math.floor(clock.now().getTime() / day_ms) * day_ms;
          await letterslot.services.storage.insert("counters", {
            name: `calls:${account_id}:${start}`,
            count: 100,
            expires_at: new Date(start + day_ms).toISOString(),
          });
        }),
    ],
    ["plan_limit_exceeded", "plan", (scene) => (scene.free = { voice_minutes: 0 })],
    [
      "recipient_blocked",
      "list",
      ({ also }) =>
        also.push((_service, { as }) => as.lists.create({ direction: "send", type: "block", entry: THEIRS })),
    ],
  ];
  const pairs = faults.flatMap((first, place) =>
    faults.slice(place + 1).flatMap((second) => (first[1] === second[1] ? [] : [[first, second] as const])),
  );

  test.for([...faults.map((fault) => [fault, fault] as const), ...pairs].map((pair) => [...pair]))(
    "$0.0 comes before $1.0",
    async ([first, second]) => {
      if (first === undefined || second === undefined) return;
      const scene: Scene = { input: { to: THEIRS, say: SAY }, number: true, also: [] };
      // The second first, so that the first one's input stands.
      second[2](scene);
      first[2](scene);
      const service = createTestService(scene.free ? { plans: plansOf(scene.free) } : {});
      const account = await service.signUp();
      const inbox_id = account.inbox.id;
      if (scene.number) await account.as.phoneNumbers.create({ inbox_id, area_code: "415" });
      for (const act of scene.also) await act(service, account);
      await expect(account.as.messages.call({ inbox_id, ...scene.input } as never)).rejects.toMatchObject({
        code: first[0],
      });
      expect((await account.as.messages.list({ inbox_id })).data).toEqual([]);
    },
  );
});

describe("who may not be called", () => {
  test.for<[code: string, who: string, act: (scene: Awaited<ReturnType<typeof withNumber>>) => unknown]>([
    [
      "recipient_suppressed",
      "who answered STOP",
      ({ service, e164 }) => service.phone.text({ from: THEIRS, to: e164, text: "STOP" }),
    ],
    [
      "recipient_blocked",
      "who is on a block list",
      ({ account }) => account.as.lists.create({ direction: "send", type: "block", entry: THEIRS }),
    ],
    [
      "recipient_blocked",
      "who isn't on an allow list",
      ({ account }) => account.as.lists.create({ direction: "send", type: "allow", entry: "+12125550199" }),
    ],
    [
      "inbox_expired",
      "anybody, by an expired inbox",
      async ({ service, account, inbox_id }) => {
        const expires_at = new Date(service.clock.now().getTime() + MINUTE_MS).toISOString();
        await account.as.inboxes.update({ inbox_id, expires_at });
        await service.clock.advance(MINUTE_MS);
      },
    ],
  ])("%s: %s", async ([code, , act]) => {
    const scene = await withNumber({ voice_minutes: 10 });
    await act(scene);
    await expect(scene.place()).rejects.toMatchObject({ code });
    expect(await scene.minutes()).toEqual({ used: 0, limit: 10 });
  });

  test("account_unclaimed: anybody, before an owner confirmed", async () => {
    const service = createTestService({ onboarding: "claimed" });
    const account = await service.signUp("agent", "olga@owner.example");
    await account.as.phoneNumbers.create({ inbox_id: account.inbox.id, area_code: "415" });
    await expect(driving(service, account).place()).rejects.toMatchObject({ code: "account_unclaimed" });
  });
});

test("a call counts against a key's budget, for which a number is at no domain", async () => {
  const { service, account, inbox_id } = await withNumber();
  const keyed = async (budget: Record<string, unknown>) => {
    const { api_key } = await account.as.keys.create({ budget });
    const as = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    return () => as.messages.call({ inbox_id, to: THEIRS, say: SAY });
  };
  const once = await keyed({ sends_per_day: 1 });
  await once();
  await expect(once()).rejects.toMatchObject({ code: "budget_exceeded", param: "sends_per_day" });
  const mail = await keyed({ recipient_domains: ["example.com"] });
  await expect(mail()).rejects.toMatchObject({ code: "recipient_outside_budget" });
});

describe("minutes", () => {
  test("are reserved while a call is under way, and cost what was talked, rounded up", async () => {
    const { service, placed, minutes } = await withNumber({ voice_minutes: 10 });
    const { call } = await placed({ say: "a".repeat(1_000), mode: "say_and_record" });
    expect((await minutes())?.used).toBe(4);
    await service.phone.ring(call);
    await service.phone.answer(call);
    expect((await minutes())?.used).toBe(4);
    await service.phone.hangUp(call, 61);
    expect(await minutes()).toEqual({ used: 2, limit: 10 });
  });

  test("beyond the plan a call is refused, and nothing is counted or stored", async () => {
    const { account, place, minutes, inbox_id } = await withNumber({ voice_minutes: 2 });
    await place();
    await expect(place({ mode: "say_and_record" })).rejects.toMatchObject({
      code: "plan_limit_exceeded",
      quota: { resource: "voice_minutes", limit: 2, used: 1, upgrade_url: UPGRADE },
    });
    expect(await minutes()).toEqual({ used: 1, limit: 2 });
    expect((await account.as.messages.list({ inbox_id })).data).toHaveLength(1);
    const { notices } = await account.as.me.get({});
    expect(notices ?? []).toEqual([]);
    await place();
    expect((await account.as.me.get({})).notices).toMatchObject([
      { code: "usage_full", resource: "voice_minutes", used: 2, limit: 2 },
    ]);
  });

  test("come with each number beyond the included ones", async () => {
    const { account, minutes } = await withNumber({
      voice_minutes: 300,
      voice_minutes_per_number: 30,
      included_numbers: 1,
    });
    expect(await minutes()).toEqual({ used: 0, limit: 300 });
    const other = await account.as.inboxes.create({});
    await account.as.phoneNumbers.create({ inbox_id: other.id, area_code: "212" });
    expect(await minutes()).toEqual({ used: 0, limit: 330 });
    await account.as.phoneNumbers.delete({ inbox_id: other.id });
    expect(await minutes()).toEqual({ used: 0, limit: 300 });
  });

  test("without a number that counts there are none", async () => {
    const { account, place } = await withNumber({ voice_minutes: 0, voice_minutes_per_number: 1 });
    await place();
    await expect(place()).rejects.toMatchObject({ quota: { limit: 1, used: 1 } });
    const other = await account.as.inboxes.create({});
    await account.as.phoneNumbers.create({ inbox_id: other.id, area_code: "212" });
    await place();
  });

  test("of a call that ends in the next month go back to the month of its reservation", async () => {
    const { service, account, placed, minutes } = await withNumber({ voice_minutes: 10 });
    const now = service.clock.now();
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    await service.clock.advance(next - now.getTime() - MINUTE_MS);
    const { call } = await placed({ mode: "say_and_record" });
    await service.phone.answer(call);
    await service.clock.advance(MINUTE_MS);
    expect((await minutes())?.used).toBe(0);
    await service.phone.hangUp(call, 61);
    expect((await minutes())?.used).toBe(0);
    const where = { account_id: account.account_id, resource: "voice_minutes" };
    expect(await service.letterslot.services.storage.find("plan_usage", { where, limit: 9 })).toMatchObject([
      { used: 2 },
    ]);
  });

  test("and calls of a workspace's account count for its parent", async () => {
    const { service, account, minutes } = await withNumber({ voice_minutes: 2 });
    const child = await service.signUp("child");
    const { storage } = service.letterslot.services;
    await child.as.phoneNumbers.create({ inbox_id: child.inbox.id, area_code: "212" });
    const parent = { parent_account_id: account.account_id };
    await storage.update("accounts", { id: child.account_id }, parent);
    const { place } = driving(service, child);
    await place();
    await place();
    expect(await minutes()).toEqual({ used: 2, limit: 2 });
    await expect(place()).rejects.toMatchObject({ code: "plan_limit_exceeded" });
    const counted = await storage.find("counters", { where: {}, limit: 50 });
    expect(counted.filter(({ name }) => name.startsWith("calls:"))).toMatchObject([
      { name: expect.stringContaining(account.account_id), count: 2 },
    ]);
  });

  test("of many calls at once exactly as many are placed as there is room for", async () => {
    const { place, minutes } = await withNumber({ voice_minutes: 3 });
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => place()));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(await minutes()).toEqual({ used: 3, limit: 3 });
  });

  test("aren't counted without plans, nor given back should there be plans by the end", async () => {
    const { service, place, placed, minutes } = await withNumber();
    const { call } = await placed();
    service.letterslot.services.options.plans = plansOf({ voice_minutes: 10 });
    await place();
    await service.phone.breakOff(call);
    expect(await minutes()).toEqual({ used: 1, limit: 10 });
  });
});

test("an account places 100 calls a day (UTC), however many it asks for at once", async () => {
  const { service, place } = await withNumber();
  const many = (count: number) => Promise.allSettled(Array.from({ length: count }, () => place()));
  for (let round = 0; round < 12; round++) await many(8);
  const codes = (await many(8)).map((outcome) =>
    outcome.status === "rejected" ? (outcome.reason as { code: string }).code : "placed",
  );
  expect(codes.toSorted()).toEqual([...Array(4).fill("daily_call_cap"), ...Array(4).fill("placed")]);
  const now = service.clock.now().getTime();
  const day_ms = 24 * HOUR_MS;
  await service.clock.advance(day_ms - (now % day_ms) - 1);
  await expect(place()).rejects.toMatchObject({ code: "daily_call_cap" });
  await service.clock.advance(1);
  await place();
});

test("a repeated call with the same client_id is placed and counted once", async () => {
  const { service, place, minutes } = await withNumber({ voice_minutes: 10 });
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => place({ client_id: "one" })));
  expect(others.map(({ id }) => id)).toEqual([first?.id, first?.id]);
  await service.work();
  expect(service.phone.calls).toHaveLength(1);
  expect((await minutes())?.used).toBe(1);
});

describe("placing", () => {
  test("a call that the provider may have taken is failed, marked, and never placed again", async () => {
    const { service, place, show, minutes } = await withNumber({ voice_minutes: 10 });
    const { phone, work, clock } = service;
    phone.failNext("placeCall", new TelephonyFailure("unknown", "No answer within 30 seconds."), {
      happened: true,
    });
    const { id } = await place();
    await work();
    await clock.advance(HOUR_MS);
    await work();
    expect(phone.calls).toHaveLength(1);
    expect(await show(id)).toMatchObject({
      status: "failed",
      delivery_events: [{ type: "possibly_sent", recipient: THEIRS, detail: "No answer within 30 seconds." }],
    });
    expect((await minutes())?.used).toBe(0);
  });

  test("a worker that finds that another one had begun marks the call and doesn't place it", async () => {
    const { service, place, show, statuses } = await withNumber();
    const { phone, work, clock } = service;
    const { placeCall } = phone;
    phone.placeCall = async (call) => {
      await placeCall(call);
      throw new Error("the process dies here");
    };
    const { id } = await place();
    await work();
    expect(await show(id)).toMatchObject({ status: "queued" });
    phone.placeCall = placeCall;
    await clock.advance(MINUTE_MS);
    await work();
    expect(phone.calls).toHaveLength(1);
    const events = [{ type: "possibly_sent", detail: expect.stringContaining("It isn't placed again.") }];
    expect(await show(id)).toMatchObject({ status: "failed", delivery_events: events });
    expect(await statuses()).toEqual([["failed", 0]]);
  });

  test("a callback that was faster than the provider's answer shows that the call was placed", async () => {
    const { service, place, show } = await withNumber();
    const { phone, work, clock } = service;
    const { placeCall } = phone;
    phone.placeCall = async (call) => {
      const { provider_id } = await placeCall(call);
      await phone.ring({ id: provider_id });
      throw new Error("the process dies here");
    };
    const { id } = await place();
    await work();
    await clock.advance(MINUTE_MS);
    await work();
    expect(await show(id)).toMatchObject({ status: "ringing", delivery_events: [] });
    const [call] = phone.calls;
    if (call === undefined) throw new Error("there is no call");
    await phone.answer(call);
    await phone.hangUp(call, 9);
    expect(await show(id)).toMatchObject({ status: "completed", duration_seconds: 9 });
  });

  test("what the provider refuses has failed, in its words", async () => {
    const { service, place, show } = await withNumber();
    service.phone.failNext("placeCall", new TelephonyFailure("refused", "21215: not allowed to call there"));
    const { id } = await place();
    await service.work();
    expect(await show(id)).toMatchObject({
      status: "failed",
      delivery_events: [{ type: "failed", detail: "21215: not allowed to call there" }],
    });
  });

  test("while the provider can't be reached it is tried again", async () => {
    const { service, place, show } = await withNumber();
    const { phone, work, clock } = service;
    for (let time = 0; time < 5; time++)
      phone.failNext("placeCall", new TelephonyFailure("unavailable", "connection refused"));
    const { id } = await place();
    await work();
    expect(await show(id)).toMatchObject({ status: "queued", delivery_events: [] });
    for (const wait of [5, 15, 30, 60, 60]) {
      expect(phone.calls).toHaveLength(0);
      await clock.advance(wait * 1_000);
      await work();
    }
    expect(phone.calls).toHaveLength(1);
  });

  test("a call that can't be placed within half an hour has failed and costs nothing", async () => {
    const { service, place, show, minutes } = await withNumber({ voice_minutes: 5 });
    const { phone, work, clock } = service;
    const unreachable = () => phone.failNext("placeCall", new TelephonyFailure("unavailable", "no network"));
    const { id } = await place();
    for (let minute = 0; minute < 31; minute++) {
      unreachable();
      await work();
      await clock.advance(MINUTE_MS);
    }
    await work();
    expect(phone.calls).toHaveLength(0);
    const events = [{ type: "failed", detail: "no network" }];
    expect(await show(id)).toMatchObject({ status: "failed", delivery_events: events });
    expect((await minutes())?.used).toBe(0);
  });

  test("a call that was asked for half an hour ago is not placed any more", async () => {
    const { service, place, show } = await withNumber();
    const { id } = await place();
    await service.clock.advance(30 * MINUTE_MS);
    await service.work();
    expect(service.phone.calls).toHaveLength(0);
    const events = [{ type: "failed", detail: "The call could not be placed in time." }];
    expect(await show(id)).toMatchObject({ status: "failed", delivery_events: events });
  });

  test.for([
    [
      "a suspended account",
      "The account is suspended.",
      ({ letterslot }: TestService, { account_id }: TestAccount) =>
        letterslot.operator.accounts.suspend(account_id),
    ],
    [
      "an inbox that gave its number back",
      "The inbox doesn't have this number any more.",
      (_service: TestService, { as, inbox }: TestAccount) => as.phoneNumbers.delete({ inbox_id: inbox.id }),
    ],
  ] as const)("nothing is placed any more for %s", async ([, detail, act]) => {
    const { service, account, place, inbox_id } = await withNumber();
    const { id } = await place();
    await act(service, account);
    await service.work();
    expect(service.phone.calls).toHaveLength(0);
    const stored = await service.letterslot.services.storage.get("messages", id);
    expect(stored).toMatchObject({
      status: "failed",
      inbox_id,
      delivery_events: [{ type: "failed", detail }],
    });
  });

  test("the provider is told to end a call when the reserved minutes are over", async () => {
    const { service, place } = await withNumber({ voice_minutes: 10 });
    const limits: number[] = [];
    const { placeCall } = service.phone;
    service.phone.placeCall = (call) => {
      limits.push(call.time_limit_seconds);
      return placeCall(call);
    };
    await place();
    await place({ mode: "say_and_record" });
    await service.work();
    expect(limits.toSorted((one, other) => one - other)).toEqual([60, 180]);
  });
});

test.for([
  ["before it is placed is not placed any more", false],
  ["while it is under way goes on", true],
] as const)("a call whose message is deleted %s, and costs what was reserved", async ([, taken]) => {
  const { service, account, place, minutes, inbox_id } = await withNumber({ voice_minutes: 10 });
  const { phone, work } = service;
  const { id } = await place({ mode: "say_and_record" });
  if (taken) await work();
  await account.as.messages.delete({ inbox_id, message_id: id });
  await work();
  expect(phone.calls).toHaveLength(taken ? 1 : 0);
  for (const call of phone.calls) {
    await phone.answer(call);
    await phone.hangUp(call, 20);
  }
  await service.clock.advance(5 * HOUR_MS);
  await work();
  expect((await account.as.messages.list({ inbox_id })).data).toEqual([]);
  expect((await minutes())?.used).toBe(3);
});

describe("callbacks", () => {
  const RANKS: Record<string, number> = { queued: 0, ringing: 1, completed: 2 };

  test("in any order, doubled and forged, end in the same state, and a status never goes back", async () => {
    const { service, placed, minutes, statuses } = await withNumber({ voice_minutes: 1_000 });
    const { phone, letterslot } = service;
    let cost = 0;
    let told = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ which: fc.nat(1), forged: fc.boolean() }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 59 }),
        async (order, duration) => {
          const { id, call, show } = await placed();
          const before = phone.callbacks.length;
          phone.hold();
          await phone.ring(call);
          await phone.answer(call);
          await phone.hangUp(call, duration);
          const made = phone.callbacks.slice(before);
          let rank = 0;
          const deliver = async (which: number, forged: boolean) => {
            const genuine = made[which];
            if (genuine === undefined) throw new Error("two callbacks were made");
            const event = { ...JSON.parse(genuine.body), status: "failed", duration_seconds: 9_999 };
            const request = forged ? { ...genuine, body: JSON.stringify(event) } : genuine;
            const answer = letterslot.receiveCallback(request);
            if (forged) await expect(answer).rejects.toMatchObject({ code: "callback_refused" });
            if (!forged) expect(await answer).toMatchObject({ status: 200 });
            const { status, duration_seconds } = await show();
            expect(RANKS[status]).toBeGreaterThanOrEqual(rank);
            rank = RANKS[status] ?? 0;
            expect(duration_seconds).toBe(status === "completed" ? duration : null);
          };
          for (const { which, forged } of order) await deliver(which, forged);
          await deliver(1, false);
          await deliver(0, false);
          expect(await show()).toMatchObject({ id, status: "completed", delivery_events: [] });
          cost += 1;
          expect((await minutes())?.used).toBe(cost);
          const rang = order.find(({ forged }) => !forged)?.which === 0;
          told += rang ? 2 : 1;
          expect(await statuses()).toHaveLength(told);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("that contradict each other: the first end stands", async () => {
    const { service, placed } = await withNumber();
    const { phone, letterslot } = service;
    const { id, call, show } = await placed();
    const told = { kind: "call_status", message_id: id, provider_id: call.id, detail: "" } as const;
    const tell = (status: "ringing" | "no-answer" | "completed", duration_seconds: number | null) =>
      recordCallStatus(letterslot.services, { ...told, status, duration_seconds }, service.clock.now());
    await tell("no-answer", null);
    await tell("completed", 50);
    await tell("ringing", null);
    expect(await show()).toMatchObject({ status: "no-answer", duration_seconds: 0 });
    expect(phone.calls).toHaveLength(1);
  });

  test.for([
    ["of another call", { provider_id: "call-other" }],
    ["of a mail", { message_id: "mail" }],
    ["of no message of ours", { message_id: "msg_unknown" }],
  ] as const)("%s change nothing", async ([, fault]) => {
    const { service, account, placed, inbox_id } = await withNumber();
    const { id, call, show } = await placed();
    const mail = await account.as.messages.send({ inbox_id, to: ["ada@example.com"], text: "Hello" });
    const { services } = service.letterslot;
    const ours = { message_id: id, provider_id: call.id, ...fault };
    const message_id = ours.message_id === "mail" ? mail.id : ours.message_id;
    const told = { kind: "call_status", status: "failed", duration_seconds: null, detail: "" } as const;
    const event = { ...told, ...ours, message_id };
    expect(await recordCallStatus(services, event, service.clock.now())).toBe(false);
    expect(await show()).toMatchObject({ status: "queued" });
    expect((await account.as.messages.get({ inbox_id, message_id: mail.id })).status).toBe("queued");
  });
});

describe("a call of whose end nothing is heard", () => {
  const unheard = async () => {
    const scene = await withNumber({ voice_minutes: 10 });
    scene.service.phone.hold();
    const placed = await scene.placed({ mode: "say_and_record" });
    expect((await scene.minutes())?.used).toBe(3);
    return { ...scene, ...placed };
  };

  test("is asked for after 4 hours and settled as the provider says", async () => {
    const { service, call, show, minutes, statuses } = await unheard();
    await service.phone.ring(call);
    await service.phone.answer(call);
    await service.phone.hangUp(call, 61);
    await service.clock.advance(4 * HOUR_MS - 1);
    await service.work();
    expect(await show()).toMatchObject({ status: "queued" });
    await service.clock.advance(1);
    await service.work();
    expect(await show()).toMatchObject({ status: "completed", duration_seconds: 61 });
    expect((await minutes())?.used).toBe(2);
    await service.phone.release();
    expect(await statuses()).toEqual([["completed", 61]]);
    expect((await minutes())?.used).toBe(2);
  });

  test("has failed when the provider doesn't know it", async () => {
    const { service, show, minutes } = await unheard();
    service.phone.calls.length = 0;
    await service.clock.advance(4 * HOUR_MS);
    await service.work();
    const events = [{ type: "failed", detail: "The provider doesn't know the call." }];
    expect(await show()).toMatchObject({ status: "failed", delivery_events: events });
    expect((await minutes())?.used).toBe(0);
  });

  test("is asked for again while the provider can't be reached, and has failed after a day", async () => {
    const { service, show, minutes } = await unheard();
    await service.clock.advance(4 * HOUR_MS);
    for (let asked = 0; asked < 120; asked++) {
      service.phone.failNext("findCall", new TelephonyFailure("unavailable", "no network"));
      await service.work();
      expect((await show()).status).toBe("queued");
      await service.clock.advance(10 * MINUTE_MS);
    }
    await service.work();
    expect(await show()).toMatchObject({ status: "failed" });
    expect((await minutes())?.used).toBe(0);
  });
});

test("in approval mode a call that the plan doesn't allow is refused before an owner is asked", async () => {
  const { service, account, place, inbox_id, minutes } = await withNumber({ voice_minutes: 1 });
  await service.addOwner(account, "olga@owner.example");
  await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
  await expect(place({ mode: "say_and_record" })).rejects.toMatchObject({ code: "plan_limit_exceeded" });
  expect(await place()).toMatchObject({ object: "draft", kind: "call", call_mode: "say", text: SAY });
  expect(await minutes()).toEqual({ used: 0, limit: 1 });
  await service.work();
  expect(service.phone.calls).toHaveLength(0);
});
