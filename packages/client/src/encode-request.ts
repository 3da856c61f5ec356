import type { Route } from "./routes.ts";

/** A route, or another address of the server that is called like one. */
export type Endpoint = Omit<Route, "path"> & { path: string };

/** The URL, headers and body of one call. */
export interface EncodedRequest {
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/**
 * Distributes a flat input over path, query, headers and body according to the route. Path fields are percent-encoded
 * so that none can leave its segment. An empty one, `.` or `..` throws a TypeError, because URL parsers resolve dots
 * however they are encoded.
 */
export function encodeRequest(
  base_url: string,
  route: Endpoint,
  input: Record<string, unknown>,
): EncodedRequest {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const rest = new Map([...Object.entries<unknown>(route.query ?? {}), ...given]);
  const path = route.path.replace(/:([a-z_]+)/g, (_, field: string) => {
    const segment = encodeSegment(field, rest.get(field));
    rest.delete(field);
    return segment;
  });
  const headers = takeHeaders(route, rest);
  const url = base_url.replace(/\/+$/, "") + path;
  if (route.method === "GET" || route.method === "DELETE")
    return { url: url + encodeQuery(rest), headers, body: undefined };
  return { url, headers, body: rest.size === 0 ? undefined : JSON.stringify(Object.fromEntries(rest)) };
}

/** Removes the fields that the route sends as headers from `rest`, and returns those headers. */
function takeHeaders(route: Endpoint, rest: Map<string, unknown>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [field, name] of Object.entries(route.headers ?? {})) {
    if (rest.has(field)) headers[name] = String(rest.get(field));
    rest.delete(field);
  }
  return headers;
}

function encodeSegment(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "" && value !== "." && value !== "..")
    return encodeURIComponent(value);
  throw new TypeError(`${field} must be a string that is not empty, "." or ".."`);
}

function encodeQuery(fields: Map<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [field, value] of fields) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined) query.append(field, String(each));
    }
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}
