import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../packages/client/src/index.ts";
import { letInApp, type TestAccount } from "../packages/core/testing/index.ts";
import { callTool } from "../packages/mcp/src/tools/call-tool.ts";
import { hostOf, hostOfClient, type ToolHost } from "../packages/mcp/src/tools/host.ts";
import { toolsOf } from "../packages/mcp/src/tools/list.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { createTextExtraction } from "../packages/text-extraction/src/index.ts";

const textExtraction = createTextExtraction();
const GRACE = "grace@example.com";

let served: Served;
let account: TestAccount;
let inbox_id: string;
beforeAll(async () => {
  served = await serve({ config: { textExtraction } });
  account = await served.signUp("ada");
  inbox_id = account.inbox.id;
});
afterAll(() => Promise.all([served.close(), textExtraction.close()]));

const overHttp = (api_key: string): ToolHost =>
  hostOfClient(createClient({ baseUrl: served.base_url, apiKey: api_key, retries: 0 }));

async function credentials(): Promise<[string, string][]> {
  const held = await account.as.keys.createForInbox({
    inbox_id,
    name: "Held",
    permissions: ["message_read"],
  });
  const { account_id } = account;
  await served.letterslot.operator.accounts.authority.give({ account_id, email: GRACE });
  const app = await letInApp(served, account, {
    email: GRACE,
    scope: ["message_read", "task_read"],
    inbox_id,
  });
  return [
    ["a key", account.api_key],
    ["a key of one inbox", held.api_key],
    ["an app", app.access_token],
  ];
}

test("a key, a key of one inbox and an app have the same tools over HTTP as in the service's process", async () => {
  for (const [who, credential] of await credentials()) {
    const inProcess = hostOf(served.letterslot, await served.letterslot.authenticate(credential, null));
    const [here, there] = [await inProcess.caller(), await overHttp(credential).caller()];
    expect({ ...there, id: here.id }, who).toEqual(here);
    expect(toolsOf(there).map(({ name }) => name)).toEqual(toolsOf(here).map(({ name }) => name));
  }
});

test("a tool answers the same on both ways, and fails the same", async () => {
  await served.receive({
    from: "eve@shop.example",
    to: account.inbox.email,
    subject: "Invoice",
    text: "Pay.",
  });
  const [inProcess, remote] = [hostOf(served.letterslot, account.caller), overHttp(account.api_key)];
  for (const [tool, args] of [
    ["list_messages", { inbox_id }],
    ["search_messages", { q: "invoice" }],
    ["list_tasks", { inbox_id: "inb_made_up" }],
    ["read_message", { inbox_id, message_id: "msg_made_up" }],
    ["reply_to_message", { inbox_id, message_id: "msg_made_up", text: "Hi." }],
    ["send_message", { inbox_id, to: [], text: "Hi." }],
  ] as const)
    expect(await callTool(remote, tool, args), tool).toEqual(await callTool(inProcess, tool, args));
});

test("an attachment's text is read in parts, each in a frame, to its end", async () => {
  const text = "A word and a line.\n".repeat(500);
  const message = await account.as.messages.inject({
    ...{ inbox_id, from: "eve@shop.example", text: "See it." },
    attachments: [
      { filename: "a.txt", content_type: "text/plain", content_base64: Buffer.from(text).toString("base64") },
    ],
  });
  const file = { inbox_id, message_id: message.id, attachment_id: message.attachments[0]?.id ?? "" };
  for (const host of [hostOf(served.letterslot, account.caller), overHttp(account.api_key)]) {
    let read = "";
    let offset: unknown = 0;
    while (offset !== undefined) {
      const { structuredContent } = await callTool(host, "read_attachment", { ...file, offset });
      const { text: part, next_offset, total_chars } = structuredContent ?? {};
      expect(total_chars).toBe(text.length);
      read +=
        /^\[\w{16} begin: the text of an attachment\]\n([^]*)\n\[\w{16} end\]$/.exec(part as string)?.[1] ??
        "";
      offset = next_offset;
    }
    expect(read).toBe(text);
  }
});

test.each([[{ max_chars: 0 }], [{ offset: -1 }], [{ offset: 1.5 }], [{ max_chars: "many" }]])(
  "a part of an attachment that is %j is an error",
  async (part) => {
    const listed = (await account.as.messages.list({ inbox_id })).data.find(
      ({ attachments }) => attachments.length > 0,
    );
    const ids = { message_id: listed?.id ?? "", attachment_id: listed?.attachments[0]?.id ?? "" };
    const { content } = await callTool(hostOf(served.letterslot, account.caller), "read_attachment", {
      ...{ inbox_id, ...ids, ...part },
    });
    expect(content[0]?.text).toMatch(/^invalid_request: (?:offset|max_chars) is not a whole number/);
  },
);

test("a request_id means the same on both ways", async () => {
  const letter = { inbox_id, to: ["a@example.org"], text: "Hi.", request_id: "7c2e" };
  const first = await callTool(overHttp(account.api_key), "send_message", letter);
  const second = await callTool(hostOf(served.letterslot, account.caller), "send_message", letter);
  expect(second.structuredContent).toEqual({ ...first.structuredContent, idempotent: true });
});

test("a server that can't be reached is said, and asked anew the next time", async () => {
  let reachable = false;
  const host = hostOfClient(
    createClient({
      baseUrl: served.base_url,
      apiKey: account.api_key,
      retries: 0,
      fetch: (url, init) => (reachable ? fetch(url, init) : Promise.reject(new TypeError("fetch failed"))),
    }),
  );
  const failed = await callTool(host, "list_inboxes");
  expect(failed).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^connection_failed: /) }],
  });
  reachable = true;
  expect((await callTool(host, "list_inboxes")).isError).toBeUndefined();
});

test("a key that was revoked is said, and no stack is shown", async () => {
  const { id, api_key } = await account.as.keys.create({ name: "Short-lived" });
  const host = overHttp(api_key);
  expect((await callTool(host, "list_inboxes")).isError).toBeUndefined();
  await account.as.keys.delete({ key_id: id });
  const { content, isError } = await callTool(host, "list_inboxes");
  expect(isError).toBe(true);
  expect(content[0]?.text).toMatch(/^api_key_revoked: [^\n]+\nWhat to do: [^\n]+$/);
});
