import { LIMITS } from "@letterslot/core";
import type { CatalogueTool } from "./catalogue.ts";
import { inputJsonSchema, type JsonSchema, type ObjectSchema, trimmed } from "./json-schema.ts";

/**
 * Descriptions for a model of fields that many tools have, at any depth; an empty text means that the name suffices. A
 * tool's own description takes precedence over these, and these over the operation's.
 */
const COMMON_FIELDS: Readonly<Record<string, string>> = {
  inbox_id: "",
  message_id: "",
  thread_id: "",
  task_id: "",
  draft_id: "",
  approval_id: "",
  attachment_id: "",
  limit: "",
  cursor: "The last next_cursor",
  wait: "Seconds",
  to: "Addresses",
  cc: "",
  bcc: "",
  text: "",
  html: "",
  subject: "",
  labels: "",
  claim_token: "From claim_task",
  before: "",
  after: "",
  filename: "",
  content_base64: "",
  content_type: "",
  content_id: "",
};

/** The argument that makes a repeated call harmless. */
export const REQUEST_ID = "request_id";
/** UTF-16 code units of a request_id. */
export const REQUEST_ID_CHARS = 256;
const REQUEST_ID_FIELD: JsonSchema = {
  type: "string",
  description: "Give a new random id; the same when you retry",
};

/** The excerpt of a text to show: for operations that answer with a whole text. */
export const TEXT_PAGE = { max_chars: 4_000, most_chars: 50_000 } as const;
const TEXT_PAGE_FIELDS: Record<string, JsonSchema> = {
  max_chars: { type: "integer", default: TEXT_PAGE.max_chars, maximum: TEXT_PAGE.most_chars },
  offset: { type: "integer", default: 0 },
};

/** Whether a tool takes a request_id, and hands it on as an Idempotency-Key: a dry run does nothing that could repeat. */
export const takesRequestId = ({ operation, tool }: CatalogueTool): boolean =>
  operation.idempotent === true && tool.sets?.["dry_run"] !== true;

/** Whether a tool's operation answers with a text to download, of which the tool shows a part. */
export const answersText = ({ operation }: CatalogueTool): boolean => operation.answers === "bytes";

/** Whether a tool finds its inbox by itself where its caller reaches only one. What deletes must be told. */
export const findsInbox = ({ operation, tool }: CatalogueTool): boolean =>
  operation.effect !== "delete" && tool.hints?.destructive !== true;

/** The arguments without which a tool can't do anything. `held`: its caller is held to one inbox. */
export function neededBy(entry: CatalogueTool, held: boolean): string[] {
  const { required = [] } = inputJsonSchema(entry.operation.input);
  return fieldsOf(entry, held).filter(
    (name) => required.includes(name) || entry.tool.needs?.includes(name) === true,
  );
}

/** Puts a lone text into a list where the operation takes a list of texts: models often leave the brackets out. */
export function asList({ operation }: CatalogueTool, name: string, value: unknown): unknown {
  const field = inputJsonSchema(operation.input).properties?.[name];
  return typeof value === "string" && field !== undefined && isListOfTexts(field) ? [value] : value;
}

function isListOfTexts({ type, items, anyOf }: JsonSchema): boolean {
  const kinds = anyOf?.filter((kind) => kind.type !== "null");
  if (kinds !== undefined) return kinds.length > 0 && kinds.every(isListOfTexts);
  return [type].flat().includes("array") && items !== undefined && [items.type].flat().includes("string");
}

/** The names of all that a tool takes, of a caller that reaches several inboxes. */
export function argumentsOf(entry: CatalogueTool): string[] {
  return [
    ...fieldsOf(entry, false),
    ...(answersText(entry) ? Object.keys(TEXT_PAGE_FIELDS) : []),
    ...(takesRequestId(entry) ? [REQUEST_ID] : []),
  ];
}

/** The names of the operation's fields that a tool offers. `held`: its caller is held to one inbox. */
function fieldsOf({ tool, operation }: CatalogueTool, held: boolean): string[] {
  const { without = [], sets = {} } = tool;
  return Object.keys(operation.input.shape).filter(
    (name) =>
      name !== "client_id" &&
      !without.includes(name) &&
      !Object.hasOwn(sets, name) &&
      !(held && name === "inbox_id"),
  );
}

/**
 * Returns the JSON Schema of a tool's input. `held`: its caller is restricted to one inbox, which is not an argument.
 */
export function inputSchemaOf(entry: CatalogueTool, held: boolean): ObjectSchema {
  const { operation } = entry;
  const { properties = {} } = inputJsonSchema(operation.input);
  const fields = fieldsOf(entry, held);
  const offered: Record<string, JsonSchema> = Object.fromEntries(
    fields.map((name) => [name, fieldOf(entry, name, properties[name] ?? {})]),
  );
  if (answersText(entry)) Object.assign(offered, TEXT_PAGE_FIELDS);
  if (takesRequestId(entry)) offered[REQUEST_ID] = REQUEST_ID_FIELD;
  const asked = neededBy(entry, held).filter((name) => name !== "inbox_id" || !findsInbox(entry));
  return { type: "object", properties: offered, ...(asked.length === 0 ? {} : { required: asked }) };
}

function fieldOf({ tool }: CatalogueTool, name: string, schema: JsonSchema): JsonSchema {
  const words = { ...COMMON_FIELDS, ...tool.fields };
  const { default: fallback, ...field } = withWords(name, trimmed(schema), words);
  const isAsked = tool.needs?.includes(name) === true;
  return {
    ...field,
    ...(fallback === undefined || isAsked ? {} : { default: fallback }),
    ...(name === "wait" ? { maximum: LIMITS.wait_max_seconds } : {}),
  };
}

/** A field with its words for models, and so with the fields within it. */
function withWords(name: string, schema: JsonSchema, words: Readonly<Record<string, string>>): JsonSchema {
  const { description, items, properties, ...field } = schema;
  const said = Object.hasOwn(words, name) ? words[name] : description;
  const within = Object.entries(properties ?? {}).map(
    ([each, inner]) => [each, withWords(each, inner, words)] as const,
  );
  return {
    ...field,
    ...(said === undefined || said === "" ? {} : { description: said }),
    ...(items === undefined ? {} : { items: withWords("", items, words) }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(within) }),
  };
}
