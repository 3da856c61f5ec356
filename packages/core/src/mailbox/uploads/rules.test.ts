import { describe, expect, test } from "vitest";
import { LIMITS } from "../../catalogue/limits.ts";
import { arrivalOf, checkMayWait, checkSize, countedBytes, mostBytes, sourceOf } from "./rules.ts";

const code = (name: string) => expect.objectContaining({ code: name });

describe("the source of an attachment", () => {
  test.each([
    [{ content_base64: "QQ==", filename: "a.txt" }, "content_base64"],
    [{ upload_id: "upl_1" }, "upload_id"],
    [{ upload_id: "upl_1", filename: "other.pdf" }, "upload_id"],
    [{ attachment_id: "att_1" }, "attachment_id"],
  ])("of %j is %s", (input, source) => {
    expect(sourceOf(input, "attachments[0]")).toBe(source);
  });

  test.each([
    [{}],
    [{ filename: "a.txt" }],
    [{ content_base64: "QQ==" }],
    [{ content_base64: "QQ==", filename: "a.txt", upload_id: "upl_1" }],
    [{ upload_id: "upl_1", attachment_id: "att_1" }],
  ])("%j has none that is alone and whole", (input) => {
    expect(() => sourceOf(input, "attachments[2]")).toThrow(
      expect.objectContaining({ code: "invalid_attachment", param: "attachments[2]" }),
    );
  });
});

describe("one more upload", () => {
  const GB = 1024 ** 3;
  const facts = { open: 0, waiting: [], size_bytes: 10, has_plan: false };

  test.each([
    [facts],
    [{ ...facts, open: 99 }],
    [{ ...facts, size_bytes: null, waiting: [{ size_bytes: GB - LIMITS.message_bytes }] }],
    [{ ...facts, waiting: [{ size_bytes: GB - 10 }] }],
    [{ ...facts, has_plan: true, waiting: [{ size_bytes: GB }] }],
  ])("may wait: %j", (each) => {
    expect(checkMayWait(each)).toBeUndefined();
  });

  test.each([
    [{ ...facts, open: 100 }],
    [{ ...facts, waiting: [{ size_bytes: GB - 9 }] }],
    [{ ...facts, size_bytes: null, waiting: [{ size_bytes: GB - LIMITS.message_bytes + 1 }] }],
    [{ ...facts, has_plan: true, open: 100 }],
  ])("may not: %j", (each) => {
    expect(() => checkMayWait(each)).toThrow(code("upload_limit"));
  });

  test("may not beside a thousand small ones", () => {
    const waiting = Array.from({ length: 1_000 }, () => ({ size_bytes: 1 }));
    expect(() => checkMayWait({ ...facts, waiting })).toThrow(code("upload_limit"));
  });
});

describe("bytes that arrive", () => {
  const waiting = { status: "waiting", size_bytes: null, sha256: null } as const;
  const ready = { status: "ready", size_bytes: 3, sha256: "aa" } as const;

  test.each([
    [waiting, { hash: "aa", size_bytes: 3 }, "kept"],
    [{ ...waiting, size_bytes: 3 }, { hash: "aa", size_bytes: 3 }, "kept"],
    [ready, { hash: "aa", size_bytes: 3 }, "repeated"],
  ] as const)("for %j, %j, are %s", (upload, arrived, what) => {
    expect(arrivalOf(upload, arrived)).toBe(what);
  });

  test.each([
    [{ ...waiting, size_bytes: 4 }, { hash: "aa", size_bytes: 3 }, "upload_size_mismatch"],
    [{ ...waiting, size_bytes: 2 }, { hash: "aa", size_bytes: 3 }, "upload_size_mismatch"],
    [ready, { hash: "bb", size_bytes: 3 }, "upload_already_ready"],
  ] as const)("for %j, %j, are refused with %s", (upload, arrived, error) => {
    expect(() => arrivalOf(upload, arrived)).toThrow(code(error));
  });

  test("are all that were declared, where a size was", () => {
    expect(checkSize({ size_bytes: null }, 3)).toBeUndefined();
    expect(checkSize({ size_bytes: 3 }, 3)).toBeUndefined();
    for (const arrived of [0, 2, 4])
      expect(() => checkSize({ size_bytes: 3 }, arrived)).toThrow(code("upload_size_mismatch"));
  });

  test("are at most as many as were declared, or as the largest file has", () => {
    expect(countedBytes({ size_bytes: 0 })).toBe(0);
    expect(countedBytes({ size_bytes: null })).toBe(26_214_400);
    expect(mostBytes({ ...waiting, size_bytes: 7 })).toBe(7);
    expect(mostBytes(waiting)).toBe(26_214_400);
    expect(mostBytes(ready)).toBe(26_214_400);
  });
});
