import { expect, test } from "vitest";
import { ownBytes } from "./own-bytes.ts";

test("a view of more memory is copied to its own, and bytes that have their own are not copied", () => {
  const pool = Buffer.from("secret mail of others");
  const view = pool.subarray(7, 11);
  expect(Buffer.from(ownBytes(view)).toString()).toBe("mail");
  expect(ownBytes(view).buffer.byteLength).toBe(4);
  const own = new Uint8Array(4);
  expect(ownBytes(own)).toBe(own);
});
