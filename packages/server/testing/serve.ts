import { type Client, createClient } from "@letterslot/client";
import { createTestService, type TestService } from "@letterslot/core/testing";
import { openApiDocument } from "../src/docs/openapi.ts";
import { createServer, type ServerOptions } from "../src/http/app.ts";
import { listenHttp } from "../src/http/listen.ts";
import { type CheckedFetch, createCheckedFetch } from "./checked-fetch.ts";

/**
 * A whole service in memory behind real HTTP. Every answer to `fetch` and `client` is checked against the
 * OpenAPI document.
 */
export interface Served extends TestService {
  base_url: string;
  fetch: CheckedFetch;
  /** A client without retries; with the key if there is one. */
  client(api_key?: string): Client;
  close(): Promise<void>;
}

const base_url_in_links = "http://letterslot.test";
const patienceMs = 1_000;

/** Serves a fresh service in memory on a free port. */
export async function serve(
  options: Partial<ServerOptions> & { config?: Parameters<typeof createTestService>[0] } = {},
): Promise<Served> {
  const { config, ...serverOptions } = options;
  const service = createTestService({
    ...config,
    options: { base_url: base_url_in_links, ...config?.options },
  });
  const http = await listenHttp("127.0.0.1", 0);
  const base_url = `http://127.0.0.1:${http.port}`;
  http.serve(createServer({ letterslot: service.letterslot, ...serverOptions }));
  const fetch = createCheckedFetch(base_url, openApiDocument(base_url_in_links));
  return {
    ...service,
    base_url,
    fetch,
    client: (api_key) =>
      createClient({ base_url, fetch, retries: 0, ...(api_key === undefined ? {} : { api_key }) }),
    close: () => http.close(patienceMs),
  };
}
