import { type Client, createClient } from "@letterslot/client";
import { createTestService, type TestService } from "@letterslot/core/testing";
import { createOAuth } from "@letterslot/oauth";
import { openApiDocument } from "../src/docs/openapi.ts";
import { type AppOptions, createApp } from "../src/http/app.ts";
import { listenHttp } from "../src/http/listen.ts";
import { type CheckedFetch, createCheckedFetch } from "./checked-fetch.ts";

/** A complete in-memory service behind real HTTP; `fetch` and `client` check every answer against OpenAPI. */
export interface Served extends TestService {
  base_url: string;
  fetch: CheckedFetch;
  /** A client without retries, with the key if given. */
  client(api_key?: string): Client;
  close(): Promise<void>;
}

const BASE_URL_IN_LINKS = "http://letterslot.test";
const CLOSE_TIMEOUT_MS = 1_000;

/** The same for every server, and as long in the making as several tests. */
let documentation: ReturnType<typeof openApiDocument> | undefined;

/** Serves a new in-memory service on a free port, or on `port`, with the authorization server unless `oauth` is undefined. */
export async function serve(
  options: Partial<AppOptions> & { config?: Parameters<typeof createTestService>[0]; port?: number } = {},
): Promise<Served> {
  const { config, port = 0, ...serverOptions } = options;
  const service = createTestService({
    baseUrl: BASE_URL_IN_LINKS,
    ...config,
  });
  const http = await listenHttp("127.0.0.1", port);
  const base_url = `http://127.0.0.1:${http.port}`;
  const { letterslot } = service;
  http.serve(createApp({ letterslot, oauth: createOAuth(letterslot), ...serverOptions }));
  documentation ??= openApiDocument(BASE_URL_IN_LINKS);
  const fetch = createCheckedFetch(base_url, documentation);
  return {
    ...service,
    base_url,
    fetch,
    client: (api_key) =>
      createClient({
        baseUrl: base_url,
        fetch,
        retries: 0,
        ...(api_key === undefined ? {} : { apiKey: api_key }),
      }),
    close: () => http.close(CLOSE_TIMEOUT_MS),
  };
}
