import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { PACKABLE_BYTES, packBytes, unpackBytes } from "./packed-bytes.ts";

const textOf = (size: number) =>
  Buffer.from("Received: from mx.sender.example by mx.example.org; ".repeat(size)).subarray(0, size);

test.each([256, 8 * 1024, 8 * 1024 + 1, PACKABLE_BYTES])(
  "%i bytes of text become few, and come back",
  async (size) => {
    const { bytes, coding } = await packBytes(textOf(size));
    expect([coding, bytes.length < size / 2]).toEqual(["zstd", true]);
    expect(Buffer.compare(unpackBytes(bytes, coding), textOf(size))).toBe(0);
  },
);

test.each([
  ["none", Buffer.alloc(0)],
  ["few", textOf(255)],
  ["many", textOf(PACKABLE_BYTES + 1)],
  ["packed already", randomBytes(4_000)],
  ["packed already, many", randomBytes(40_000)],
])("bytes that are %s stay as they are", async (_, bytes) => {
  expect(await packBytes(bytes)).toEqual({ bytes, coding: null });
  expect(unpackBytes(bytes, null)).toBe(bytes);
});

test("no more is unpacked than was ever packed", () => {
  const bomb = zstdCompressSync(Buffer.alloc(PACKABLE_BYTES + 1));
  expect(() => unpackBytes(bomb, "zstd")).toThrow(/larger than/);
});

test("a coding of a later version is an error that names it", () => {
  expect(() => unpackBytes(Buffer.alloc(1), "brotli")).toThrow("brotli");
});
