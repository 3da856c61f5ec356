import type { Readable, Writable } from "node:stream";
import { LIMITS } from "@letterslot/core";
import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { createMcpServer } from "./protocol.ts";
import { createSubscriptions } from "./stdio-subscriptions.ts";
import type { ToolHost } from "./tools/host.ts";

/** Options for an MCP server over standard input and output. */
export interface StdioOptions {
  host: ToolHost;
  /** Defaults to the process's own. Only the protocol is written to the output. */
  input?: Readable;
  output?: Writable;
  /** Reports errors outside the protocol; by default to standard error. */
  onError?: (error: Error) => void;
}

/** A running MCP server over standard input and output. */
export interface StdioServer {
  /** Resolves when the input has ended, the output is gone, or it was closed. */
  closed: Promise<void>;
  /** Ends it: calls in progress are cancelled. */
  close(): Promise<void>;
}

/**
 * Serves MCP over standard input and output, for clients of both protocol lines. It ends with its input.
 */
export function serveStdio({
  host,
  input = process.stdin,
  output = process.stdout,
  onError = (error) => void process.stderr.write(`${error.message}\n`),
}: StdioOptions): StdioServer {
  const ended = Promise.withResolvers<void>();
  const stop = new AbortController();
  let server: Server | undefined;
  const subscriptions = createSubscriptions({
    host,
    notify: (uri) => void server?.sendResourceUpdated({ uri }).catch(onError),
    onError,
    signal: stop.signal,
  });
  const wire = new StdioServerTransport(input, output, { maxBufferSize: LIMITS.mcp_line_bytes });
  const transport = readBy(wire, subscriptions.read, onError, () => {
    stop.abort();
    ended.resolve();
  });
  const connection = serveConnection(
    async ({ era }) => {
      server = await createMcpServer({ host, stopping: stop.signal, subscribe: true });
      if (era === "legacy" && server.getCapabilities().resources?.subscribe === true)
        subscriptions.serve(server);
      return server;
    },
    { transport, onerror: onError, maxSubscriptions: LIMITS.mcp_subscriptions_per_key },
  );
  return { closed: ended.promise, close: connection.close };
}

/** A transport that passes messages to a reader first, in order, and reports unreadable ones to their sender. */
function readBy(
  wire: StdioServerTransport,
  read: (message: JSONRPCMessage) => Promise<JSONRPCMessage>,
  onError: (error: Error) => void,
  onClosed: () => void,
): Transport {
  const transport: Transport = {
    start: () => wire.start(),
    send: (message) => wire.send(message),
    close: () => wire.close(),
  };
  const refuse = (message: JSONRPCMessage, error: unknown) => {
    const { code, message: words } =
      error instanceof ProtocolError
        ? error
        : new ProtocolError(ProtocolErrorCode.InternalError, "Not possible now.");
    if (!(error instanceof ProtocolError)) onError(error instanceof Error ? error : new Error(String(error)));
    if ("method" in message && "id" in message)
      void wire.send({ jsonrpc: "2.0", id: message.id, error: { code, message: words } }).catch(onError);
  };
  let last: Promise<unknown> = Promise.resolve();
  wire.onmessage = (message) => {
    last = last
      .then(() => read(message))
      .then(
        (readable) => transport.onmessage?.(readable),
        (error: unknown) => refuse(message, error),
      );
  };
  wire.onerror = (error) => transport.onerror?.(error);
  wire.onclose = () => {
    onClosed();
    transport.onclose?.();
  };
  return transport;
}
