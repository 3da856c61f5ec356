import { ERROR_CATALOGUE, type ErrorCode, type EventType, PERMISSION_NAMES } from "@letterslot/core";
import { eventCatalogue } from "@letterslot/core/internal";
import { wireOf } from "../request/errors.ts";
import type { OpenApiDocument } from "./document.ts";
import { COMMON_ERRORS } from "./errors.ts";
import { eventSample } from "./event-samples.ts";
import { describedBy, fieldsOf } from "./fields.ts";
import { operationsByTag } from "./operation-facts.ts";
import { codeBlock, fieldLines, operationMarkdown } from "./operation-markdown.ts";

/** A setting of the process, as the documentation lists it. */
export interface Setting {
  name: string;
  meaning: string;
  /** The allowed values. */
  expects: string;
  /** Its default, as text for people. */
  fallback: string;
}

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
    pages.push(page(groupPage(tag), `Operations on ${tag}`, `${names}.`, parts));
  }
  const recordParts = recordsOf(document).map(([name, schema]) =>
    [`## ${name}`, describedBy(schema) ?? "", ...fieldLines(fieldsOf(schema, "answer"), schemas)].join("\n"),
  );
  pages.push(page("records", "Records", "What answers and events hold, field by field.", recordParts));
  yield;
  pages.push(
    page("events", "Events", "What webhooks, the feed and streams tell of, with a sample each.", [
      ...Object.entries(eventCatalogue).map(
        ([type, summary]) =>
          `## ${type}\n\n${summary}\n\n${codeBlock("json", eventSample(type as EventType))}`,
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

/** The name of the page of a group of operations. */
export const groupPage = (tag: string): string => (OTHER_PAGES.has(tag) ? `${tag}-operations` : tag);

/** The schemas of records, by name: all but those of events, which have pages of their own. */
export const recordsOf = ({ components: { schemas } }: OpenApiDocument) =>
  Object.entries(schemas).filter(
    ([name, { properties }]) => name !== "Event" && properties?.["object"]?.const !== "event",
  );

function errorMarkdown(code: ErrorCode): string {
  const { message, fix } = ERROR_CATALOGUE[code];
  return `## ${code}\n\nStatus ${wireOf(code).status}. ${message} ${fix}`;
}
