import { describe, expect, test } from "vitest";
import { countBuffered } from "./smtp-data.ts";

const MEGABYTE = 1024 * 1024;

describe("the buffer", () => {
  test("keeps its last eighth for messages of up to a megabyte", () => {
    const bufferedOf = countBuffered(80 * MEGABYTE, 80 * MEGABYTE);
    const [hostile, honest] = [bufferedOf("192.0.2.0/24"), bufferedOf("198.51.100.0/24")];
    expect(hostile.fits(70 * MEGABYTE, 0)).toBe(true);
    hostile.add(70 * MEGABYTE);
    expect(hostile.fits(MEGABYTE, 70 * MEGABYTE)).toBe(false);
    expect(honest.fits(MEGABYTE, 0)).toBe(true);
    expect(honest.fits(1, MEGABYTE)).toBe(false);
    hostile.add(-70 * MEGABYTE);
    expect(honest.fits(70 * MEGABYTE, 0)).toBe(true);
  });

  test("is shared out by network; local clients count only towards all", () => {
    const bufferedOf = countBuffered(100, 50);
    bufferedOf("192.0.2.0/24").add(50);
    expect(bufferedOf("192.0.2.0/24").fits(1, 0)).toBe(false);
    expect(bufferedOf("198.51.100.0/24").fits(50, 0)).toBe(true);
    expect(bufferedOf("198.51.100.0/24").fits(51, 0)).toBe(false);
    expect(bufferedOf(null).fits(50, 0)).toBe(true);
    expect(bufferedOf(null).fits(51, 0)).toBe(false);
  });
});
