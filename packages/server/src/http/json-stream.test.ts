import { expect, test } from "vitest";
import { isLong, jsonStream } from "./json-stream.ts";

const message = { id: "msg_x", text: 'Größe "東京" 😀\n'.repeat(60_000), labels: ["sent"], html: null };

test.each([
  ["a long record", message],
  ["a long list", { object: "list", data: [message, { id: "msg_y" }, message], next_cursor: null }],
])("%s is written in pieces, a turn of the event loop for each", async (_, body) => {
  expect(isLong(body)).toBe(true);
  let turns = 0;
  let reading = true;
  const count = () => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const pieces: Uint8Array[] = [];
  for await (const piece of jsonStream(body)) pieces.push(piece);
  reading = false;
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(body);
  expect(pieces.length).toBeGreaterThan(5);
  expect(turns).toBeGreaterThanOrEqual(pieces.length);
});

test("an ordinary answer is not long", () => {
  expect(
    isLong({ object: "list", data: Array.from({ length: 50 }, () => ({ text: "x".repeat(2_000) })) }),
  ).toBe(false);
});
