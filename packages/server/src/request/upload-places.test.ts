import { describe, expect, test } from "vitest";
import { createUploadPlaces } from "./upload-places.ts";

const refusal = expect.objectContaining({ code: "too_many_bytes", retry_after_seconds: 1 });

describe("the places of uploads", () => {
  test("are 25 for an address and 50 in all, and free again at once", () => {
    const { take } = createUploadPlaces();
    const first = Array.from({ length: 25 }, () => take("192.0.2.1"));
    expect(() => take("192.0.2.1")).toThrow(refusal);
    const second = Array.from({ length: 25 }, () => take("192.0.2.2"));
    expect(() => take("192.0.2.3")).toThrow(refusal);
    second[0]?.();
    second[0]?.();
    const third = take("192.0.2.3");
    expect(() => take("192.0.2.3")).toThrow(refusal);
    for (const free of [...first, ...second, third]) free();
    expect(Array.from({ length: 25 }, () => take("192.0.2.1"))).toHaveLength(25);
  });

  test("are all for programs on this machine, and where no address is known", () => {
    const { take } = createUploadPlaces();
    for (let count = 0; count < 49; count++) take("127.0.0.1");
    take(null);
    expect(() => take("::1")).toThrow(refusal);
  });
});
