import { expect, test } from "vitest";
import { createManualClock } from "../../../testing/manual-clock.ts";
import { createDeliverySlots, type DeliverySlots } from "./delivery-slots.ts";

const of = (id: string, account_id = "acc_1") => ({ id, account_id });

test("a webhook that has not answered yet gets 4 slots, and further deliveries are postponed", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  const taken = Array.from({ length: 6 }, () => slots.take(of("wh_1")));
  await clock.advance(1000);
  const answers = await Promise.all(taken);
  expect(answers.slice(0, 4)).toEqual([true, true, true, true]);
  const now = clock.now().getTime();
  expect(answers.slice(4).map((answer) => Number(answer) - now)).toEqual([1000, 1250]);
});

test("a hanging webhook does not make others wait, however many deliveries it has due", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  for (let delivery = 0; delivery < 500; delivery++) void slots.take(of("wh_hangs"));
  await clock.advance(1000);
  expect(await slots.take(of("wh_other"))).toBe(true);
  expect(await slots.take(of("wh_hangs"))).toBeInstanceOf(Date);
});

test("a waiting delivery gets the slot that is freed, and a fast webhook gets 64", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  const first = Array.from({ length: 40 }, () => slots.take(of("wh_1")));
  slots.free("wh_1", 5);
  expect(await Promise.all(first)).toEqual(Array(40).fill(true));
  const more = Array.from({ length: 30 }, () => slots.take(of("wh_1")));
  expect(await Promise.all(more.slice(0, 25))).toEqual(Array(25).fill(true));
  slots.free("wh_1", 5);
  expect(await more[25]).toBe(true);
});

test("a slot freed without a request does not change a webhook's speed", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  await slots.take(of("wh_1"));
  slots.free("wh_1", undefined);
  const taken = Array.from({ length: 5 }, () => slots.take(of("wh_1")));
  expect(await Promise.all(taken.slice(0, 4))).toEqual(Array(4).fill(true));
  expect(slots.inUse()).toBe(4);
  await clock.advance(1000);
  expect(await taken[4]).toBeInstanceOf(Date);
});

test("a fast webhook with a long queue stays fast, and what it can't take soon comes back at the pace of its answers", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  await slots.take(of("wh_1"));
  slots.free("wh_1", 320);
  const taken = Array.from({ length: 200 }, () => slots.take(of("wh_1")));
  const now = clock.now().getTime();
  const later = (await Promise.all(taken.slice(64 + 21))).map((answer) => Number(answer) - now);
  expect([later[0], later[1], later.at(-1)]).toEqual([1000, 1005, 1000 + 114 * 5]);
  for (let each = 0; each < 21; each++) slots.free("wh_1", 320);
  expect(await Promise.all(taken.slice(0, 64 + 21))).toEqual(Array(85).fill(true));
});

test("a fast webhook that doesn't answer for a second is slow, and those of its account that answer are not", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  for (const id of ["wh_hangs", "wh_answers"]) {
    await slots.take(of(id));
    slots.free(id, 5);
  }
  const hanging = Array.from({ length: 20 }, () => slots.take(of("wh_hangs")));
  expect(await Promise.all(hanging)).toEqual(Array(20).fill(true));
  for (let step = 0; step < 10; step++) {
    await slots.take(of("wh_answers"));
    await clock.advance(100);
    slots.free("wh_answers", 100);
  }
  expect([slots.isFast("wh_hangs"), slots.isFast("wh_answers")]).toEqual([false, true]);
  expect(await slots.take(of("wh_hangs"))).toBeInstanceOf(Date);
});

test("the fast webhooks of one account leave slots to those of others, and a freed one goes to whoever waits", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  const ids = Array.from({ length: 10 }, (_, number) => `wh_${number}`);
  for (const id of [...ids, "wh_last"]) {
    await slots.take(of(id, id === "wh_last" ? "acc_2" : "acc_1"));
    slots.free(id, 5);
  }
  for (const id of ids) for (let each = 0; each < 8; each++) void slots.take(of(id));
  expect(slots.inUse()).toBe(64);
  expect(await slots.take(of("wh_last", "acc_2"))).toBe(true);
  slots.free("wh_0", 5);
  await Promise.resolve();
  expect(slots.inUse()).toBe(65);
});

test("a fast webhook that starts to hang gets only 4 slots again", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  await slots.take(of("wh_1"));
  slots.free("wh_1", 5);
  await Promise.all(Array.from({ length: 10 }, () => slots.take(of("wh_1"))));
  slots.free("wh_1", 15_000);
  expect(await slots.take(of("wh_1"))).toBeInstanceOf(Date);
  for (let delivery = 0; delivery < 6; delivery++) slots.free("wh_1", 15_000);
  expect(await slots.take(of("wh_1"))).toBe(true);
  expect(await slots.take(of("wh_1"))).toBeInstanceOf(Date);
});

/** Takes slots for four deliveries to each of an account's webhooks, and frees none. */
const takeMany = (slots: DeliverySlots, webhooks: number, account_id: string) =>
  Array.from({ length: webhooks * 4 }, (_, number) =>
    slots.take(of(`wh_${account_id}_${number % webhooks}`, account_id)),
  );

test("hanging webhooks hold only a share of the slots, however many accounts have them, and a fast one still gets a slot", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  await slots.take(of("wh_quick"));
  slots.free("wh_quick", 5);
  const got: number[] = [];
  for (let account = 1; account <= 8; account++) {
    const held = takeMany(slots, 10, `acc_${account}`);
    await clock.advance(1000);
    got.push((await Promise.all(held)).filter((answer) => answer === true).length);
  }
  expect(got).toEqual([34, 22, 15, 10, 7, 4, 3, 2]);
  expect(await slots.take(of("wh_other", "acc_9"))).toBe(true);
  expect(await slots.take(of("wh_quick", "acc_1"))).toBe(true);
});

test("a webhook that got no slot because of others is not slow, and is fast once it has answered", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  const held = takeMany(slots, 10, "acc_1");
  await clock.advance(1000);
  await Promise.all(held);
  expect(await slots.take(of("wh_elsewhere", "acc_2"))).toBe(true);
  const later = [slots.take(of("wh_new")), slots.take(of("wh_new"))];
  await clock.advance(1000);
  const now = clock.now().getTime();
  expect((await Promise.all(later)).map((answer) => Number(answer) - now)).toEqual([1000, 1000]);
  for (let each = 0; each < 2; each++) slots.free("wh_acc_1_0", 15_000);
  expect(await slots.take(of("wh_new"))).toBe(true);
  slots.free("wh_new", 5);
  expect(await Promise.all([slots.take(of("wh_new")), slots.take(of("wh_new"))])).toEqual([true, true]);
});

test("at most 50 deliveries wait for webhooks of unknown speed; the next are postponed by a second", async () => {
  const clock = createManualClock();
  const slots = createDeliverySlots(clock);
  const taken = Array.from({ length: 60 }, () => slots.take(of("wh_new")));
  const now = clock.now().getTime();
  expect((await Promise.all(taken.slice(54))).map((answer) => Number(answer) - now)).toEqual(
    Array(6).fill(1000),
  );
  slots.free("wh_new", 5);
  expect(await Promise.all(taken.slice(0, 54))).toEqual(Array(54).fill(true));
});
