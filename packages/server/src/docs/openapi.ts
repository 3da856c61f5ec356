import { type Route, routes } from "@letterslot/client/routes";
import { ERROR_CATALOGUE, type Operation, operationNamed } from "@letterslot/core";
import { z } from "zod";
import { WIRE_BY_KIND } from "../request/errors.ts";
import { WEBHOOK_PARAMETERS, webhooksSection } from "./webhooks.ts";

type Json = Record<string, unknown>;

/** The version of the HTTP interface, not of the package. */
const INTERFACE_VERSION = "1.0.0";

/**
 * The OpenAPI 3.1 document, generated from the operations and the wire table that the server runs on. Schemas
 * are closed: unknown fields are rejected in requests and never occur in answers.
 */
export function openApiDocument(base_url: string): Json {
  const schemas: Record<string, Json> = { Error: errorSchema() };
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:([a-z_]+)/g, "{$1}");
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operationObject(name, route, operationNamed(name), schemas),
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Letterslot", version: INTERFACE_VERSION, description: "Email for software agents." },
    servers: [{ url: base_url }],
    security: [{ api_key: [] }],
    paths,
    webhooks: webhooksSection(schemas),
    components: {
      schemas,
      parameters: WEBHOOK_PARAMETERS,
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: "An API key; POST /api/v1/onboard returns one.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: base_url.startsWith("https:") ? "__Host-ls_session" : "ls_session",
          description:
            "The session of an owner, from POST /api/v1/owners/session. A change also needs Sec-Fetch-Site: same-origin, or an Origin equal to this server's. With authority in several accounts, X-Letterslot-Account names one.",
        },
      },
      responses: {
        Error: {
          description: "An error: what went wrong and what to do next.",
          content: jsonContent({ $ref: "#/components/schemas/Error" }),
        },
      },
    },
  };
}

function operationObject(
  name: string,
  route: Route,
  operation: Operation,
  schemas: Record<string, Json>,
): Json {
  const inPath = new Set([...route.path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field));
  const input = jsonSchema(operation.input, "input", schemas);
  const properties = (input["properties"] ?? {}) as Record<string, Json>;
  const required = new Set((input["required"] ?? []) as string[]);
  const headers = route.headers ?? {};
  const rest = Object.keys(properties).filter(
    (field) => !inPath.has(field) && !Object.hasOwn(headers, field),
  );
  const inBody = route.method === "POST" || route.method === "PATCH";
  const parameters = [...inPath].map((field) => ({
    name: field,
    in: "path",
    required: true,
    schema: properties[field] ?? { type: "string" },
  }));
  const inHeaders = Object.entries(headers).map(([field, header]) => ({
    name: header,
    in: "header",
    required: false,
    schema: properties[field],
  }));
  const inQuery = rest.map((field) => ({
    name: field,
    in: "query",
    required: required.has(field),
    schema: properties[field],
  }));
  const requiredInBody = rest.filter((field) => required.has(field));
  const body = {
    type: "object",
    properties: Object.fromEntries(rest.map((field) => [field, properties[field]])),
    ...(requiredInBody.length === 0 ? {} : { required: requiredInBody }),
    additionalProperties: false,
  };
  return {
    operationId: name,
    summary: operation.summary,
    tags: [name.split(".")[0]],
    security: securityOf(operation),
    ...(operation.allow === "any" || operation.allow.length === 0
      ? {}
      : { "x-permissions": operation.allow }),
    parameters: [
      ...parameters,
      ...(inBody ? [] : inQuery),
      ...inHeaders,
      ...(operation.idempotent ? [IDEMPOTENCY_HEADER] : []),
    ],
    ...(inBody && rest.length > 0
      ? { requestBody: { required: requiredInBody.length > 0, content: jsonContent(body) } }
      : {}),
    responses: responsesOf(route, operation, schemas),
  };
}

function responsesOf(route: Route, operation: Operation, schemas: Record<string, Json>): Json {
  const success = { description: "Success.", content: answerContent(operation, schemas) };
  const held = operation.holds
    ? {
        "202": {
          ...success,
          description: "Waiting for its scheduled time or for an owner: the draft or the approval.",
        },
      }
    : {};
  const replay =
    route.status === undefined
      ? {}
      : { "200": { ...success, description: "A replay: what the first call created." } };
  const failures = [...new Set(Object.values(WIRE_BY_KIND).map(({ status }) => String(status)))];
  const errors = Object.fromEntries(
    [...failures, "405", "408"].map((status) => [status, { $ref: "#/components/responses/Error" }]),
  );
  return { [String(route.status ?? 200)]: success, ...held, ...replay, ...errors };
}

function answerContent(operation: Operation, schemas: Record<string, Json>): Json {
  if (operation.answers === "bytes") return { "*/*": { schema: { type: "string", format: "binary" } } };
  if (operation.answers === "stream") return { "text/event-stream": { schema: { type: "string" } } };
  return jsonContent(jsonSchema(operation.output, "output", schemas));
}

/**
 * A zod schema as JSON Schema 2020-12. Each titled schema and each output record with an `object` field becomes a shared component.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  }) as Json;
  return (io === "output" ? hoist(plain, schemas) : plain) as Json;
}

/** Moves schemas with a title and records with an `object` field into `schemas` and refers to them. */
function hoist(node: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((each) => hoist(each, schemas));
  if (typeof node !== "object" || node === null) return node;
  const hoisted: Json = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, hoist(value, schemas)]),
  );
  const { title } = hoisted;
  if (typeof title === "string") {
    schemas[title] = hoisted;
    return { $ref: `#/components/schemas/${title}` };
  }
  const properties = hoisted["properties"] as { object?: { const?: string }; deleted?: unknown } | undefined;
  const kind = properties?.object?.const;
  if (kind === undefined || kind === "list") return hoisted;
  const name = properties?.deleted === undefined ? kind : `deleted_${kind}`;
  return { $ref: `#/components/schemas/${componentName(name, hoisted, schemas)}` };
}

/** The name of a schema's component; further shapes of the same kind of record get a number. */
function componentName(kind: string, schema: Json, schemas: Record<string, Json>): string {
  const base = kind.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  for (let form = 1; ; form++) {
    const name = form === 1 ? base : `${base}${form}`;
    schemas[name] ??= schema;
    if (JSON.stringify(schemas[name]) === JSON.stringify(schema)) return name;
  }
}

function errorSchema(): Json {
  const text = { type: "string" };
  const error = {
    type: "object",
    properties: {
      type: { type: "string", enum: [...new Set(Object.values(WIRE_BY_KIND).map(({ type }) => type))] },
      code: { type: "string", enum: Object.keys(ERROR_CATALOGUE) },
      message: text,
      param: text,
      docs_url: text,
      request_id: text,
      retryable: { type: "boolean" },
      retry_after_seconds: { type: "number" },
      fix: text,
    },
    required: ["type", "code", "message", "docs_url", "request_id", "retryable", "fix"],
    additionalProperties: false,
  };
  return { type: "object", properties: { error }, required: ["error"], additionalProperties: false };
}

const IDEMPOTENCY_HEADER = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[A-Za-z0-9\\-._~]{1,256}$" },
};

const jsonContent = (schema: Json): Json => ({ "application/json": { schema } });

/** How a caller may prove who they are: with a key, with a session, or not at all. */
function securityOf({ scope, callers }: Operation): Record<string, string[]>[] {
  const open = (type: "public" | "key" | "owner") => callers?.includes(type) ?? true;
  return [
    ...(scope === "public" && open("public") ? [{}] : []),
    ...(open("key") ? [{ api_key: [] }] : []),
    ...(open("owner") ? [{ session: [] }] : []),
  ];
}
