import { setImmediate as endOfTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createResponseCoalescer } from "./listen.ts";

test("the first response of an event loop turn is sent at once, the others together at its end", async () => {
  const readyToSend = createResponseCoalescer();
  const sent: number[] = [];
  const send = async (response: number) => {
    await readyToSend();
    sent.push(response);
  };
  const sending = [send(1), send(2), send(3)];
  await sending[0];
  expect(sent).toEqual([1]);
  await endOfTurn();
  expect(sent).toEqual([1, 2, 3]);
  await send(4);
  expect(sent).toEqual([1, 2, 3, 4]);
});
