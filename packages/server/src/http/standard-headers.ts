import type { ServerContext } from "../request/context.ts";
import { listJson } from "./list-json.ts";

/** What every answer carries beside its own headers. */
export const standardHeaders = (request_id: string): Record<string, string> => ({
  "x-request-id": request_id,
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
});

/**
 * JSON with all its headers from the start, as one plain object: each header that is set on its own costs as
 * much as the whole.
 */
export function jsonAnswer(
  c: ServerContext,
  body: object,
  status: number,
  more: Record<string, string> = {},
): Response {
  c.set("has_headers", true);
  const headers = { "Content-Type": "application/json", ...standardHeaders(c.get("request_id")), ...more };
  return new Response(isList(body) ? listJson(body) : JSON.stringify(body), { status, headers });
}

const isList = (body: object): body is { data: unknown[] } => "data" in body && Array.isArray(body.data);

/** Gives an answer what it lacks of the standard headers. */
export function completeHeaders(c: ServerContext): void {
  if (c.get("has_headers") === true) return;
  const { headers } = c.res;
  for (const [name, value] of Object.entries(standardHeaders(c.get("request_id"))))
    if (!headers.has(name)) headers.set(name, value);
}
