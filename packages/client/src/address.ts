import type { Route } from "./routes.ts";

/** Where a call goes and what it carries: each field in its one place. */
export interface Addressed {
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * Puts a flat input where the route has it. Path fields are encoded, so that none can leave its segment; an
 * empty one, `.` and `..` are a TypeError before anything is sent, because no encoding keeps URL parsers from
 * resolving dots.
 */
export function address(base_url: string, route: Route, input: Record<string, unknown>): Addressed {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = route.path.replace(/:([a-z_]+)/g, (_, field: string) => {
    const segment = pathSegment(field, rest.get(field));
    rest.delete(field);
    return segment;
  });
  const headers = headersOf(route, rest);
  const url = base_url.replace(/\/+$/, "") + path;
  if (route.method === "GET" || route.method === "DELETE")
    return { url: url + queryOf(rest), headers, body: undefined };
  return { url, headers, body: rest.size === 0 ? undefined : JSON.stringify(Object.fromEntries(rest)) };
}

/** Takes the fields that the route has in headers out of the rest. */
function headersOf(route: Route, rest: Map<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [field, name] of Object.entries(route.headers ?? {})) {
    if (rest.has(field)) headers[name] = String(rest.get(field));
    rest.delete(field);
  }
  return headers;
}

function pathSegment(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && value !== "." && value !== "..")
    return encodeURIComponent(value);
  throw new TypeError(`${field} must be a string that is not empty, "." or ".."`);
}

function queryOf(fields: Map<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [field, value] of fields) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined) query.append(field, String(each));
    }
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}
