import { type Route, routes } from "@letterslot/client/routes";
import {
  type Caller,
  type CallOptions,
  fail,
  LetterslotError,
  operationNamed,
  type StreamItem,
} from "@letterslot/core";
import type { Hono } from "hono";
import { publicBodyBytes } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import { beginWaiting, type Edge, type ServerContext, type ServerEnv } from "../request/context.ts";
import { requestHeader } from "../request/request-header.ts";
import { answerOf, streamAnswer } from "./answer.ts";
import { type Input, inputReader } from "./input.ts";

/** Operations that people open in a browser too: their routes are in `pages/`. */
const onPages = new Set([
  "owners.confirmation",
  "owners.confirmPublic",
  "owners.unsubscribe",
  "approvals.review",
  "approvals.decide",
  "owners.preferences",
  "owners.choose",
  "questions.review",
  "questions.answer",
  "lifecycle.subscription",
  "lifecycle.unsubscribe",
]);

/**
 * A field that no operation has: the gate stumbles over it where it checks the input, after scope and
 * permission.
 */
const refusedAtEdge = "\u0000refused";

/**
 * Puts every operation of the wire table at its place; any other method there is `method_not_allowed`, unless
 * the path can be read as a route with parameters too: `PATCH /inboxes/batch` is about an inbox of that name.
 */
export function mountOperations(app: Hono<ServerEnv>, edge: Edge): void {
  const paths = routesByPath();
  for (const [path, here] of paths)
    for (const [name, route] of here) app.on(route.method, path, handlerOf(name, route, edge));
  for (const [path, here] of paths) {
    const allowed = here.map(([, { method }]) => method).join(", ");
    app.all(path, (c) => {
      c.header("Allow", allowed);
      throw fail("method_not_allowed");
    });
  }
}

function handlerOf(name: string, route: Route, edge: Edge): (c: ServerContext) => Promise<Response> {
  const operation = operationNamed(name);
  const readInput = inputReader(route, operation);
  const call = callerOfOperation(name, edge);
  const waits = "wait" in operation.input.shape;
  return async (c) => {
    const caller = await callerOf(c, edge, operation.scope === "public");
    const input = await readInput(c, caller.type === "public" ? publicBodyBytes : undefined);
    const idempotency_key = requestHeader(c, "idempotency-key");
    const options = idempotency_key === undefined ? {} : { idempotency_key };
    if (route.answers === "stream") {
      const gone = beginWaiting(c, edge);
      const items = await call(caller, input, { signal: gone.signal }).catch(stopWaiting(edge, gone));
      return streamAnswer(c, edge, items as AsyncIterable<StreamItem>, gone);
    }
    if (!waits) return answerOf(c, route, await call(caller, input, options));
    const gone = beginWaiting(c, edge);
    const answer = await call(caller, input, { ...options, signal: gone.signal }).catch(
      stopWaiting(edge, gone),
    );
    edge.waiting.delete(gone);
    return answerOf(c, route, answer);
  };
}

function stopWaiting({ waiting }: Edge, gone: AbortController): (error: unknown) => never {
  return (error) => {
    waiting.delete(gone);
    throw error;
  };
}

/**
 * Calls an operation with what a request said. What the edge refuses is refused where the gate checks the
 * input, not before.
 */
function callerOfOperation(name: string, { letterslot }: Edge) {
  return async (caller: Caller, { fields, refusal }: Input, options: CallOptions): Promise<unknown> => {
    if (refusal === undefined) return letterslot.call(caller, name, fields, options);
    return letterslot
      .call(caller, name, { ...fields, [refusedAtEdge]: true }, options)
      .catch((error: unknown) => {
        throw error instanceof LetterslotError && error.param === refusedAtEdge ? refusal : error;
      });
  };
}

/** The routes path by path, words before parameters: `/tasks/stream` before `/tasks/:task_id`. */
function routesByPath(): [string, [string, Route][]][] {
  const paths = new Map<string, [string, Route][]>();
  for (const [name, route] of Object.entries<Route>(routes)) {
    if (!onPages.has(name)) paths.set(route.path, [...(paths.get(route.path) ?? []), [name, route]]);
  }
  return [...paths].sort(([a], [b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** `:` sorts before letters; a tilde sorts after them. */
const sortKey = (path: string): string => path.replaceAll(":", "~");
