import type { z } from "zod";
import { type ErrorCode, fail, isErrorCode, type LetterslotError } from "../../catalogue/errors.ts";
import { nearest } from "../../catalogue/nearest.ts";
import type { Operation } from "../operation.ts";
import { exampleOf } from "./example.ts";
import { type FoundIssue, firstIssue, issueWords, valueAt } from "./issue-words.ts";
import { descriptionOf, fieldsAt, schemaAt } from "./schema-parts.ts";
import { type TextFault, textFault } from "./text-faults.ts";

/** More names than this are not listed. */
const MAX_NAMES = 20;
/** A longer example says no more. */
const MAX_EXAMPLE_CHARS = 120;
/** More of an unknown name is not repeated. */
const MAX_NAME_CHARS = 60;

/** The source of the values of a check, for its error messages. */
export interface Checked {
  schema: z.ZodType;
  value: unknown;
  /** A good value, in part. */
  example?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks an operation's input. Fails with the code of the first thing that is wrong, and says what to do. */
export function checkInput(
  { input, example }: Pick<Operation, "input" | "example">,
  raw: Record<string, unknown>,
): Record<string, unknown> {
  const known = Object.keys(input.shape);
  const unknown = Object.keys(raw).find((field) => !Object.hasOwn(input.shape, field));
  if (unknown !== undefined) throw unknownName(unknown, [], known);
  const parsed = input.safeParse(raw);
  if (!parsed.success) throw failureOf(parsed.error, { schema: input, value: raw, example });
  const texts = Object.entries(raw).filter(([field]) => !isName(field));
  const fault = textFault(Object.fromEntries(texts), bodiesOf(known));
  if (fault !== undefined) throw badText(fault);
  return parsed.data;
}

/** A field that names a record: one that nothing can have is found nowhere, like any other unknown id. */
const isName = (field: string): boolean => field.endsWith("_id") && field !== "client_id";

/** The fields with a mail's bodies: what composes a mail leaves out their NULs. */
const bodiesOf = (fields: readonly string[]): string[] => (fields.includes("html") ? ["text", "html"] : []);

function badText({ path, words }: TextFault): LetterslotError {
  const param = path.join(".").toWellFormed();
  return fail("invalid_request", {
    param,
    message: `${param || "A name"} ${words}.`,
    fix: `Send ${param || "names"} as well-formed Unicode without NUL characters.`,
  });
}

/**
 * The error for the first issue that a schema has with a value. A schema's error text is an error code, or the end of a sentence
 * that begins with the field's name.
 */
export function failureOf(error: Pick<z.core.$ZodError, "issues">, checked: Checked): Error {
  const found = firstIssue(error);
  if (found === undefined) return fail("invalid_request");
  const { issue, path } = found;
  const { schema } = checked;
  if (issue.code === "unrecognized_keys")
    return unknownName(issue.keys[0] ?? "", path, fieldsAt(schema, path));
  const said = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? "") : issue.message;
  const param = path.join(".");
  const code: ErrorCode = isErrorCode(said) ? said : "invalid_request";
  const details = param === "" ? {} : { param };
  if (code !== "invalid_request") return fail(code, details);
  const subject = param === "" ? "The request" : param;
  const message = `${subject} ${issueWords(found, valueAt(checked.value, path))}.`;
  return fail(code, { ...details, message, ...remedyOf(found, checked) });
}

/** Suggests a valid value: an example, and what the field takes. */
function remedyOf({ issue, path }: FoundIssue, { schema, example }: Checked): { fix?: string } {
  const param = path.join(".");
  const field = schemaAt(schema, path);
  if (param === "" || field === undefined) return {};
  const own = valueAt(example, path);
  const good =
    own !== undefined && field.safeParse(own).success ? own : exampleOf(field, String(path.at(-1)));
  const shown = JSON.stringify(good);
  const such = shown === undefined || shown.length > MAX_EXAMPLE_CHARS ? "" : `, such as ${shown}`;
  const about = issue.code === "invalid_value" ? undefined : descriptionOf(field);
  return { fix: `Send ${param}${such}.${about === undefined ? "" : ` ${about}`}` };
}

/** The error for a name that nothing takes there; it suggests the one that was meant. */
export function unknownName(
  name: string,
  path: readonly PropertyKey[],
  known: readonly string[],
): LetterslotError {
  const param = [...path, name].join(".");
  const shown = name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
  const meant = nearest(shown, known);
  const place = path.length === 0 ? "" : ` in ${path.join(".")}`;
  return fail("unknown_parameter", {
    param,
    message: `There is no parameter ${JSON.stringify(shown)}${place}.`,
    ...fixFor(meant, known),
  });
}

function fixFor(meant: string | undefined, known: readonly string[]): { fix?: string } {
  if (meant !== undefined) return { fix: `Did you mean ${meant}? If not, leave it out.` };
  if (known.length === 0) return { fix: "Leave it out: nothing is taken there." };
  const more = known.length > MAX_NAMES ? ", and more in the documentation" : "";
  return { fix: `Leave it out. These are taken: ${known.slice(0, MAX_NAMES).join(", ")}${more}.` };
}
