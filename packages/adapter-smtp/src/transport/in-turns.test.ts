import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { inTurns } from "./in-turns.ts";

test("few bytes are as they were", () => {
  expect(inTurns(new Uint8Array([1, 2, 3]))).toEqual(Buffer.from([1, 2, 3]));
});

test("many bytes come unchanged, in pieces, with a turn of the event loop before each", async () => {
  const whole = Buffer.alloc(3_000_001);
  for (let at = 0; at < whole.length; at++) whole[at] = at % 251;
  const stream = inTurns(whole.subarray(1));
  if (!(stream instanceof Readable)) throw new Error("many bytes are a stream");
  let turns = 0;
  let reading = true;
  const count = () => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  reading = false;
  expect(Buffer.concat(pieces).equals(whole.subarray(1))).toBe(true);
  expect(pieces.length).toBeGreaterThan(5);
  expect(turns).toBeGreaterThanOrEqual(pieces.length);
});
