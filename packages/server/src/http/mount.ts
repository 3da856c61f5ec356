import type { ServerResponse } from "node:http";
import { type Route, routes } from "@letterslot/client/routes";
import { type Caller, type CallOptions, LetterslotError, LIMITS, type StreamItem } from "@letterslot/core";
import { callerId, fileFields, type Operation, operationNamed } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { beginBody, hasArrived, PUBLIC_BODY_BYTES } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { noteRefusal } from "../request/note-refusal.ts";
import { callOptionsOf } from "../request/request-header.ts";
import { answerOf } from "./answer.ts";
import { streamAnswer } from "./event-stream.ts";
import { type Input, inputReader } from "./input.ts";

/** A field that no operation has: it makes the gate reject the input, after checking scope and permission. */
const INVALID_FIELD = "\u0000refused";

/**
 * Mounts every operation of the wire table. Other methods on a path are `method_not_allowed`, unless a route
 * with parameters matches it too: `PATCH /inboxes/batch` is about an inbox of that name.
 */
export function mountOperations(app: Hono<ServerEnv>, state: ServerState): void {
  const paths = routesByPath();
  for (const [path, here] of paths)
    for (const [method, sharing] of Map.groupBy(here, ([, route]) => route.method))
      app.on(method, path, handlerOfOne(sharing, state));
  for (const [path] of paths) refuseOtherMethods(app, path);
}

/** The handler of the operations at one method and path: the query says which of them is meant. */
function handlerOfOne(
  sharing: readonly [string, Route][],
  state: ServerState,
): (c: ServerContext) => Promise<Response> {
  const handlers = sharing
    .map(([name, route]) => ({
      fixed: Object.entries(route.query ?? {}),
      handle: handlerOf(name, route, state),
    }))
    .sort((one, other) => other.fixed.length - one.fixed.length);
  const [first, ...others] = handlers;
  if (first !== undefined && others.length === 0) return first.handle;
  return async (c) => {
    const meant = handlers.find(({ fixed }) => fixed.every(([field, value]) => c.req.query(field) === value));
    if (meant === undefined) throw fail("invalid_request");
    return meant.handle(c);
  };
}

function handlerOf(name: string, route: Route, state: ServerState): (c: ServerContext) => Promise<Response> {
  const operation = operationNamed(name);
  // Without credentials, an operation for people alone asks for a session rather than a key.
  const isOpen = operation.scope === "public" || operation.callers?.includes("key") === false;
  const readInput = inputReader(route, operation);
  const call = operationCall(name, state);
  const streams = operation.answers === "stream";
  const waits = "wait" in operation.input.shape;
  const maxBodyBytes =
    fileFields(operation.input).length > 0 ? LIMITS.request_body_bytes : LIMITS.small_body_bytes;
  return async (c) => {
    const authenticate = () => callerOf(c, state, isOpen, name);
    let caller = await authenticate();
    if (caller.type !== "public") c.set("body_holder", callerId(caller));
    try {
      const maxBytes = caller.type === "public" ? PUBLIC_BODY_BYTES : maxBodyBytes;
      const arrives = route.method !== "GET" && !hasArrived(c);
      if (arrives) {
        // A caller without permission is refused before it sends a large or slow body.
        beginBody(c, maxBytes);
        await state.letterslot.admit(caller, name, c.req.param());
      }
      const input = await readInput(c, maxBytes);
      // A body may take minutes, in which the caller's right to send it may have ended.
      if (arrives) caller = await authenticate();
      const options = callOptionsOf(c);
      if (!streams && !waits) return answerOf(c, route, operation, await call(caller, input, options));
      const disconnected = beginWaiting(c, state);
      const answer = await call(caller, input, { ...options, signal: disconnected.signal }).catch(
        (error: unknown) => {
          state.waiting.delete(disconnected);
          // Callers with too many streams ask for thousands more: left open, all of them would end at once.
          if (error instanceof LetterslotError && error.kind === "rate") c.header("Connection", "close");
          throw error;
        },
      );
      if (streams) return streamAnswer(c, state, answer as AsyncIterable<StreamItem>, disconnected);
      state.waiting.delete(disconnected);
      return answerOf(c, route, operation, answer);
    } catch (error) {
      const inbox_id = c.req.param("inbox_id");
      const request_id = c.get("request_id");
      throw noteRefusal(state, error, { caller, operation: name, inbox_id, source: "http", request_id });
    }
  };
}

/**
 * Adds a request to `waiting`; remove it when it is answered. On Node it watches the socket for a disconnect:
 * a Request's own signal costs more than everything else.
 */
function beginWaiting(c: ServerContext, { waiting, stopping }: ServerState): AbortController {
  const controller = new AbortController();
  const disconnect = () => {
    if (waiting.delete(controller)) controller.abort();
  };
  waiting.add(controller);
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing === undefined) c.req.raw.signal.addEventListener("abort", disconnect, { once: true });
  else outgoing.once("close", disconnect);
  if (stopping?.aborted) disconnect();
  return controller;
}

/**
 * Calls an operation. A request that could not be read is rejected where the gate checks input, not before.
 */
function operationCall(name: string, { letterslot }: ServerState) {
  return async (caller: Caller, { fields, refusal }: Input, options: CallOptions): Promise<unknown> => {
    if (refusal === undefined) return letterslot.call(caller, name, fields, { ...options, streamed: true });
    return letterslot
      .call(caller, name, { ...fields, [INVALID_FIELD]: true }, options)
      .catch((error: unknown) => {
        throw error instanceof LetterslotError && error.param === INVALID_FIELD ? refusal : error;
      });
  };
}

/** The routes by path, literal segments before parameters: `/tasks/stream` before `/tasks/:task_id`. */
function routesByPath(): [string, [string, Route][]][] {
  const paths = new Map<string, [string, Route][]>();
  for (const [name, route] of Object.entries<Route>(routes))
    if (!hasPage(operationNamed(name)))
      paths.set(route.path, [...(paths.get(route.path) ?? []), [name, route]]);
  return [...paths].sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** `:` sorts before letters; a tilde sorts after them. */
const sortKey = (path: string): string => path.replaceAll(":", "~");

/** Whether an operation also has a page for browsers, which `pages/` mounts, behind a letter's token. */
const hasPage = ({ letter, answers }: Operation): boolean => letter !== undefined && answers === undefined;
