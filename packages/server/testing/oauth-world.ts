import { type Letterslot, systemClock } from "@letterslot/core";
import { createTestService, type TestService } from "@letterslot/core/testing";
import { createOAuth } from "@letterslot/oauth";
import { Hono } from "hono";
import { freePort } from "../../../test/support/free-port.ts";
import { createServer } from "../src/http/app.ts";
import { listenHttp } from "../src/http/listen.ts";
import type { ServerEnv } from "../src/request/context.ts";

/** A service in memory behind real HTTP, at the address that its links and tokens name. */
export interface OAuthWorld extends Omit<TestService, "clock" | "codeFor"> {
  base_url: string;
  /** Sends what is due, and returns the code in the newest letter to an address. */
  codeFor(email: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the world; `mcp` answers at `/mcp`. */
export async function startOAuthWorld(
  mcp?: (request: Request, letterslot: Letterslot) => Promise<Response>,
): Promise<OAuthWorld> {
  const port = await freePort();
  const base_url = `http://localhost:${port}`;
  const service = createTestService({ clock: systemClock, options: { base_url } });
  const app = new Hono<ServerEnv>({ strict: false });
  const { letterslot } = service;
  if (mcp !== undefined) app.all("/mcp", (c) => mcp(c.req.raw, letterslot));
  app.route("/", createServer({ letterslot, oauth: createOAuth(letterslot) }));
  const http = await listenHttp("localhost", port);
  http.serve(app);
  return {
    ...service,
    base_url,
    async codeFor(email) {
      await service.work();
      return service.codeFor(email);
    },
    close: () => http.close(1_000),
  };
}
