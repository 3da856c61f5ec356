import { type Route, routes } from "../../packages/client/src/routes.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";

/** A response over the wire. */
export interface WireAnswer {
  status: number;
  /** The error's code, or undefined. */
  code: string | undefined;
  param: string | undefined;
  headers: Headers;
  text: string;
  /** The text as JSON; undefined if it is not JSON. */
  json: Record<string, unknown> | undefined;
}

/** Calls an operation, placing its fields by the wire table. From streams it reads only the headers. */
export async function callOverWire(
  {
    base_url,
    fetch: send = globalThis.fetch,
  }: { base_url: string; fetch?: (url: string, init?: RequestInit) => Promise<Response> },
  name: OperationName,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  const { url, init } = createWireRequest(name, input);
  const abort = new AbortController();
  const response = await send(`${base_url}${url}`, {
    ...init,
    headers: {
      accept: "application/json, */*",
      ...(init.body == null ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    signal: abort.signal,
  });
  const streams = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const text = streams ? "" : await response.text();
  if (streams) abort.abort();
  const json = tryParseJson(text);
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

/** Builds the URL, method and body of a call. */
export function createWireRequest(
  name: OperationName,
  input: Record<string, unknown>,
): { url: string; init: RequestInit } {
  const { method, path }: Route = routes[name];
  const inPath = new Set([...path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field));
  const url = path.replace(/:([a-z_]+)/g, (_, field: string) =>
    encodeURIComponent(toText(input[field] ?? "none").toWellFormed()),
  );
  const rest = Object.entries(input).filter(([field]) => !inPath.has(field));
  if (method === "POST" || method === "PATCH")
    return { url, init: { method, body: JSON.stringify(Object.fromEntries(rest)) } };
  const query = new URLSearchParams(
    rest.flatMap(([field, value]) => [value].flat().map((one): [string, string] => [field, toText(one)])),
  );
  return { url: rest.length === 0 ? url : `${url}?${query.toString()}`, init: { method } };
}

const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

function tryParseJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
