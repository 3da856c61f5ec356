import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressBytes, decompressBytes, MAX_COMPRESSIBLE_BYTES } from "./compressed-bytes.ts";

const textOf = (size: number) =>
  Buffer.from("Received: from mx.sender.example by mx.example.org; ".repeat(size)).subarray(0, size);

test.each([256, 8 * 1024, 8 * 1024 + 1, MAX_COMPRESSIBLE_BYTES])(
  "%i bytes of text are compressed and restored",
  async (size) => {
    const { bytes, coding } = await compressBytes(textOf(size));
    expect([coding, bytes.length < size / 2]).toEqual(["zstd", true]);
    expect(Buffer.compare(decompressBytes(bytes, coding), textOf(size))).toBe(0);
  },
);

test.each([
  ["empty", Buffer.alloc(0)],
  ["few", textOf(255)],
  ["too many", textOf(MAX_COMPRESSIBLE_BYTES + 1)],
  ["compressed already", randomBytes(4_000)],
  ["compressed already, and many", randomBytes(40_000)],
])("bytes that are %s stay as they are", async (_, bytes) => {
  expect(await compressBytes(bytes)).toEqual({ bytes, coding: null });
  expect(decompressBytes(bytes, null)).toBe(bytes);
});

test("a decompression bomb is refused", () => {
  const bomb = zstdCompressSync(Buffer.alloc(MAX_COMPRESSIBLE_BYTES + 1));
  expect(() => decompressBytes(bomb, "zstd")).toThrow(/larger than/);
});

test("a coding from a later version is an error that names it", () => {
  expect(() => decompressBytes(Buffer.alloc(1), "brotli")).toThrow("brotli");
});
