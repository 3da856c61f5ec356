import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ServerContext } from "./context.ts";
import { requestHeader } from "./request-header.ts";

/** Responds with JSON, in the form that the client is likely to read. */
export function sendJson(c: ServerContext, body: object, status: ContentfulStatusCode = 200): Response {
  const text = wantsLines(c) ? jsonLines(body) : JSON.stringify(body);
  return c.body(text, status, { "Content-Type": "application/json" });
}

/**
 * Whether JSON is written over several lines, for people: the client takes anything, as curl does at a terminal.
 * A program that says `Accept: application/json`, or nothing, gets it on one line.
 */
export function wantsLines(c: ServerContext): boolean {
  return requestHeader(c, "accept") === "*/*";
}

/** JSON over several lines, indented by two spaces, with a line end after the last. */
export function jsonLines(body: object): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}
