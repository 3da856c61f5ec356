import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createDeliverySlots, type DeliverySlots } from "./delivery-slots.ts";

const of = (id: string, account_id = "acc_1") => ({ id, account_id });

test("a webhook that has not answered yet has 4 places, and the next ones are told to come later", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  const taken = Array.from({ length: 6 }, () => places.take(of("wh_1")));
  await clock.advance(1000);
  const answers = await Promise.all(taken);
  expect(answers.slice(0, 4)).toEqual([true, true, true, true]);
  const now = clock.now().getTime();
  expect(answers.slice(4).map((answer) => Number(answer) - now)).toEqual([1000, 1250]);
});

test("a webhook that hangs does not make others wait, however many it has due", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  for (let delivery = 0; delivery < 500; delivery++) void places.take(of("wh_hangs"));
  await clock.advance(1000);
  expect(await places.take(of("wh_other"))).toBe(true);
  expect(await places.take(of("wh_hangs"))).toBeInstanceOf(Date);
});

test("who waits gets the place that is given back, and a quick webhook gets 64", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  const first = Array.from({ length: 40 }, () => places.take(of("wh_1")));
  places.give("wh_1", 5);
  expect(await Promise.all(first)).toEqual(Array(40).fill(true));
  const more = Array.from({ length: 30 }, () => places.take(of("wh_1")));
  expect(await Promise.all(more.slice(0, 25))).toEqual(Array(25).fill(true));
  places.give("wh_1", 5);
  expect(await more[25]).toBe(true);
});

test("a place that is given back before the receiver was asked teaches nothing", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  await places.take(of("wh_1"));
  places.give("wh_1", undefined);
  const taken = Array.from({ length: 5 }, () => places.take(of("wh_1")));
  expect(await Promise.all(taken.slice(0, 4))).toEqual(Array(4).fill(true));
  expect(places.underWay()).toBe(4);
  await clock.advance(1000);
  expect(await taken[4]).toBeInstanceOf(Date);
});

test("a quick webhook that many are in line for stays a quick one, and who waited for long comes later", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  await places.take(of("wh_1"));
  places.give("wh_1", 500);
  const taken = Array.from({ length: 200 }, () => places.take(of("wh_1")));
  await clock.advance(500);
  places.give("wh_1", 500);
  await clock.advance(500);
  const answers = await Promise.all(taken);
  expect(answers.slice(0, 65)).toEqual(Array(65).fill(true));
  const later = answers.slice(65).map((answer) => Number(answer) - clock.now().getTime());
  expect([later[0], later[1], later.at(-1)]).toEqual([1000, 1010, 1000 + 134 * 10]);
  places.give("wh_1", 500);
  expect(await places.take(of("wh_1"))).toBe(true);
});

test("a quick webhook that begins to hang is back to 4 places once they are free", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  await places.take(of("wh_1"));
  places.give("wh_1", 5);
  await Promise.all(Array.from({ length: 10 }, () => places.take(of("wh_1"))));
  places.give("wh_1", 15_000);
  expect(await places.take(of("wh_1"))).toBeInstanceOf(Date);
  for (let delivery = 0; delivery < 6; delivery++) places.give("wh_1", 15_000);
  expect(await places.take(of("wh_1"))).toBe(true);
  expect(await places.take(of("wh_1"))).toBeInstanceOf(Date);
});

/** Four deliveries to each of so many webhooks of an account, none of which is answered. */
const takeMany = (places: DeliverySlots, webhooks: number, account_id: string) =>
  Array.from({ length: webhooks * 4 }, (_, number) =>
    places.take(of(`wh_${account_id}_${number % webhooks}`, account_id)),
  );

test("webhooks that hang hold a share of the places, however many accounts have them, and a quick one still finds its own", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  await places.take(of("wh_quick"));
  places.give("wh_quick", 5);
  const got: number[] = [];
  for (let account = 1; account <= 8; account++) {
    const held = takeMany(places, 10, `acc_${account}`);
    await clock.advance(1000);
    got.push((await Promise.all(held)).filter((answer) => answer === true).length);
  }
  expect(got).toEqual([34, 22, 15, 10, 7, 4, 3, 2]);
  expect(await places.take(of("wh_other", "acc_9"))).toBe(true);
  expect(await places.take(of("wh_quick", "acc_1"))).toBe(true);
});

test("a webhook that found no place because of others is not called slow, and is fast once it has answered", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  const held = takeMany(places, 10, "acc_1");
  await clock.advance(1000);
  await Promise.all(held);
  expect(await places.take(of("wh_elsewhere", "acc_2"))).toBe(true);
  const later = [places.take(of("wh_new")), places.take(of("wh_new"))];
  await clock.advance(1000);
  const now = clock.now().getTime();
  expect((await Promise.all(later)).map((answer) => Number(answer) - now)).toEqual([1000, 1000]);
  for (let each = 0; each < 2; each++) places.give("wh_acc_1_0", 15_000);
  expect(await places.take(of("wh_new"))).toBe(true);
  places.give("wh_new", 5);
  expect(await Promise.all([places.take(of("wh_new")), places.take(of("wh_new"))])).toEqual([true, true]);
});

test("50 deliveries at most wait for webhooks that nothing is known of; the next come back in a second", async () => {
  const clock = createManualClock();
  const places = createDeliverySlots(clock);
  const taken = Array.from({ length: 60 }, () => places.take(of("wh_new")));
  const now = clock.now().getTime();
  expect((await Promise.all(taken.slice(54))).map((answer) => Number(answer) - now)).toEqual(
    Array(6).fill(1000),
  );
  places.give("wh_new", 5);
  expect(await Promise.all(taken.slice(0, 54))).toEqual(Array(54).fill(true));
});
