import { ERROR_CATALOGUE, type ErrorCode, type EventType, PERMISSION_NAMES } from "@letterslot/core";
import { eventCatalogue } from "@letterslot/core/internal";
import { wireOf } from "../request/errors.ts";
import type { DocumentedOperation, DocumentedResponse, OpenApiDocument } from "./document.ts";
import { COMMON_ERRORS } from "./errors.ts";
import { eventSample } from "./event-samples.ts";
import {
  boundsOf,
  type DocumentedField,
  describedBy,
  fieldsOf,
  isOfRecords,
  objectIn,
  typeOf,
} from "./fields.ts";
import { ANSWERS_BY_TYPE, accessOf, operationsByTag, requestFields } from "./operation-facts.ts";
import type { Setting } from "./page.ts";
import { type Components, resolved } from "./schemas.ts";

/** Fields within fields that are shown; deeper ones are in openapi.json. */
const MAX_DEPTH = 3;

/** The pages beside those of operations, whose names these therefore can't have. */
const OTHER_PAGES = new Set(["records", "events", "errors", "permissions", "settings"]);

/** A page of the reference, in Markdown. */
export interface ReferencePage {
  name: string;
  title: string;
  summary: string;
  markdown: string;
}

/**
 * The reference of the document as pages, one at a time: each group of operations, then records, events, errors and
 * permissions, and settings.
 */
export function* referencePages(
  document: OpenApiDocument,
  settings: readonly Setting[],
): Generator<undefined, ReferencePage[]> {
  const { schemas } = document.components;
  const pages: ReferencePage[] = [];
  for (const [tag, operations] of operationsByTag(document)) {
    const names = operations.map(({ operation }) => operation.operationId).join(", ");
    const parts: string[] = [];
    for (const { method, path, operation } of operations) {
      parts.push(operationMarkdown(method, path, operation, schemas));
      yield;
    }
    const name = OTHER_PAGES.has(tag) ? `${tag}-operations` : tag;
    pages.push(page(name, `Operations on ${tag}`, `${names}.`, parts));
  }
  const records = Object.entries(schemas).filter(([name]) => !name.startsWith("Event"));
  const recordParts = records.map(([name, schema]) =>
    [`## ${name}`, describedBy(schema) ?? "", ...fieldLines(fieldsOf(schema, "answer"), schemas)].join("\n"),
  );
  pages.push(page("records", "Records", "What answers and events hold, field by field.", recordParts));
  yield;
  pages.push(
    page("events", "Events", "What webhooks, the feed and streams tell of, with a sample each.", [
      ...Object.entries(eventCatalogue).map(
        ([type, summary]) =>
          `## ${type}\n\n${summary}\n\n${block("json", JSON.stringify(eventSample(type as EventType), null, 2))}`,
      ),
    ]),
    page("errors", "Errors", "Each error code with its status, its meaning and what to do next.", [
      `Branch on \`error.code\`. Any call may answer with ${COMMON_ERRORS.map((code) => `\`${code}\``).join(", ")}.`,
      ...Object.keys(ERROR_CATALOGUE).map((code) => errorMarkdown(code as ErrorCode)),
    ]),
    page("permissions", "Permissions", "The names of permissions that a key can have.", [
      `A key with \`permissions: null\` has all of them.\n\n${PERMISSION_NAMES.map((name) => `- \`${name}\``).join("\n")}`,
    ]),
  );
  if (settings.length > 0)
    pages.push(
      page("settings", "Settings", "The environment variables of letterslot-server.", [
        settings
          .map(
            ({ name, meaning, expects, fallback }) =>
              `- \`${name}\`: ${meaning} Takes ${expects}. Default: ${fallback}.`,
          )
          .join("\n"),
      ]),
    );
  return pages;
}

const page = (name: string, title: string, summary: string, parts: readonly string[]): ReferencePage => ({
  name,
  title,
  summary,
  markdown: `# ${title}\n\n${parts.join("\n\n")}\n`,
});

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function operationMarkdown(
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
    answersOf(operation, components),
    ...(errors.length === 0 ? [] : [`Errors: ${errors.map((code) => `\`${code}\``).join(", ")}.`]),
    ...samples.map(({ lang, source }) => block(lang === "Shell" ? "sh" : "ts", source)),
  ].join("\n\n");
}

function answersOf({ responses }: DocumentedOperation, components: Components): string {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  if (successes.length === 1) return `Answer: ${answerOf(successes[0]?.[1], components)}`;
  return successes
    .map(
      ([status, success]) =>
        `Answer ${status}: ${success.description ?? ""} ${answerOf(success, components)}`,
    )
    .join("\n\n");
}

/** What programs are answered; that browsers get a page is said of the operation. */
function answerOf(success: DocumentedResponse | undefined, components: Components): string {
  const [[type, content] = []] = Object.entries(success?.content ?? {});
  if (type === undefined || content === undefined) return "nothing.";
  if (type !== "application/json") return ANSWERS_BY_TYPE[type] ?? type;
  const { schema } = content;
  if (isOfRecords(schema)) return `${typeOf(schema)}.`;
  return `${describedBy(schema) ?? "an object."}\n\n${fieldLines(fieldsOf(schema, "answer"), components).join("\n")}`;
}

function fieldLines(fields: readonly DocumentedField[], components: Components, depth = 0): string[] {
  return fields.flatMap(({ name, description, schema, note }) => {
    const fallback = schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`;
    const notes = [typeOf(schema), note, fallback, boundsOf(schema)].filter((each) => each !== "").join(", ");
    const line = `${"  ".repeat(depth)}- \`${name}\` (${notes})${description === undefined ? "" : `: ${description}`}`;
    const object = objectIn(schema);
    if (object?.properties === undefined || depth >= MAX_DEPTH) return [line];
    return [line, ...fieldLines(fieldsOf(resolved(object, components), "answer"), components, depth + 1)];
  });
}

function errorMarkdown(code: ErrorCode): string {
  const { message, fix } = ERROR_CATALOGUE[code];
  return `## ${code}\n\nStatus ${wireOf(code).status}. ${message} ${fix}`;
}
