import { expect, test } from "vitest";
import { freeBytes } from "./free-bytes.ts";

test("bytes of their own are empty afterwards", () => {
  const bytes = new Uint8Array(100);
  freeBytes(bytes);
  expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0]);
});

test("bytes that are part of more, or shared with a thread, stay", () => {
  const whole = new Uint8Array([1, 2, 3]);
  const shared = new Uint8Array(new SharedArrayBuffer(3));
  freeBytes(whole.subarray(1));
  freeBytes(shared);
  expect([[...whole], shared.length]).toEqual([[1, 2, 3], 3]);
});
