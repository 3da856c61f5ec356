import type { Route } from "@letterslot/client/routes";
import { LetterslotError } from "@letterslot/core";
import { fileFields, type Operation, unknownName } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import { readJson } from "../request/body.ts";
import type { ServerContext } from "../request/context.ts";
import { requestHeader } from "../request/request-header.ts";
import { fieldTypesOf, queryFields } from "./query.ts";

/** The fields of a request, and the first reason to refuse it. */
export interface Input {
  fields: Record<string, unknown>;
  refusal: LetterslotError | undefined;
}

const NO_BODY: Input = { fields: {}, refusal: undefined };

/** Errors in a body itself, reported only after the caller's scope and permission were checked. */
const REFUSED_BODIES: ReadonlySet<string> = new Set([
  "invalid_json",
  "unsupported_media_type",
  "unsupported_content_encoding",
]);

/**
 * Reads the input of one route. Each field has one place; elsewhere it is `unknown_parameter`. This is
 * checked before fields are merged, so that a body cannot override the path. Throws only if the body could not
 * be received; returns other refusals, because scope and permission are checked first.
 */
export function inputReader(
  route: Route,
  operation: Operation,
): (c: ServerContext, maxBytes?: number) => Promise<Input> {
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field);
  const inHeaders = Object.entries(route.headers ?? {});
  const elsewhere = [...inPath, ...inHeaders.map(([field]) => field)];
  const others = new Set(Object.keys(operation.input.shape).filter((field) => !elsewhere.includes(field)));
  const inBody = route.method === "POST" || route.method === "PATCH";
  const none = new Set<string>();
  const fixed = Object.entries(route.query ?? {});
  const queryTypes = fieldTypesOf(operation.input);
  const files = fileFields(operation.input);
  const places = new Map<string, string>([
    ...[...others].map((field) => [field, inBody ? "the body" : "the query"] as const),
    ...inPath.map((field) => [field, "the path"] as const),
    ...inHeaders.map(([field, header]) => [field, `the header ${header}`] as const),
  ]);
  const misplacedField = (field: string): LetterslotError => {
    const place = places.get(field);
    if (place === undefined) return unknownName(field, [], [...others]);
    return fail("unknown_parameter", {
      param: field,
      message: `${field} belongs in ${place}.`,
      fix: `Send it in ${place}, and nowhere else.`,
    });
  };

  return async (c, maxBytes) => {
    const query = queryFields(searchOf(c.req.url), queryTypes);
    for (const [field, value] of fixed) if (query[field] === value) delete query[field];
    const body = c.req.method === "GET" ? NO_BODY : await bodyFields(c, maxBytes, files);
    const misplaced =
      fieldsOutside(query, inBody ? none : others) ?? fieldsOutside(body.fields, inBody ? others : none);
    const refusal = misplaced === undefined ? body.refusal : misplacedField(misplaced);
    const placed = inBody ? body.fields : query;
    const fields: Record<string, unknown> = {};
    for (const field of Object.keys(placed)) if (others.has(field)) fields[field] = placed[field];
    for (const field of inPath) fields[field] = c.req.param(field);
    for (const [field, header] of inHeaders) {
      const value = requestHeader(c, header.toLowerCase());
      if (value !== undefined) fields[field] = value;
    }
    return { fields, refusal };
  };
}

async function bodyFields(
  c: ServerContext,
  maxBytes: number | undefined,
  files: readonly string[],
): Promise<Input> {
  try {
    return { fields: await readJson(c, maxBytes, files), refusal: undefined };
  } catch (error) {
    if (error instanceof LetterslotError && REFUSED_BODIES.has(error.code))
      return { fields: {}, refusal: error };
    throw error;
  }
}

function fieldsOutside(fields: Record<string, unknown>, known: Set<string>): string | undefined {
  return Object.keys(fields).find((field) => !known.has(field));
}

function searchOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}
