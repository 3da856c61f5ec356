import { type Route, routes } from "@letterslot/client/routes";
import { ERROR_CATALOGUE } from "@letterslot/core";
import { type Operation, operationNamed, Replayed } from "@letterslot/core/internal";
import { WIRE_BY_KIND } from "../request/errors.ts";
import type { DocumentedOperation, OpenApiDocument, Parameter } from "./document.ts";
import { errorsOf } from "./errors.ts";
import { cliCall, clientCall, curlCall, exampleInput, placeOf, toolCall } from "./examples.ts";
import { furtherPaths, OPERATOR_SCHEMES } from "./further-paths.ts";
import { OAUTH_SCHEMAS, oauthPaths } from "./oauth-paths.ts";
import { withPages } from "./openapi/pages.ts";
import { errorResponses, FORM, hasPage, responsesOf } from "./openapi/responses.ts";
import { type Components, eitherOf, hoist, plainSchema, type Schema } from "./schemas.ts";
import { drained } from "./steps.ts";
import { WEBHOOK_PARAMETERS, webhooksSection } from "./webhooks.ts";

type Json = Record<string, unknown>;

/** The version of the HTTP interface, not of the package. */
const INTERFACE_VERSION = "1.0.0";

/**
 * The OpenAPI 3.1 document, generated from the operations and the wire table that the server runs on. Schemas
 * are closed: unknown fields are rejected in requests and never occur in answers.
 */
export const openApiDocument = (base_url: string): OpenApiDocument => drained(openApiSteps(base_url));

/** The same, an operation at a time: to be made beside other work; of a service that lets apps in, or doesn't. */
export function* openApiSteps(base_url: string, lets_apps_in = true): Generator<undefined, OpenApiDocument> {
  const schemas: Components = { Error: errorSchema(base_url), ...(lets_apps_in ? OAUTH_SCHEMAS : {}) };
  const { description = "" } = hoist(plainSchema(Replayed, "output"), schemas);
  schemas["Replayed"] = { description, ...schemas["Replayed"] };
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:([a-z_]+)/g, "{$1}");
    const method = route.method.toLowerCase();
    const described = operationObject(base_url, name, route, schemas);
    const other = paths[path]?.[method];
    paths[path] = {
      ...paths[path],
      [method]: other === undefined ? described : withVariant(other, described, route.query ?? {}, schemas),
    };
    yield;
  }
  return {
    openapi: "3.1.0",
    info: { title: "Letterslot", version: INTERFACE_VERSION, description: "Email for software agents." },
    servers: [{ url: base_url }],
    security: [{ api_key: [] }],
    paths: withPages(base_url, lets_apps_in, {
      ...paths,
      ...furtherPaths(base_url, paths),
      ...(lets_apps_in ? oauthPaths(base_url) : {}),
    }),
    webhooks: webhooksSection(schemas),
    components: {
      schemas,
      parameters: WEBHOOK_PARAMETERS,
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description:
            "An API key; POST /api/v1/onboard returns one. A key that is not limited to inboxes acts within a workspace of its account when X-Letterslot-Workspace names it.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: cookieName(base_url),
          description:
            "The session of an owner, from POST /api/v1/owners/session. A change also needs Sec-Fetch-Site: same-origin, or an Origin equal to this server's. With authority in several accounts, X-Letterslot-Account names one; X-Letterslot-Workspace names a workspace to act within.",
        },
        ...OPERATOR_SCHEMES,
      },
      responses: {
        ...errorResponses(base_url),
      },
    },
  };
}

const cookieName = (base_url: string): string =>
  base_url.startsWith("https:") ? "__Host-ls_session" : "ls_session";

function operationObject(
  base_url: string,
  name: string,
  route: Route,
  schemas: Components,
): DocumentedOperation {
  const operation = operationNamed(name);
  const { properties = {}, required = [] } = plainSchema(operation.input, "input");
  const example = exampleInput(operation, route);
  const tool = toolCall(operation, example);
  const inBody = Object.keys(properties).filter((field) => placeOf(field, route) === "body");
  const requiredInBody = inBody.filter((field) => required.includes(field));
  const pick = <T>(from: Record<string, T>, fields: string[]): Record<string, T> =>
    Object.fromEntries(Object.entries(from).filter(([field]) => fields.includes(field)));
  const body: Schema = {
    type: "object",
    properties: pick(properties, inBody),
    ...(requiredInBody.length === 0 ? {} : { required: requiredInBody }),
    additionalProperties: false,
  };
  const schema = hoist(body, schemas);
  const form = hasPage(name, operation) ? { [FORM]: { schema } } : {};
  const content = { "application/json": { schema, example: pick(example, inBody) }, ...form };
  return {
    operationId: name,
    summary: operation.summary,
    description: operation.when,
    tags: [name.split(".")[0] ?? name],
    security: securityOf(operation),
    ...(operation.allow === "any" || operation.allow.length === 0
      ? {}
      : { "x-permissions": operation.allow }),
    "x-errors": errorsOf(operation, route),
    "x-codeSamples": [
      {
        lang: "Shell",
        label: "curl",
        source: curlCall(base_url, route, example, proofOf(base_url, operation)),
      },
      { lang: "TypeScript", label: "Client", source: clientCall(name, route, example) },
      { lang: "Shell", label: "CLI", source: cliCall(name, example) },
      ...(tool === undefined ? [] : [{ lang: "JSON", label: "MCP", source: tool }]),
    ],
    parameters: parametersOf(route, properties, required, example, operation),
    ...(inBody.length === 0 ? {} : { requestBody: { required: requiredInBody.length > 0, content } }),
    responses: responsesOf(name, route, operation, schemas),
  };
}

const always = (parameter: Parameter): Parameter => ({ ...parameter, required: true });

/** The operation at a path with another one beside it, which fixed query parameters ask for. */
function withVariant(
  operation: DocumentedOperation,
  variant: DocumentedOperation,
  query: Readonly<Record<string, string>>,
  components: Components,
): DocumentedOperation {
  const asking = Object.entries(query).map(([field, value]) => `${field}=${value}`);
  const known = new Set(operation.parameters.map(({ name }) => name));
  const fixed = Object.entries(query).map(
    ([name, value]): Parameter => ({
      name,
      in: "query",
      required: false,
      description: `\`${value}\`: ${variant.summary}`,
      schema: { type: "string", enum: [value] },
    }),
  );
  const own = variant.parameters
    .filter(({ name }) => !known.has(name))
    .map((parameter) => ({
      ...parameter,
      description: `Only with \`${asking.join("&")}\`: ${parameter.description}`,
    }));
  const { "200": success, ...others } = operation.responses;
  const schemas = [success, variant.responses["200"]].map(
    (response) => response?.content?.["application/json"]?.schema ?? {},
  );
  return {
    ...operation,
    "x-variants": [{ ...variant, parameters: [...fixed.map(always), ...variant.parameters] }],
    parameters: [...operation.parameters, ...fixed, ...own],
    responses: {
      ...others,
      "200": {
        ...success,
        content: {
          "application/json": {
            ...success?.content?.["application/json"],
            schema: eitherOf(schemas, components),
          },
        },
      },
    },
  };
}

function parametersOf(
  route: Route,
  properties: Record<string, Schema>,
  required: string[],
  example: Json,
  { idempotent }: Operation,
): Parameter[] {
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field);
  const others = Object.keys(properties).filter((field) => !inPath.includes(field));
  const fields = [...inPath, ...others].flatMap((field): Parameter[] => {
    const place = placeOf(field, route);
    if (place === "body") return [];
    const { description, ...schema } = properties[field] ?? { type: "string" };
    const shown = Object.hasOwn(example, field) ? { example: example[field] } : {};
    const isRequired = place === "path" || (place === "query" && required.includes(field));
    const name = route.headers?.[field] ?? field;
    return [{ name, in: place, required: isRequired, description, ...shown, schema }];
  });
  return idempotent === true ? [...fields, IDEMPOTENCY_HEADER] : fields;
}

function errorSchema(base_url: string): Schema {
  const text = (description: string): Schema => ({ type: "string", description });
  const error: Schema = {
    type: "object",
    description: "What went wrong.",
    properties: {
      type: {
        ...text("The kind of error, which goes with the HTTP status."),
        enum: [...new Set(Object.values(WIRE_BY_KIND).map(({ type }) => type))],
      },
      code: { ...text("What to branch on."), enum: Object.keys(ERROR_CATALOGUE) },
      message: text("What went wrong, in a sentence for people."),
      param: text("The parameter that it is about; absent if it is about none."),
      docs_url: text(`Where the code is explained: ${base_url}/docs#code.`),
      request_id: text("The id of the request, as in the header X-Request-Id and in the server's log."),
      retryable: { type: "boolean", description: "Whether the same request may succeed later." },
      retry_after_seconds: {
        type: "number",
        description: "How many seconds to wait before; absent if not said.",
      },
      resets_at: {
        ...text(
          "With budget_exceeded: when the key's budget may allow it again. With approval_rejected: when it may be asked again.",
        ),
        format: "date-time",
      },
      reasons: {
        type: "array",
        description:
          "Why an owner would be asked. With approval_changed: what was found in the mail as edited; the digest beside them approves it all the same.",
        items: {
          type: "object",
          properties: {
            code: text("The kind of reason."),
            detail: { type: ["string", "null"], description: "What it is about, in a few words." },
            sentence: text("The same in plain words for people."),
            message_id: text("The message that it comes from; absent if from none."),
          },
          required: ["code", "detail", "sentence"],
        },
      },
      digest: text("With approval_changed: the digest of the mail as edited."),
      fix: text("What to do next, in a sentence."),
      resource: text("With plan_limit_exceeded: what the plan limits, such as monthly_sends."),
      limit: { type: "integer", description: "With plan_limit_exceeded: how much the plan allows." },
      used: { type: "integer", description: "With plan_limit_exceeded: how much is used." },
      upgrade_url: {
        type: ["string", "null"],
        description: "With plan_limit_exceeded: where to get a larger plan; null if the plan names no page.",
      },
    },
    required: ["type", "code", "message", "docs_url", "request_id", "retryable", "fix"],
    additionalProperties: false,
  };
  return { type: "object", properties: { error }, required: ["error"], additionalProperties: false };
}

const IDEMPOTENCY_HEADER: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Your own key for this request: sent again within 24 hours it returns the first answer. 1 to 256 letters, digits and `-._~`.",
  schema: { type: "string", pattern: "^[A-Za-z0-9\\-._~]{1,256}$" },
};

/** Returns the ways in which a caller may authenticate: with a key, with a session, or not at all. */
function securityOf({ scope, callers }: Operation): Record<string, string[]>[] {
  const open = (type: "public" | "key" | "owner") => callers?.includes(type) ?? true;
  return [
    ...(scope === "public" && open("public") ? [{}] : []),
    ...(open("key") ? [{ api_key: [] }] : []),
    ...(open("owner") ? [{ session: [] }] : []),
  ];
}

/** Returns the header that authenticates the caller in the curl example; null where none is needed. */
function proofOf(base_url: string, operation: Operation): string | null {
  const [first = {}] = securityOf(operation);
  if ("api_key" in first) return "Authorization: Bearer $LETTERSLOT_API_KEY";
  return "session" in first ? `Cookie: ${cookieName(base_url)}=$SESSION` : null;
}
