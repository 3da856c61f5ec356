import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIds, idFloor, isId, looksLikeId, timeOfId } from "./ids.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

describe("ids", () => {
  test("have a prefix and 20 characters, and carry their creation time", () => {
    const id = createIds(() => 1_767_225_600_000)("msg");
    expect(id).toMatch(/^msg_[0-9a-hjkmnp-tv-z]{20}$/);
    expect(timeOfId(id).toISOString()).toBe("2026-01-01T00:00:00.000Z");
  });

  test("sort in creation order, even within one millisecond and when the clock steps back", () => {
    const times = [5, 5, 5, 9, 3, 3, 9, 10];
    let call = 0;
    const make = createIds(() => times[call++] ?? 10);
    const ids = Array.from({ length: 2000 }, () => make("evt"));
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("one wrong character or two swapped ones are detected", () => {
    const make = createIds(() => 1_767_225_600_000);
    fc.assert(
      fc.property(fc.nat(19), fc.nat(30), (place, shift) => {
        const id = make("inb");
        const at = "inb_".length + place;
        const wrong = ALPHABET[(ALPHABET.indexOf(id.charAt(at)) + 1 + shift) % 32] ?? "";
        expect(isId("inb", id)).toBe(true);
        expect(isId("inb", id.slice(0, at) + wrong + id.slice(at + 1))).toBe(false);
        const swapped = id.slice(0, at) + id.charAt(at + 1) + id.charAt(at) + id.slice(at + 2);
        if (place < 19 && swapped !== id) expect(isId("inb", swapped)).toBe(false);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test.each(["", "inb_", "inb_0", "msg_00000000000000000000x", "inb_ilou0000000000000000"])(
    "%j is not an id",
    (word) => {
      expect(isId("inb", word)).toBe(false);
    },
  );

  test("a word that starts like an id is distinguished from a name", () => {
    expect(looksLikeId("inb_x")).toBe(true);
    expect(looksLikeId("ada")).toBe(false);
  });

  test("the floor of a time sorts before its ids and after older ones", () => {
    let now = 1000;
    const make = createIds(() => now);
    const older = make("msg");
    now = 1001;
    const floor = idFloor("msg", new Date(1001));
    expect(older < floor).toBe(true);
    expect(floor).toHaveLength(older.length);
    expect(floor < make("msg")).toBe(true);
  });
});
