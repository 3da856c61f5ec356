import type { ToolHost } from "./tools/host.ts";

/** One POST whose caller is known and whose body was read. */
export interface McpExchange {
  /** The request's headers. */
  headers: Pick<Headers, "get">;
  /** Aborts when the client has gone before it was answered. */
  signal: AbortSignal;
  /** The request's method, address and headers, with that signal; made when it is needed, because it costs much. */
  request(): Request;
  /** The message in its body. */
  message: Record<string, unknown>;
  /** The service, as the caller has it. */
  host: ToolHost;
  /** The same at a later moment. Fails when the caller's access has ended. */
  open(): Promise<ToolHost>;
}
