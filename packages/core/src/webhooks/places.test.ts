import { expect, test } from "vitest";
import { createManualClock } from "../../testing/manual-clock.ts";
import { createPlaces } from "./places.ts";

test("a webhook that has not answered yet has 4 places, and the next ones are told to come later", async () => {
  const clock = createManualClock();
  const places = createPlaces(clock);
  const taken = Array.from({ length: 6 }, () => places.take("wh_1"));
  await clock.advance(1000);
  const answers = await Promise.all(taken);
  expect(answers.slice(0, 4)).toEqual([true, true, true, true]);
  const now = clock.now().getTime();
  expect(answers.slice(4).map((answer) => Number(answer) - now)).toEqual([1000, 1250]);
});

test("a webhook that hangs does not make others wait, however many it has due", async () => {
  const clock = createManualClock();
  const places = createPlaces(clock);
  for (let delivery = 0; delivery < 500; delivery++) void places.take("wh_hangs");
  await clock.advance(1000);
  expect(await places.take("wh_other")).toBe(true);
  expect(await places.take("wh_hangs")).toBeInstanceOf(Date);
});

test("who waits gets the place that is given back, and a quick webhook gets 64", async () => {
  const clock = createManualClock();
  const places = createPlaces(clock);
  const taken = Array.from({ length: 70 }, () => places.take("wh_1"));
  places.give("wh_1", 5);
  expect(await Promise.all(taken.slice(0, 65))).toEqual(Array(65).fill(true));
  places.give("wh_1", 5);
  expect(await taken[65]).toBe(true);
});

test("a quick webhook that begins to hang is back to 4 places once they are free", async () => {
  const clock = createManualClock();
  const places = createPlaces(clock);
  await places.take("wh_1");
  places.give("wh_1", 5);
  await Promise.all(Array.from({ length: 10 }, () => places.take("wh_1")));
  places.give("wh_1", 15_000);
  expect(await places.take("wh_1")).toBeInstanceOf(Date);
  for (let delivery = 0; delivery < 6; delivery++) places.give("wh_1", 15_000);
  expect(await places.take("wh_1")).toBe(true);
  expect(await places.take("wh_1")).toBeInstanceOf(Date);
});

test("webhooks that hang hold 100 places together, and a quick one still finds its own", async () => {
  const clock = createManualClock();
  const places = createPlaces(clock);
  await places.take("wh_quick");
  places.give("wh_quick", 5);
  const held = Array.from({ length: 40 }, (_, webhook) => Array.from({ length: 4 }, () => places.take(`wh_${webhook}`))).flat();
  await clock.advance(1000);
  expect((await Promise.all(held)).filter((answer) => answer === true)).toHaveLength(100);
  expect(await places.take("wh_quick")).toBe(true);
});
