import { describe, expect, test } from "vitest";
import { createPieces } from "./pieces.ts";

const sizes = [1, 3, 4_095, 4_096, 5, 70_000, 2, 65_536, 65_535, 1, 1];

describe("the pieces of a body", () => {
  test("are all there, in order", () => {
    const pieces = createPieces();
    const sent = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    for (const piece of sent) pieces.push(piece);
    expect(Buffer.concat(pieces.take()).equals(Buffer.concat(sent))).toBe(true);
  });

  test.each([
    ["single bytes", () => 1],
    ["a byte and a block by turns", (index: number) => (index % 2 === 0 ? 1 : 4_096)],
  ])("cut into %s take at most twice their memory, and few buffers", (_, sizeOf) => {
    const pieces = createPieces();
    let bytes = 0;
    for (let index = 0; bytes < 1_000_000; index++) {
      pieces.push(Buffer.alloc(sizeOf(index)));
      bytes += sizeOf(index);
    }
    const taken = pieces.take();
    const memory = new Set(taken.map(({ buffer }) => buffer))
      .values()
      .reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(memory).toBeLessThan(2 * bytes);
    expect(taken.length).toBeLessThan(300);
  });
});
