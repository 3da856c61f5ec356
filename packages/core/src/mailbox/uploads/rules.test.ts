import { describe, expect, test } from "vitest";
import { LIMITS } from "../../catalogue/limits.ts";
import {
  arrivalOf,
  checkMayWait,
  checkSize,
  countedBytes,
  fetchableUrl,
  mostBytes,
  nameInUrl,
  sourceOf,
} from "./rules.ts";

const BYTES = new Uint8Array([65]);

const code = (name: string) => expect.objectContaining({ code: name });

describe("the source of an attachment", () => {
  test.each([
    [{ content_base64: BYTES, filename: "a.txt" }, "content_base64"],
    [{ upload_id: "upl_1" }, "upload_id"],
    [{ upload_id: "upl_1", filename: "other.pdf" }, "upload_id"],
    [{ attachment_id: "att_1" }, "attachment_id"],
    [{ url: "https://files.example.com/a.pdf" }, "url"],
  ])("of %j is %s", (input, source) => {
    expect(sourceOf(input, "attachments[0]")).toBe(source);
  });

  test.each([
    [{}],
    [{ filename: "a.txt" }],
    [{ content_base64: BYTES }],
    [{ content_base64: BYTES, filename: "a.txt", upload_id: "upl_1" }],
    [{ upload_id: "upl_1", attachment_id: "att_1" }],
    [{ upload_id: "upl_1", url: "https://files.example.com/a.pdf" }],
  ])("%j has none that is alone and whole", (input) => {
    expect(() => sourceOf(input, "attachments[2]")).toThrow(
      expect.objectContaining({ code: "invalid_attachment", param: "attachments[2]" }),
    );
  });
});

describe("a URL to fetch a file from", () => {
  const observe = { untrusted: "observe", content: "observe", new_recipients: "observe" } as const;
  const direct = {
    ...({ effective_send_mode: "direct", effective_outbound: observe, release_by: "key" } as const),
    ...{ sends: true, may_send: true, has_budget: false },
  };
  const param = "attachments[1].url";
  const prefixes = ["https://files.example.com/reports/", "https://other.example/"];

  test.each([
    ["https://files.example.com/reports/a.pdf", "https://files.example.com/reports/a.pdf"],
    [
      "https://FILES.example.com:443/reports/x/../a%20b.pdf#page=2",
      "https://files.example.com/reports/a%20b.pdf",
    ],
    ["https://other.example/v1..;2.pdf", "https://other.example/v1..;2.pdf"],
    ["https://other.example", "https://other.example/"],
  ])("%s is one", (url, asked) => {
    expect(fetchableUrl({ url, param }, direct, prefixes)).toBe(asked);
  });

  test.each([
    ["nothing", ""],
    ["http", "http://files.example.com/reports/a.pdf"],
    ["a file of the machine", "file:///etc/passwd"],
    ["with a query", "https://files.example.com/reports/a.pdf?a=b"],
    ["with an empty query", "https://files.example.com/reports/a.pdf?"],
    ["with a password", "https://ada:secret@files.example.com/reports/a.pdf"],
    ["with a user", "https://ada@files.example.com/reports/a.pdf"],
    ["of another host", "https://files.example.com.evil.example/reports/a.pdf"],
    ["of another port", "https://files.example.com:8443/reports/a.pdf"],
    ["of another folder", "https://files.example.com/secrets/a.pdf"],
    ["of a folder whose name begins alike", "https://files.example.com/reports-b/a.pdf"],
    ["that leads out", "https://files.example.com/reports/../secrets/a.pdf"],
    ["that leads out, encoded", "https://files.example.com/reports/%2e%2e/secrets/a.pdf"],
    ["with a hidden slash", "https://files.example.com/reports/..%2Fsecrets/a.pdf"],
    ["with another hidden slash", "https://files.example.com/reports/..%5csecrets/a.pdf"],
    ["with a slash encoded twice", "https://files.example.com/reports/..%252fsecrets/a.pdf"],
    ["with dots encoded twice", "https://files.example.com/reports/%252e%252e/secrets/a.pdf"],
    ["with a parameter of a folder above", "https://files.example.com/reports/..;/secrets/a.pdf"],
    ["with a named one", "https://files.example.com/reports/..;a=b/secrets/a.pdf"],
    ["with one of this folder", "https://files.example.com/reports/.;/a.pdf"],
    ["with encoded dots before it", "https://files.example.com/reports/%2E%2e;/secrets/a.pdf"],
    ["with an encoded semicolon", "https://files.example.com/reports/..%3B/secrets/a.pdf"],
  ])("%s is none", (_what, url) => {
    expect(() => fetchableUrl({ url, param }, direct, prefixes)).toThrow(
      expect.objectContaining({ code: "attachment_url_refused", param }),
    );
  });

  test.each([
    ["is guarded", { ...direct, effective_send_mode: "guarded" as const }],
    ["asks about every mail", { ...direct, effective_send_mode: "approval" as const }],
    ["asks about some", { ...direct, effective_outbound: { ...observe, content: "approve" as const } }],
    ["blocks some", { ...direct, effective_outbound: { ...observe, new_recipients: "block" as const } }],
    ["asks about what is held", { ...direct, release_by: "authority" as const }],
    ["doesn't send now", { ...direct, sends: false }],
    ["is only written in", { ...direct, may_send: false }],
    ["is asked by a key with a budget", { ...direct, has_budget: true }],
  ])("isn't where an inbox %s", (_what, inbox) => {
    const url = "https://other.example/a.pdf";
    expect(() => fetchableUrl({ url, param }, inbox, prefixes)).toThrow(code("attachment_url_refused"));
  });

  test("isn't where the operator names none", () => {
    expect(() => fetchableUrl({ url: "https://other.example/a.pdf", param }, direct, [])).toThrow(
      code("attachment_url_refused"),
    );
  });

  test.each([
    ["https://other.example/a/b%20c.pdf", "b c.pdf"],
    ["https://other.example/a/%E0%A4%A.pdf", "%E0%A4%A.pdf"],
    ["https://other.example/", ""],
  ])("%s names a file %j", (url, name) => {
    expect(nameInUrl(url)).toBe(name);
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
