import { systemClock } from "@letterslot/core/ports";
import { createTestService, type TestService } from "@letterslot/core/testing";
import { createOAuth } from "@letterslot/oauth";
import { freePort } from "../../../test/support/free-port.ts";
import { createApp } from "../src/http/app.ts";
import { listenHttp } from "../src/http/listen.ts";

/** A service in memory behind real HTTP, at the address that its links and tokens name. */
export interface OAuthWorld extends Omit<TestService, "clock" | "codeFor"> {
  base_url: string;
  /** Sends due mail, and returns the code in the newest letter to an address. */
  codeFor(email: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the world. */
export async function startOAuthWorld(): Promise<OAuthWorld> {
  const port = await freePort();
  const base_url = `http://localhost:${port}`;
  const service = createTestService({ clock: systemClock, baseUrl: base_url });
  const { letterslot } = service;
  const http = await listenHttp("localhost", port);
  http.serve(createApp({ letterslot, oauth: createOAuth(letterslot) }));
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
