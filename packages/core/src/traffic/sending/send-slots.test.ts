import { expect, test } from "vitest";
import { createManualClock } from "../../../testing/manual-clock.ts";
import { createSendSlots } from "./send-slots.ts";

/** Asks for `count` slots at once, and returns how many were granted so far and which were put off. */
const open = () => {
  const clock = createManualClock();
  const slots = createSendSlots(clock);
  const granted: Record<string, number> = {};
  const postponed: Record<string, number[]> = {};
  let asked = 0;
  const askOnce = async (sender: string) => {
    const job_id = `job ${++asked}`;
    const answer = await slots.take(sender, job_id);
    if (answer === true) granted[sender] = (granted[sender] ?? 0) + 1;
    else {
      (postponed[sender] ??= []).push(Number(answer) - clock.now().getTime());
      slots.postponed(sender, job_id);
    }
  };
  const ask = async (sender: string, count: number) => {
    for (let each = 0; each < count; each++) void askOnce(sender);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const give = async (sender: string) => {
    slots.give(sender, 350);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, slots, ask, give, granted, postponed };
};

test("a sender gets a share of the free slots, and another one finds slots beside it", async () => {
  const { ask, granted } = open();
  for (const sender of ["a", "b", "c", "d"]) await ask(sender, 30);
  expect(granted).toEqual({ a: 7, b: 5, c: 3, d: 2 });
});

test("a sender that has too many waiting is put off, mail by mail; one more sender still waits", async () => {
  const { ask, granted, postponed } = open();
  await ask("a", 60);
  expect(granted).toEqual({ a: 7 });
  const put_off = postponed["a"] ?? [];
  expect(put_off).toHaveLength(60 - 7 - 30);
  // Seven at a time, each of which is assumed to take 50 ms.
  expect(put_off.slice(0, 3)).toEqual([1000, 1007, 1014]);
  await ask("b", 5);
  expect(postponed["b"]).toBeUndefined();
});

test("a freed slot goes to each sender in turn", async () => {
  const { ask, give, granted } = open();
  await ask("a", 20);
  await ask("b", 20);
  for (let each = 0; each < 6; each++) await give("a");
  const [held_by_a, held_by_b] = [(granted["a"] ?? 0) - 6, granted["b"] ?? 0];
  expect(held_by_a + held_by_b).toBeGreaterThanOrEqual(11);
  expect(Math.abs(held_by_a - held_by_b)).toBeLessThanOrEqual(1);
});

test("postponed mails are called back together as others leave, the first ones first, and each once", async () => {
  const { slots, ask, give } = open();
  await ask("a", 60);
  const called: string[][] = [];
  for (let each = 0; each < 21; each++) {
    await give("a");
    called.push(slots.callBack("a"));
  }
  // Of the 30 that wait, fewer than ten are left after 21.
  expect(called.slice(0, 20).flat()).toEqual([]);
  expect(called[20]).toEqual(Array.from({ length: 20 }, (_, index) => `job ${38 + index}`));
  // They are on their way.
  for (let each = 0; each < 9; each++) await give("a");
  expect(slots.callBack("a")).toEqual([]);
  // With nothing on its way any more, another process has them.
  for (let each = 0; each < 7; each++) await give("a");
  expect(slots.callBack("a")).toEqual(["job 58", "job 59", "job 60"]);
  expect(slots.callBack("a")).toEqual([]);
});

test("a mail that came back by itself isn't called back", async () => {
  const { slots, ask, give } = open();
  await ask("a", 40);
  for (let each = 0; each < 30; each++) await give("a");
  void slots.take("a", "job 38");
  expect(slots.callBack("a")).toEqual(["job 39", "job 40"]);
  expect(slots.callBack("nobody")).toEqual([]);
});
