/** What answers requests of the web: `createApp`'s app. */
interface WebApp {
  fetch(request: Request): Response | Promise<Response>;
}

type Handler = (request: Request) => Promise<Response>;

/** The methods that a route of Next exports, one function each. */
type NextHandler = Record<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS", Handler>;

/**
 * The app as the exports of a route of Next's App Router, such as `app/api/v1/[...path]/route.ts`; paths are passed on
 * as they are. `const handler = toNextHandler(app); export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = handler`.
 */
export function toNextHandler(app: WebApp): NextHandler {
  const handle: Handler = async (request) => app.fetch(request);
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
