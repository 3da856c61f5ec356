import { ERROR_CATALOGUE, type ErrorCode } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import { wireOf } from "../request/errors.ts";
import type { Content, DocumentedOperation, DocumentedResponse } from "./document.ts";
import {
  boundsOf,
  type DocumentedField,
  describedBy,
  fieldsOf,
  isOfRecords,
  objectIn,
  typeOf,
} from "./fields.ts";
import { ANSWERS_BY_TYPE, accessOf, requestFields } from "./operation-facts.ts";
import { operationName } from "./operation-names.ts";
import { type Components, resolved } from "./schemas.ts";

/** Fields within fields that are shown; deeper ones are in openapi.json. */
const MAX_DEPTH = 3;

/** An operation with its address. */
export interface AddressedOperation {
  method: string;
  path: string;
  operation: DocumentedOperation;
}

/** A fenced block: a text as it is, and anything else as JSON. */
export const codeBlock = (language: string, content: unknown, title = ""): string =>
  `\`\`\`${language}${title === "" ? "" : ` [${title}]`}\n${typeof content === "string" ? content : JSON.stringify(content, null, 2)}\n\`\`\``;

/** An operation as one section of its group's page. */
export function operationMarkdown(
  method: string,
  path: string,
  operation: DocumentedOperation,
  components: Components,
): string {
  const { operationId, summary, description, "x-errors": errors, "x-codeSamples": samples } = operation;
  const fields = requestFields(operation);
  return [
    `## ${operationId}`,
    `\`${method.toUpperCase()} ${path}\``,
    summary,
    `When to use it: ${description}`,
    accessOf(operation),
    ...(fields.length === 0 ? [] : [`Request:\n\n${fieldLines(fields, components).join("\n")}`]),
    answersOf(operation, (success) => `Answer: ${answerOf(success, components)}`),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.map((code) => `\`${code}\``).join(", ")}.`]),
    ...samples.map(({ lang, source }) => codeBlock(fenceOf(lang), source)),
  ].join("\n\n");
}

/** An operation as a page of its own, with links to its records and errors. */
export function operationPage(
  { method, path, operation }: AddressedOperation,
  components: Components,
  base_url: string,
): string {
  const { operationId, summary, description, "x-errors": errors, "x-codeSamples": samples } = operation;
  const fields = requestFields(operation);
  const calls = samples.map(({ lang, label, source }) => codeBlock(fenceOf(lang), source, label));
  return [
    `# ${operationName(operationId)}`,
    `\`${operationId}\` · \`${method.toUpperCase()} ${path}\``,
    summary,
    `**When to use it.** ${description}`,
    accessOf(operation),
    ["::: code-group", ...calls, ":::"].join("\n\n"),
    ...(fields.length === 0
      ? []
      : [`## Request\n\n${fieldLines(fields, components, linkedRecord).join("\n")}`]),
    `## Answer\n\n${answersOf(operation, (success) => linkedAnswer(success, components))}`,
    `## Errors\n\n${errorLines(errors as ErrorCode[], base_url)}`,
  ].join("\n\n");
}

/** The language of a block, by the name that the document has for it. */
const fenceOf = (lang: string): string =>
  ({ Shell: "sh", TypeScript: "ts" })[lang] ?? lang.toLocaleLowerCase("en");

const linkedRecord = (name: string): string => `[${name}](${recordPage(name)}.md)`;

/** The name of a record's page, or of that of events. */
export const recordPage = (name: string): string => (name === "Event" ? "events" : `record-${name}`);

function answersOf(
  { responses }: DocumentedOperation,
  describe: (success: DocumentedResponse) => string,
): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [first] = successes;
  if (successes.length === 1 && first !== undefined) return describe(first[1]);
  return successes
    .map(([status, success]) => `\`${status}\` ${success.description ?? ""} ${describe(success)}`)
    .join("\n\n");
}

/** The content that programs are answered; that browsers get a page is said of the operation. */
const contentOf = ({ content = {} }: DocumentedResponse): [string, Content[string]] | undefined =>
  Object.entries(content)[0];

function answerOf(
  success: DocumentedResponse,
  components: Components,
  recordName: (name: string) => string = String,
): string {
  const [type, content] = contentOf(success) ?? [];
  if (type === undefined || content === undefined) return "nothing.";
  if (type !== "application/json") return ANSWERS_BY_TYPE[type] ?? type;
  const { schema } = content;
  if (isOfRecords(schema)) return `${typeOf(schema, recordName)}.`;
  const lines = fieldLines(fieldsOf(schema, "answer"), components, recordName);
  return `${describedBy(schema) ?? "an object."}\n\n${lines.join("\n")}`;
}

/** An answer with links, and a sample of it. */
function linkedAnswer(success: DocumentedResponse, components: Components): string {
  const [type, content] = contentOf(success) ?? [];
  const said = answerOf(success, components, linkedRecord);
  const sentence = `${said[0]?.toLocaleUpperCase("en") ?? ""}${said.slice(1)}`;
  if (type !== "application/json" || content?.example === undefined) return sentence;
  return `${sentence}\n\n${codeBlock("json", content.example, "A sample")}`;
}

/** Lists the errors of an operation, with a sample of the first. */
function errorLines(errors: readonly ErrorCode[], base_url: string): string {
  const shared = "Any call may also answer with the [errors that all calls share](errors.md).";
  const [first] = errors;
  if (first === undefined) return shared;
  const lines = errors.map(
    (code) => `- [\`${code}\`](errors.md#${code}) (${wireOf(code).status}): ${ERROR_CATALOGUE[code].message}`,
  );
  return `${lines.join("\n")}\n\n${shared}\n\n${codeBlock("json", errorSample(first, base_url), "A sample")}`;
}

function errorSample(code: ErrorCode, base_url: string) {
  const { message, fix, retryable } = fail(code);
  const { type } = wireOf(code);
  const docs_url = `${base_url}/docs#${code}`;
  const request_id = "req_01kab3x9t2m4v6w8y0z5";
  return { error: { type, code, message, docs_url, request_id, retryable, fix } };
}

/** A line for each field, with the fields within it below; `recordName` writes the name of a record. */
export function fieldLines(
  fields: readonly DocumentedField[],
  components: Components,
  recordName: (name: string) => string = String,
  depth = 0,
): string[] {
  return fields.flatMap(({ name, description, schema, note }) => {
    const fallback = schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`;
    const type = typeOf(schema, recordName);
    const notes = [type, note, fallback, boundsOf(schema)].filter((each) => each !== "").join(", ");
    const line = `${"  ".repeat(depth)}- \`${name}\` (${notes})${description === undefined ? "" : `: ${description}`}`;
    const object = objectIn(schema);
    if (object?.properties === undefined || depth >= MAX_DEPTH) return [line];
    const within = fieldsOf(resolved(object, components), "answer");
    return [line, ...fieldLines(within, components, recordName, depth + 1)];
  });
}
