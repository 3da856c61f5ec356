/**
 * A model can't write a file into a call, and needn't: it asks for an address, a shell puts the file there, and the mail
 * names it. The model's part is written down here as a script. `TO=olga@example.com FILE=report.pdf node index.ts`
 */
import { execFile } from "node:child_process";
import { basename, resolve } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const {
  LETTERSLOT_URL = "http://localhost:8025",
  LETTERSLOT_API_KEY = "",
  TO = "",
  FILE = "report.pdf",
} = process.env;

const headers = { authorization: `Bearer ${LETTERSLOT_API_KEY}` };
const model = new Client({ name: "send-a-report", version: "0.1.0" });
await model.connect(
  new StreamableHTTPClientTransport(new URL("/mcp", LETTERSLOT_URL), { requestInit: { headers } }),
);

/** Calls a tool as a model would, and returns what it answers. */
async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent, content, isError } = await model.callTool({ name, arguments: args });
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent as Record<string, unknown>;
}

// 1. The model asks for an address. It sees a name, an id and a URL, and no byte of the file.
const upload = await call("create_upload_link", { filename: basename(FILE) });

// 2. A shell, which needs no key, puts the file there. What breaks off leaves nothing, and may be sent again.
await promisify(execFile)("curl", ["-fsSg", "-T", resolve(FILE), String(upload["put_url"])]);

// 3. The model sends the mail with its id. Repeated with the same request_id, it is the same mail.
const sent = await call("send_message", {
  ...{ to: [TO], subject: "The report", text: "Here is the report." },
  ...{ upload_ids: [upload["id"]], request_id: `report-${String(upload["id"])}` },
});
console.log(`sent ${String(sent["id"])}`);
await model.close();
