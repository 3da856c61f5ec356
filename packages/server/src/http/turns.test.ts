import { setImmediate as turnEnds } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("the first answer of a turn leaves at once, those that follow together at its end", async () => {
  const mayLeave = createTurns();
  const left: number[] = [];
  const leave = async (answer: number) => {
    await mayLeave();
    left.push(answer);
  };
  const leaving = [leave(1), leave(2), leave(3)];
  await leaving[0];
  expect(left).toEqual([1]);
  await turnEnds();
  expect(left).toEqual([1, 2, 3]);
  await leave(4);
  expect(left).toEqual([1, 2, 3, 4]);
});
