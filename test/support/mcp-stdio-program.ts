import { createClient } from "../../packages/client/src/index.ts";
import { hostOfClient, serveStdio } from "../../packages/mcp/src/index.ts";

/** Does the work of `letterslot mcp`: MCP over standard input and output, for the given server and key. */
const { BASE_URL: base_url = "", API_KEY: api_key = "" } = process.env;
await serveStdio({ host: hostOfClient(createClient({ baseUrl: base_url, apiKey: api_key, retries: 0 })) })
  .closed;
