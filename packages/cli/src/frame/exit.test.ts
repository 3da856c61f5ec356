import { LetterslotApiError } from "@letterslot/client";
import { expect, test } from "vitest";
import { CliError, EXIT, explain } from "./exit.ts";

const answered = (status: number | null, code = "some_code") =>
  new LetterslotApiError({ code, message: "It failed.", status, fix: "Do this." });

test.each<[string, unknown, number]>([
  ["a failure of the command", new CliError("No."), EXIT.failure],
  ["wrong use", new CliError("No.", { exit: EXIT.wrong_use }), 2],
  ["an invalid field", answered(400), 2],
  ["an unprocessable one", answered(422), 2],
  ["too large", answered(413), 2],
  ["not found", answered(404), 3],
  ["gone", answered(410), 3],
  ["no key", answered(401), 4],
  ["payment", answered(402), 4],
  ["no permission", answered(403), 4],
  ["a conflict", answered(409), 1],
  ["too many", answered(429), 1],
  ["a fault of the server", answered(500), 1],
  ["a server that is down", answered(503), 5],
  ["no answer", answered(null, "connection_failed"), 5],
  ["another server", answered(200, "unexpected_answer"), 5],
  ["a missing file", Object.assign(new Error("x"), { code: "ENOENT", path: "/x" }), 1],
  ["anything else", new Error("x"), 1],
])("%s ends with its exit code", (_, error, exit) => {
  expect(explain(error).exit).toBe(exit);
});

test("what the server says to do is said; else what helps where nobody answers", () => {
  expect(explain(answered(404)).fix).toBe("Do this.");
  expect(
    explain(new LetterslotApiError({ code: "connection_failed", message: "m", status: null })).fix,
  ).toContain("letterslot serve");
  expect(
    explain(
      new LetterslotApiError({ code: "rate_limited", message: "m", status: 429, retry_after_seconds: 9 }),
    ).fix,
  ).toBe("Try again in 9 s.");
  expect(
    explain(Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT", path: "/x" })).message,
  ).toBe("There is no such file: /x");
});
