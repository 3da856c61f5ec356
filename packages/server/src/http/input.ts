import type { Route } from "@letterslot/client/routes";
import { fail, LetterslotError, type Operation } from "@letterslot/core";
import { jsonObject, readBytes } from "../request/body.ts";
import type { ServerContext } from "../request/context.ts";
import { requestHeader } from "../request/request-header.ts";
import { queryFields, readingsOf } from "./query.ts";

/** What a request says, flat, and the first thing about it that can't be. */
export interface Input {
  fields: Record<string, unknown>;
  refusal: LetterslotError | undefined;
}

/**
 * Reads requests of one route. Each field has one place: one that arrives elsewhere is `unknown_parameter`,
 * before anything is merged, so that a body can't override a path. Fails at once only for a body that is too
 * large; other refusals are handed on, because scope and permission come first.
 */
export function inputReader(
  route: Route,
  operation: Operation,
): (c: ServerContext, bodyBytes?: number) => Promise<Input> {
  const inPath = [...route.path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field);
  const inHeaders = Object.entries(route.headers ?? {});
  const elsewhere = [...inPath, ...inHeaders.map(([field]) => field)];
  const others = new Set(Object.keys(operation.input.shape).filter((field) => !elsewhere.includes(field)));
  const inBody = route.method === "POST" || route.method === "PATCH";
  const none = new Set<string>();
  const readings = readingsOf(operation.input);

  return async (c, bodyBytes) => {
    const query = queryFields(searchOf(c.req.url), readings);
    const body = c.req.method === "GET" ? noBody : bodyFields(await readBytes(c, bodyBytes));
    const misplaced =
      fieldsOutside(query, inBody ? none : others) ?? fieldsOutside(body.fields, inBody ? others : none);
    const refusal = misplaced === undefined ? body.refusal : fail("unknown_parameter", { param: misplaced });
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

const noBody: Input = { fields: {}, refusal: undefined };

function bodyFields(bytes: Uint8Array): Input {
  try {
    return { fields: jsonObject(bytes), refusal: undefined };
  } catch (error) {
    if (error instanceof LetterslotError) return { fields: {}, refusal: error };
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
