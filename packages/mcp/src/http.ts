import { randomUUID } from "node:crypto";
import { LIMITS } from "@letterslot/core";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { McpExchange } from "./exchange.ts";
import { answerPlainCall, isPlainCall } from "./plain-call.ts";
import { createMcpServer } from "./protocol.ts";
import { createSubscriptionBus, readListenRequest } from "./subscriptions.ts";
import type { ToolHost } from "./tools/host.ts";

/** Options that all exchanges share. */
export interface McpHttpOptions {
  /** Aborts when the server stops: waits then end with the answer so far, and subscriptions with their result. */
  stopping?: AbortSignal | undefined;
  /** Reports refused requests and failed subscriptions. */
  onError?: ((error: Error) => void) | undefined;
}

/** MCP's Streamable HTTP for clients of both protocol lines. It stores no sessions. */
export interface McpHttp {
  /** Answers a POST: with JSON, or with a stream where there is progress to tell or a subscription. */
  answer(exchange: McpExchange): Promise<Response>;
}

/**
 * Clients of the earlier version send it with each message once they have received it. It only identifies the request
 * that a cancellation means.
 */
const SESSION_HEADER = "mcp-session-id";

/** Creates the server's side of Streamable HTTP. Nothing runs before the first request. */
export function createMcpHttp(options: McpHttpOptions): McpHttp {
  const { answer } = serveRequests(createMcpServer, options);
  return { answer: (exchange) => (isPlainCall(exchange) ? answerPlainCall(exchange) : answer(exchange)) };
}

/** Answers requests, each by a server of its own that `create` makes. */
export function serveRequests(
  create: typeof createMcpServer,
  { stopping, onError = () => undefined }: McpHttpOptions,
): McpHttp {
  /** Cancels each request in progress of the earlier protocol version, by caller, session and id. */
  const inProgress = new Map<string, () => void>();
  const subscriptions = createCounts(LIMITS.mcp_subscriptions_per_key);

  async function answerEarlier({ headers, signal, request, message, host }: McpExchange): Promise<Response> {
    const { id: caller_id } = await host.caller();
    const session = headers.get(SESSION_HEADER);
    const nameOf = (id: unknown) => JSON.stringify([caller_id, session, id]);
    if (message["method"] === "notifications/cancelled") inProgress.get(nameOf(cancelledId(message)))?.();

    const server = await create({ host, stopping, subscribe: false });
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !asksForProgress(message),
      keepAliveMs: LIMITS.stream_comment_ms,
    });
    await server.connect(transport);
    const ended = Promise.withResolvers<Response>();
    const name = nameOf(message["id"]);
    const end = () => {
      if (inProgress.get(name) === end) inProgress.delete(name);
      // Closing its connection stops the server's work for the request.
      void server.close().catch(onError);
      ended.resolve(new Response(null, { status: 202 }));
    };
    if (session !== null && message["id"] !== undefined) inProgress.set(name, end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const response = await Promise.race([
      transport.handleRequest(request(), { parsedBody: message }),
      ended.promise,
    ]).catch((error: unknown) => {
      end();
      throw error;
    });
    if (message["method"] === "initialize" && response.ok) response.headers.set(SESSION_HEADER, randomUUID());
    if (isStream(response)) return withEnd(response, end);
    end();
    return response;
  }

  async function answerNewest(exchange: McpExchange): Promise<Response> {
    const { request, message, host } = exchange;
    if (message["method"] === "subscriptions/listen") return answerListen(exchange);
    return handlerFor(host).fetch(request(), { parsedBody: message });
  }

  async function answerListen({ request, message, host, open }: McpExchange): Promise<Response> {
    const { id } = await host.caller();
    const leave = subscriptions.enter(id);
    if (leave === undefined) return refusal(message, -32_603, "This caller has too many subscriptions open.");
    try {
      const listen = await readListenRequest(host, message);
      const bus = createSubscriptionBus(listen, open, onError);
      const handler = handlerFor(host, bus);
      const close = () => void handler.close().catch(onError);
      const afterwards = () => {
        leave();
        stopping?.removeEventListener("abort", close);
        close();
      };
      void bus.ended.finally(afterwards);
      const response = await handler.fetch(request(), { parsedBody: listen.message });
      if (!bus.isOpen()) bus.end();
      stopping?.addEventListener("abort", close, { once: true });
      if (stopping?.aborted === true) close();
      return response;
    } catch (error) {
      leave();
      if (error instanceof ProtocolError) return refusal(message, error.code, error.message);
      throw error;
    }
  }

  const handlerFor = (host: ToolHost, bus?: ServerEventBus): McpHttpHandler =>
    createMcpHandler(() => create({ host, stopping, subscribe: true }), {
      legacy: "reject",
      keepAliveMs: LIMITS.stream_comment_ms,
      onerror: onError,
      ...(bus === undefined ? {} : { bus }),
    });

  return {
    answer: async (exchange) =>
      (await isLegacyRequest(exchange.request(), exchange.message))
        ? answerEarlier(exchange)
        : answerNewest(exchange),
  };
}

const paramsOf = ({ params }: Record<string, unknown>): Record<string, unknown> =>
  typeof params === "object" && params !== null ? (params as Record<string, unknown>) : {};

const cancelledId = (message: Record<string, unknown>): unknown => paramsOf(message)["requestId"];

/** Whether a request asks to be told how far it is, which only a stream can. */
const asksForProgress = (message: Record<string, unknown>): boolean =>
  paramsOf({ params: paramsOf(message)["_meta"] })["progressToken"] !== undefined;

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

const refusal = ({ id = null }: Record<string, unknown>, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id, error: { code, message } });

/** The same answer; `end` is called once its stream has ended or nobody reads it any more. */
function withEnd({ body, status, headers }: Response, end: () => void): Response {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        end();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason).catch(() => undefined); // the client has gone: nobody is left to tell
    },
  });
  return new Response(stream, { status, headers });
}

/** Counts what each caller has open, up to `max`. */
function createCounts(max: number) {
  const counts = new Map<string, number>();
  return {
    /** Counts one more; the answered function, which may be called again, counts it no longer. Undefined: too many. */
    enter(name: string): (() => void) | undefined {
      const before = counts.get(name) ?? 0;
      if (before >= max) return undefined;
      counts.set(name, before + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        const rest = (counts.get(name) ?? 1) - 1;
        if (rest === 0) counts.delete(name);
        else counts.set(name, rest);
      };
    },
  };
}
