import { type Route, routes } from "@letterslot/client/routes";
import { errorCatalogue, type Operation, operationNamed } from "@letterslot/core";
import { z } from "zod";
import { wireOfKind } from "../request/errors.ts";

type Json = Record<string, unknown>;

/** The version of the interface, not of the package. */
export const interfaceVersion = "1.0.0";

/**
 * The OpenAPI 3.1 document, made from the operations and the wire table that also run: it can't drift from
 * them. Bodies are closed: what a schema doesn't name is refused, and is never answered.
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
    info: { title: "Letterslot", version: interfaceVersion, description: "E-mail for software agents." },
    servers: [{ url: base_url }],
    security: [{ api_key: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: "An API key; POST /api/v1/onboard gives one.",
        },
      },
      responses: {
        Error: {
          description: "What went wrong and what to do next.",
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
  const queried = rest.map((field) => ({
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
    ...(operation.scope === "public" ? { security: [{}, { api_key: [] }] } : {}),
    ...(operation.allow === "any" || operation.allow.length === 0
      ? {}
      : { "x-permissions": operation.allow }),
    parameters: [
      ...parameters,
      ...(inBody ? [] : queried),
      ...inHeaders,
      ...(route.idempotent ? [idempotencyHeader] : []),
    ],
    ...(inBody && rest.length > 0
      ? { requestBody: { required: requiredInBody.length > 0, content: jsonContent(body) } }
      : {}),
    responses: responsesOf(route, operation, schemas),
  };
}

function responsesOf(route: Route, operation: Operation, schemas: Record<string, Json>): Json {
  const good = { description: "Done.", content: answerContent(route, operation, schemas) };
  const held = route.holds
    ? { "202": { ...good, description: "It waits for its time or for an owner: the draft or the approval." } }
    : {};
  const replay =
    route.status === undefined
      ? {}
      : { "200": { ...good, description: "A replay: what the first call made." } };
  const failures = [...new Set(Object.values(wireOfKind).map(({ status }) => String(status)))];
  const errors = Object.fromEntries(
    [...failures, "405"].map((status) => [status, { $ref: "#/components/responses/Error" }]),
  );
  return { [String(route.status ?? 200)]: good, ...held, ...replay, ...errors };
}

function answerContent(route: Route, operation: Operation, schemas: Record<string, Json>): Json {
  if (route.answers === "bytes") return { "*/*": { schema: { type: "string", format: "binary" } } };
  if (route.answers === "stream") return { "text/event-stream": { schema: { type: "string" } } };
  return jsonContent(jsonSchema(operation.output, "output", schemas));
}

/**
 * A zod schema as JSON Schema 2020-12. A record that names itself by its `object` field becomes a component,
 * so that the document names an inbox once.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
  }) as Json;
  return (io === "output" ? hoist(plain, schemas) : plain) as Json;
}

function hoist(node: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((each) => hoist(each, schemas));
  if (typeof node !== "object" || node === null) return node;
  const whole: Json = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, hoist(value, schemas)]),
  );
  const properties = whole["properties"] as { object?: { const?: string }; deleted?: unknown } | undefined;
  const kind = properties?.object?.const;
  if (kind === undefined || kind === "list") return whole;
  const name = properties?.deleted === undefined ? kind : `deleted_${kind}`;
  return { $ref: `#/components/schemas/${componentName(name, whole, schemas)}` };
}

/** The component that this schema is; a second form of the same kind of record gets a number. */
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
      type: { type: "string", enum: [...new Set(Object.values(wireOfKind).map(({ type }) => type))] },
      code: { type: "string", enum: Object.keys(errorCatalogue) },
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

const idempotencyHeader = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", pattern: "^[A-Za-z0-9\\-._~]{1,256}$" },
};

const jsonContent = (schema: Json): Json => ({ "application/json": { schema } });
