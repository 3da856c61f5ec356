import { type Route, routes } from "../../packages/client/src/routes.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";

/** What came back over the wire. */
export interface WireAnswer {
  status: number;
  /** The error's code, or undefined. */
  code: string | undefined;
  param: string | undefined;
  headers: Headers;
  text: string;
  /** The text as JSON; undefined where it is none. */
  json: Record<string, unknown> | undefined;
}

/**
 * A request to an operation, each field at its place by the wire table; streams are read no further than
 * their headers.
 */
export async function callOverWire(
  {
    base_url,
    fetch: send = globalThis.fetch,
  }: { base_url: string; fetch?: (url: string, init?: RequestInit) => Promise<Response> },
  name: OperationName,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  const { url, init } = wireRequest(name, input);
  const cut = new AbortController();
  const response = await send(`${base_url}${url}`, {
    ...init,
    headers: { accept: "application/json, */*", ...headers },
    signal: cut.signal,
  });
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = streams ? "" : await response.text();
  if (streams) cut.abort();
  const json = jsonOf(text);
  const error = json?.["error"] as { code?: string; param?: string } | undefined;
  return {
    status: response.status,
    code: error?.code,
    param: error?.param,
    headers: response.headers,
    text,
    json,
  };
}

/** Where a call goes, and its method and body. */
export function wireRequest(
  name: OperationName,
  input: Record<string, unknown>,
): { url: string; init: RequestInit } {
  const { method, path }: Route = routes[name];
  const inPath = new Set([...path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field));
  const url = path.replace(/:([a-z_]+)/g, (_, field: string) =>
    encodeURIComponent(textOf(input[field] ?? "none").toWellFormed()),
  );
  const rest = Object.entries(input).filter(([field]) => !inPath.has(field));
  if (method === "POST" || method === "PATCH")
    return { url, init: { method, body: JSON.stringify(Object.fromEntries(rest)) } };
  const query = new URLSearchParams(
    rest.flatMap(([field, value]) => [value].flat().map((one): [string, string] => [field, textOf(one)])),
  );
  return { url: rest.length === 0 ? url : `${url}?${query.toString()}`, init: { method } };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
