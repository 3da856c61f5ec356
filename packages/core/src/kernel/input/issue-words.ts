import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const TYPES: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  undefined: "left out",
  nan: "a number",
};
const FORMS: Record<string, string> = {
  datetime: "a time with its offset from UTC, such as 2026-11-20T08:00:00Z",
  email: "an e-mail address",
  url: "a URL",
  ipv4: "an IP address",
  ipv6: "an IP address",
  base64: "Base64",
};
/** More choices than this are left to the documentation. */
const MAX_CHOICES = 20;
/** The beginnings of the validator's own texts; a schema's are the end of a sentence such as `must be a domain`. */
const NOT_OURS = /^(?:Invalid|Too|Unrecognized)/;

/** An issue by which to refuse a value, and where it is. */
export interface FoundIssue {
  issue: Issue;
  path: PropertyKey[];
}

/** The first issue of an error. Of a union's it is the one of the option that the value came closest to. */
export function firstIssue({ issues: [issue] }: Pick<z.core.$ZodError, "issues">): FoundIssue | undefined {
  return issue === undefined ? undefined : nearestIssue(issue, []);
}

function nearestIssue(issue: Issue, outer: readonly PropertyKey[]): FoundIssue {
  const path = [...outer, ...issue.path];
  if (issue.code !== "invalid_union") return { issue, path };
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [nearestIssue(first, path)]));
  const [deepest] = inner.toSorted((a, b) => b.path.length - a.path.length);
  if (deepest !== undefined && deepest.path.length > path.length) return deepest;
  return (
    inner.find(({ issue: { code } }) => code !== "invalid_type" && code !== "invalid_value") ?? {
      issue,
      path,
    }
  );
}

/** Describes a fault as the end of a sentence that begins with the field's name: `must be a text, not a number`. */
export function issueWords({ issue }: FoundIssue, value: unknown): string {
  if (!NOT_OURS.test(issue.message)) return issue.message;
  const needed = neededBy(issue);
  if (value === undefined) {
    const choices = issue.code === "invalid_value" ? `: ${needed.replace(/^be /, "")}` : "";
    return `is required${choices}`;
  }
  if (issue.code === "invalid_type" || issue.code === "invalid_union") return `must ${needed}${notA(value)}`;
  if (issue.code === "invalid_value") return `must ${needed}${typeof value === "string" ? "" : notA(value)}`;
  return `must ${needed}`;
}

function neededBy(issue: Issue): string {
  if (issue.code === "invalid_type") return `be ${TYPES[issue.expected] ?? "of another type"}`;
  if (issue.code === "invalid_value") return `be ${choiceOf(issue.values)}`;
  if (issue.code === "invalid_union") return `be ${optionsOf(issue)}`;
  if (issue.code === "invalid_format") return `be ${FORMS[issue.format] ?? "in the form that is documented"}`;
  if (issue.code === "too_big") return sizeWords(issue, issue.maximum, "at most", "less than");
  if (issue.code === "too_small") return sizeWords(issue, issue.minimum, "at least", "more than");
  if (issue.code === "not_multiple_of") return `be a multiple of ${issue.divisor}`;
  return "be in the form that is documented";
}

const choiceOf = (values: readonly unknown[]): string =>
  values.length === 1
    ? String(values[0])
    : values.length > MAX_CHOICES
      ? "one of the documented values"
      : `one of ${values.map(String).join(", ")}`;

function optionsOf(issue: z.core.$ZodIssueInvalidUnion): string {
  const needed = issue.errors.flatMap(([first]) => (first === undefined ? [] : [neededBy(first)]));
  return (
    [...new Set(needed)].map((words) => words.replace(/^be /, "")).join(", or ") || "in the documented form"
  );
}

function sizeWords(
  { origin, inclusive = true, exact }: { origin: string; inclusive?: boolean; exact?: boolean },
  bound: number | bigint,
  closed: string,
  open: string,
): string {
  const limit = `${exact === true ? "exactly" : inclusive ? closed : open} ${bound.toLocaleString("en-US")}`;
  if (origin === "string") {
    const isEmpty = closed === "at least" && bound === 1;
    return isEmpty ? "not be empty" : `have ${limit} character${Number(bound) === 1 ? "" : "s"}`;
  }
  if (origin === "array" || origin === "set") return `have ${limit} item${Number(bound) === 1 ? "" : "s"}`;
  if (origin === "map" || origin === "object") return `have ${limit} field${Number(bound) === 1 ? "" : "s"}`;
  return `be ${limit}`;
}

/** Names the type that a value has instead; empty where that says no more. */
function notA(value: unknown): string {
  if (typeof value === "number")
    return Number.isNaN(value) ? "" : `, not ${Number.isInteger(value) ? "a number" : value}`;
  if (value === null || typeof value === "boolean") return `, not ${String(value)}`;
  if (Array.isArray(value)) return ", not a list";
  return typeof value === "string" ? ", not a text" : ", not an object";
}

/** The first issue of an error, for operators: where it is, and what is wrong there. */
export function issueText(error: Pick<z.core.$ZodError, "issues">, value: unknown): string {
  const found = firstIssue(error);
  if (found === undefined) return "it is not in the right form";
  const { issue, path } = found;
  const name = path.join(".") || "it";
  if (issue.code === "unrecognized_keys")
    return `${name} has an unknown field ${JSON.stringify(issue.keys[0])}`;
  return `${name} ${issueWords(found, valueAt(value, path))}`;
}

/** Returns the value at a path; undefined where the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}
