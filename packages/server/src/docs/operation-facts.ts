import type { DocumentedOperation, OpenApiDocument } from "./document.ts";
import { type DocumentedField, fieldsOf } from "./fields.ts";

/** The operations of the document with their addresses, by tag. */
export function operationsByTag({ paths }: OpenApiDocument) {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      [operation, ...(operation["x-variants"] ?? [])].map((each) => ({ method, path, operation: each })),
    ),
  );
  return Map.groupBy(all, ({ operation }) => operation.tags[0] ?? "");
}

/** The fields of a request: what must be sent first, headers last. */
export function requestFields({ parameters, requestBody }: DocumentedOperation): DocumentedField[] {
  const outside = parameters.map(({ name, in: place, required, description, schema }) => ({
    name,
    description,
    schema,
    note: required ? `${place}, required` : place,
  }));
  const { content = {} } = requestBody ?? {};
  const { schema: body = {} } =
    content["application/json"] ?? content["application/x-www-form-urlencoded"] ?? {};
  const inBody = fieldsOf(body, "request").map((field) => ({
    ...field,
    note: field.note === "" ? "body" : `body, ${field.note}`,
  }));
  return [...outside, ...inBody].toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Required fields come first, and headers last. */
function rankOf({ note }: DocumentedField): number {
  if (note.endsWith("required")) return note.startsWith("path") ? 0 : 1;
  return note === "header" ? 3 : 2;
}

/** Descriptions of answers that aren't JSON. */
export const ANSWERS_BY_TYPE: Record<string, string> = {
  "*/*": "The bytes of the file.",
  "text/html": "A page, for browsers.",
  "text/event-stream":
    "Server-sent events, each with an event as its data; the id is the cursor to continue at.",
};

/** Describes the permitted callers of an operation, and the permission they need. */
export function accessOf({
  security,
  parameters,
  "x-permissions": permissions,
}: DocumentedOperation): string {
  const ways = security.map((way) => ("api_key" in way ? KEY : "session" in way ? SESSION : NOTHING));
  const permission = permissions === undefined ? "" : ` Permission: ${permissions.join(" or ")}.`;
  const repeats = parameters.some(({ name }) => name === "Idempotency-Key");
  return `Called ${ways.join(", or ")}.${permission}${repeats ? " Supports Idempotency-Key." : ""}`;
}

const KEY = "with an API key";
const SESSION = "in an owner's session";
const NOTHING = "without credentials";
