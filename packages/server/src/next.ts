/** The app that answers requests of the web: `createApp`'s. */
interface WebApp {
  fetch(request: Request): Response | Promise<Response>;
}

type Handler = (request: Request) => Promise<Response>;

/** The methods that a route of Next exports, one function each. */
type NextHandler = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>;

/** Outlives the module, which `next dev` loads anew after each edit, and is the same for all routes. */
const MADE = Symbol.for("@letterslot/server/next");
const kept = globalThis as { [MADE]?: Promise<WebApp> | undefined };

/**
 * The app as the exports of a route of Next's App Router, such as `app/api/v1/[...path]/route.ts`; paths are passed on
 * as they are. A function makes the app with the first request, once in a process: `next build` loads routes too, and must
 * not open a database. After one that fails, the next request tries again.
 */
export function toNextHandler(app: WebApp | (() => WebApp | Promise<WebApp>)): NextHandler {
  const find = (): WebApp | Promise<WebApp> => (typeof app === "function" ? madeOnce(app) : app);
  const handle: Handler = async (request) => (await find()).fetch(request);
  return {
    GET: handle,
    HEAD: handle,
    POST: handle,
    PUT: handle,
    PATCH: handle,
    DELETE: handle,
    OPTIONS: handle,
  };
}

function madeOnce(make: () => WebApp | Promise<WebApp>): Promise<WebApp> {
  kept[MADE] ??= (async () => make())().catch((error: unknown) => {
    kept[MADE] = undefined;
    throw error;
  });
  return kept[MADE];
}
