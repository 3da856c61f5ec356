import { type Route, routes } from "@letterslot/client/routes";
import { fail, LetterslotError, operationNamed } from "@letterslot/core";
import type { Hono } from "hono";
import { answerOf } from "./answer.ts";
import { publicBodyBytes } from "./body.ts";
import { callerOf } from "./caller.ts";
import { type Edge, type ServerContext, type ServerEnv, signalOf } from "./context.ts";
import { inputReader } from "./input.ts";

/** Operations that people open in a browser too: their routes are in `pages/`. */
const onPages = new Set(["owners.confirmation", "owners.confirmPublic", "owners.unsubscribe"]);

/** A field that no operation has: the gate stumbles over it where it checks the input, after scope and permission. */
const refusedAtEdge = "\u0000refused";

/** Puts every operation of the wire table at its place; any other method there is `method_not_allowed`. */
export function mountOperations(app: Hono<ServerEnv>, edge: Edge): void {
  for (const [path, here] of routesByPath()) {
    for (const [name, route] of here) app.on(route.method, path, handlerOf(name, route, edge));
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
  const waits = route.answers === "stream" || "wait" in operation.input.shape;
  return async (c) => {
    const caller = await callerOf(c, edge, operation.scope === "public");
    const { fields, refusal } = await readInput(c, caller.type === "public" ? publicBodyBytes : undefined);
    const idempotency_key = c.req.header("idempotency-key");
    const hangUp = waits ? new AbortController() : undefined;
    const options = {
      ...(hangUp === undefined ? {} : { signal: AbortSignal.any([signalOf(c, edge), hangUp.signal]) }),
      ...(idempotency_key === undefined ? {} : { idempotency_key }),
    };
    const input = refusal === undefined ? fields : { ...fields, [refusedAtEdge]: true };
    try {
      return answerOf(c, edge, route, await edge.letterslot.call(caller, name, input, options), () => hangUp?.abort());
    } catch (error) {
      throw refusal !== undefined && error instanceof LetterslotError && error.param === refusedAtEdge ? refusal : error;
    }
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
