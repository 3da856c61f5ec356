import { createClient } from "../../packages/client/src/index.ts";
import { hostOfClient, serveStdio } from "../../packages/mcp/src/index.ts";

/** What `letterslot mcp` does: MCP over standard input and output, at the server and with the key it is told. */
const { BASE_URL: base_url = "", API_KEY: api_key = "" } = process.env;
await serveStdio({ host: hostOfClient(createClient({ base_url, api_key, retries: 0 })) }).closed;
