import { createTestService, type TestAccount } from "@letterslot/core/testing";
import { beforeAll, expect, test } from "vitest";
import { serveRequests } from "./http.ts";
import { answerPlainCall, isPlainCall } from "./plain-call.ts";
import { createMcpServer } from "./protocol.ts";
import { hostOf, type ToolHost } from "./tools/host.ts";

const REVISION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

let account: TestAccount;
let host: ToolHost;
beforeAll(async () => {
  const service = createTestService();
  account = await service.signUp("ada");
  host = hostOf(service.letterslot, account.caller);
  await service.receive({ from: "eve@shop.example", to: account.inbox.email, subject: "Hi", text: "Hello." });
});

type Json = Record<string, unknown>;

/** A call of a tool in the newest revision, with parts of its message, params and headers changed. */
function posted(name: string, args: unknown, change: { message?: Json; params?: Json; headers?: Json } = {}) {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
    "mcp-method": "tools/call",
    "mcp-name": name,
    ...change.headers,
  };
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const posting = new Request("http://localhost/mcp", { method: "POST", headers: given });
  return {
    headers: posting.headers,
    signal: posting.signal,
    request: () => posting,
    message: {
      ...{ jsonrpc: "2.0", id: 7, method: "tools/call" },
      params: { name, arguments: args, _meta: META, ...change.params },
      ...change.message,
    } as Json,
  };
}

test.each<[string, () => ReturnType<typeof posted>, boolean]>([
  ["a call", () => posted("list_inboxes", {}), true],
  ["a call without arguments", () => posted("list_inboxes", undefined), true],
  ["a call with a text for its id", () => posted("list_inboxes", {}, { message: { id: "a" } }), true],
  ["a call of a tool that isn't there", () => posted("list_outboxes", {}), false],
  ["a call of a tool that waits", () => posted("wait_for_mail", { wait: 5 }), false],
  ["a call with a list for its arguments", () => posted("list_inboxes", []), false],
  ["a call with null for its arguments", () => posted("list_inboxes", null), false],
  [
    "a call that asks for progress",
    () => posted("list_inboxes", {}, { params: { _meta: { ...META, progressToken: 0 } } }),
    false,
  ],
  ["a call as a task", () => posted("list_inboxes", {}, { params: { task: {} } }), false],
  ["a call without _meta", () => posted("list_inboxes", {}, { params: { _meta: undefined } }), false],
  ["a call without an id", () => posted("list_inboxes", {}, { message: { id: undefined } }), false],
  ["a call with null for its id", () => posted("list_inboxes", {}, { message: { id: null } }), false],
  ["a call with a fraction for its id", () => posted("list_inboxes", {}, { message: { id: 1.5 } }), false],
  ["a call with more than a call has", () => posted("list_inboxes", {}, { message: { extra: 1 } }), false],
  [
    "a call with a very long _meta",
    () =>
      posted("list_inboxes", {}, { params: { _meta: { ...META, "example.com/note": "x".repeat(2_000) } } }),
    false,
  ],
  [
    "a call whose _meta is incomplete",
    () =>
      posted(
        "list_inboxes",
        {},
        { params: { _meta: { "io.modelcontextprotocol/protocolVersion": REVISION } } },
      ),
    false,
  ],
  ["a call that isn't JSON-RPC", () => posted("list_inboxes", {}, { message: { jsonrpc: "1.0" } }), false],
  [
    "a call in another revision",
    () => posted("list_inboxes", {}, { headers: { "mcp-protocol-version": "2025-11-25" } }),
    false,
  ],
  [
    "a call whose message names another revision",
    () =>
      posted(
        "list_inboxes",
        {},
        { params: { _meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2027-01-01" } } },
      ),
    false,
  ],
  [
    "a call whose header names another tool",
    () => posted("list_inboxes", {}, { headers: { "mcp-name": "get_identity" } }),
    false,
  ],
  [
    "a call whose header names no tool",
    () => posted("list_inboxes", {}, { headers: { "mcp-name": undefined } }),
    false,
  ],
  [
    "a call whose header names another method",
    () => posted("list_inboxes", {}, { headers: { "mcp-method": "tools/list" } }),
    false,
  ],
  ["a list of tools", () => posted("list_inboxes", {}, { message: { method: "tools/list" } }), false],
])("%s: plain or not", (_, make, plain) => {
  expect(isPlainCall(make())).toBe(plain);
});

/** An answer, but for ids, marks and times that differ from one call to the next. */
async function told(answer: Response) {
  const body = (await answer.text())
    .replaceAll(/\b[a-z]{3}_[0-9a-z]{20}\b/g, "ID")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "MARK")
    .replaceAll(/\d\d:\d\d\.\d{3}Z/g, "Z");
  const type = answer.headers.get("content-type");
  return { status: answer.status, type, body: JSON.parse(body) as unknown };
}

test.each<[string, string, () => unknown]>([
  ["what it lists", "list_messages", () => ({ inbox_id: account.inbox.id })],
  ["who calls", "get_identity", () => undefined],
  [
    "what it made",
    "create_draft",
    () => ({ inbox_id: account.inbox.id, to: ["bo@example.com"], text: "Hi." }),
  ],
  ["what is wrong", "list_messages", () => ({ inbox_id: account.inbox.id, colour: "red" })],
  ["that there is nothing", "read_message", () => ({ inbox_id: account.inbox.id, message_id: "msg_1" })],
])("a plain call is answered as the library's server answers: %s", async (_, name, args) => {
  const whole = serveRequests(createMcpServer, {});
  const exchange = () => ({ ...posted(name, args()), host, open: async () => host });
  const plain = exchange();
  expect(isPlainCall(plain)).toBe(true);
  const answers = [await told(await answerPlainCall(plain)), await told(await whole.answer(exchange()))];
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ status: 200, body: { id: 7, result: { resultType: "complete" } } });
});
