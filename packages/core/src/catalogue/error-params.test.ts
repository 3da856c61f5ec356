import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Operation } from "../kernel/operation.ts";
import { operations } from "../operations.ts";
import { ERROR_CATALOGUE, type ErrorCode } from "./errors.ts";

const CORE = join(import.meta.dirname, "..");

const all = Object.values(operations).flatMap((verbs) => Object.values(verbs) as unknown as Operation[]);

/** The words of a remedy that are names of fields of the operations that may fail with the code. */
function fieldsIn(code: string, fix: string): string[] {
  const throwing = all.filter(({ errors = [] }) => errors.includes(code as ErrorCode));
  const fields = new Set(throwing.flatMap(({ input }) => Object.keys(input.shape)));
  const words = fix.replace(/(?:GET|POST|PATCH|DELETE) [^\s?]+/g, "").match(/[a-z]+(?:_[a-z0-9]+)*/g) ?? [];
  return [...new Set(words)].filter((word) => fields.has(word) && !PLAIN.has(word));
}

/** Names of fields that remedies have as English words. */
const PLAIN = new Set(["to", "from", "code", "email", "before", "after", "status", "mode", "name", "type"]);

/** Remedies that speak of a field of another call, or of an answer. */
const ELSEWHERE: Partial<Record<ErrorCode, string>> = {
  inbox_expired: "expires_at is changed at the inbox",
  attachment_not_found: "the attachments that a message shows",
  list_full: "an entry that is there already",
  permission_denied: "what the key itself is to have",
  plan_limit_exceeded: "the quota of a workspace, which somebody else raises",
};

interface Thrown {
  at: string;
  code: string;
  args: string;
}

/** Each `fail("code", …)` of core. */
function everyFailure(): Thrown[] {
  const files = readdirSync(CORE, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "catalogue/errors.ts",
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(CORE, file), "utf8");
    return [...text.matchAll(/\bfail\("([a-z_0-9]+)"/g)].map(({ index, 1: code = "" }) => ({
      at: `${file}:${text.slice(0, index).split("\n").length}`,
      code,
      args: callAt(text, index + "fail".length),
    }));
  });
}

/** The text of a call from its opening bracket to the one that closes it. */
function callAt(text: string, from: number): string {
  let open = 0;
  let at = from;
  do {
    if (text[at] === "(") open++;
    if (text[at] === ")") open--;
    at++;
  } while (open > 0);
  return text.slice(from, at);
}

test("an error whose remedy speaks of a field of the call names it as its param", () => {
  const failures = everyFailure();
  expect(failures.length).toBeGreaterThan(300);
  const silent = failures.flatMap(({ at, code, args }) => {
    if (/\bparam\b/.test(args) || Object.hasOwn(ELSEWHERE, code)) return [];
    const own = /\bfix:\s*(["`])(.*?)\1/s.exec(args)?.[2];
    const fields = fieldsIn(code, own ?? ERROR_CATALOGUE[code as ErrorCode].fix);
    return fields.length === 0 ? [] : [`${at} ${code}: ${fields.join(", ")}`];
  });
  expect(silent).toEqual([]);
});
