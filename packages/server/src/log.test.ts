import { expect, test } from "vitest";
import { createLog } from "./log.ts";

function logged(fields: Record<string, unknown>): string {
  const lines: string[] = [];
  createLog("info", { write: (line) => void lines.push(line) }).info(fields, "said");
  return lines.join("");
}

test("an error shows its code and its cause's, and nothing else that was hung on it", () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED", mail: "private words" });
  const line = logged({ error: Object.assign(new Error("not sent", { cause }), { code: "storage_unavailable" }) });
  expect(JSON.parse(line)).toMatchObject({ error: { error_code: "storage_unavailable", cause: { error_code: "ECONNREFUSED" } } });
  expect(line).not.toContain("private words");
});

test.each(["api_key", "code", "token", "text", "raw", "password"])("%s is struck out, also within a field", (name) => {
  const line = logged({ [name]: "s3cret", owner: { [name]: "s3cret" } });
  expect(line).toContain("[redacted]");
  expect(line).not.toContain("s3cret");
});

test("an entry is one line of JSON with its level, its time and what was said", () => {
  const line = logged({ port: 25, nothing: undefined, words: "two\nlines" });
  expect(line).toMatch(/^[^\n]+\n$/);
  expect(JSON.parse(line)).toEqual({ level: 30, time: expect.any(String) as string, port: 25, words: "two\nlines", msg: "said" });
});

test.each([
  ["info", "info warn error"],
  ["warn", "warn error"],
  ["silent", ""],
] as const)("at %s it says %j", (level, said) => {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => void lines.push(line) });
  for (const kind of ["info", "warn", "error"] as const) log[kind]({}, kind);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg).join(" ")).toBe(said);
});

test("fields that JSON can't hold are left out, and what was said is there", () => {
  const knot: Record<string, unknown> = {};
  knot["again"] = knot;
  expect(JSON.parse(logged({ knot }))).toMatchObject({ msg: "said", fields: "can't be written" });
});
