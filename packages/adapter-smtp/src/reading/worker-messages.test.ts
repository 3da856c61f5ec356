import { expect, test } from "vitest";
import { copyInSlices, toStandaloneBytes } from "./worker-messages.ts";

test("a view of a larger buffer is copied, and standalone bytes are not", () => {
  const pool = Buffer.from("secret mail of others");
  const view = pool.subarray(7, 11);
  expect(Buffer.from(toStandaloneBytes(view)).toString()).toBe("mail");
  expect(toStandaloneBytes(view).buffer.byteLength).toBe(4);
  const standalone = new Uint8Array(4);
  expect(toStandaloneBytes(standalone)).toBe(standalone);
});

test("a large message is copied whole, however many slices that takes", async () => {
  const raw = Buffer.alloc(2_500_000, "large mail");
  expect(Buffer.from(await copyInSlices(raw)).equals(raw)).toBe(true);
  expect(await copyInSlices(new Uint8Array())).toEqual(new Uint8Array());
});
