import { describe, expect, test } from "vitest";
import { callTool, loadTools } from "./index.ts";

interface Seen {
  url: string;
  headers: Record<string, string>;
  message: { method: string; params: { name?: string; arguments?: Record<string, unknown> } };
}

const LISTED = [
  {
    name: "read_message",
    description: "Read a mail.",
    inputSchema: { type: "object", properties: { message_id: { type: "string" } } },
    annotations: { readOnlyHint: true },
  },
  {
    name: "send_message",
    description: "Send a mail.",
    inputSchema: { type: "object", properties: { to: { type: "string" }, request_id: { type: "string" } } },
  },
  { name: "update_task", inputSchema: { type: "object", properties: { task_id: { type: "string" } } } },
];

/** A server that lists three tools; `answers` are those to calls, the last one again and again. */
function serverOf(answers: (() => Response)[]) {
  const seen: Seen[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const message = JSON.parse(init.body as string) as Seen["message"];
    seen.push({ url, headers: init.headers as Record<string, string>, message });
    if (message.method === "tools/list") return result({ tools: LISTED });
    return ((answers.length > 1 ? answers.shift() : answers[0]) ?? (() => result({})))();
  };
  const calls = () => seen.filter(({ message }) => message.method === "tools/call");
  return { fetch, seen, calls, baseUrl: "http://letterslot.test/mail", apiKey: "ls_test_1" };
}

const result = (value: object) => Response.json({ jsonrpc: "2.0", id: 1, result: value });
const said =
  (text: string, more: object = {}) =>
  () =>
    result({ content: [{ type: "text", text }], ...more });
const down = () => new Response("", { status: 503, headers: { "retry-after": "0" } });
const lost = (): Response => {
  throw new TypeError("fetch failed");
};

describe("the tools of a key", () => {
  test("are asked for at /mcp below the server's address, with the key", async () => {
    const server = serverOf([]);
    const tools = await loadTools(server);
    expect(server.seen).toMatchObject([
      {
        url: "http://letterslot.test/mail/mcp",
        headers: {
          authorization: "Bearer ls_test_1",
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        message: { method: "tools/list" },
      },
    ]);
    expect(tools.map(({ name, hints }) => [name, hints])).toEqual([
      ["read_message", { readOnlyHint: true }],
      ["send_message", {}],
      ["update_task", {}],
    ]);
  });

  test("can be chosen by name; one that isn't offered is an error that names those that are", async () => {
    const server = serverOf([]);
    expect(await loadTools({ ...server, names: ["send_message"] })).toHaveLength(1);
    await expect(loadTools({ ...server, names: ["send_message", "burn_mail"] })).rejects.toMatchObject({
      code: "unknown_tool",
      message: "The key may not use burn_mail. It may use read_message, send_message, update_task.",
    });
  });
});

describe("a call", () => {
  test("returns words and facts, and says whether it failed", async () => {
    const server = serverOf([
      said("Hello", { structuredContent: { id: "msg_1" } }),
      said("No such message.", { isError: true }),
    ]);
    const tools = await loadTools(server);
    const read = () => callTool(tools, "read_message", { message_id: "1" });
    expect(await read()).toEqual({ text: "Hello", data: { id: "msg_1" }, is_error: false });
    expect(await read()).toEqual({ text: "No such message.", is_error: true });
  });

  test.each([
    ["that only reads", "read_message", [down, lost, said("Hello")], 3],
    ["with a request_id", "send_message", [down, lost, said("Sent")], 3],
  ])("%s is repeated after a lost answer, each time the same", async (_, name, answers, count) => {
    const server = serverOf(answers);
    const tools = await loadTools({ ...server, retries: 2 });
    expect(await callTool(tools, name, {})).toMatchObject({ is_error: false });
    expect(server.calls()).toHaveLength(count);
    expect(new Set(server.calls().map(({ message }) => JSON.stringify(message))).size).toBe(1);
  });

  test("that changes something and has no request_id is not repeated", async () => {
    const server = serverOf([lost]);
    const tools = await loadTools({ ...server, retries: 2 });
    await expect(callTool(tools, "update_task", { task_id: "1" })).rejects.toMatchObject({
      code: "connection_failed",
    });
    expect(server.calls()).toHaveLength(1);
  });

  test("has a request_id of its own, unless the model gave one", async () => {
    const server = serverOf([said("Sent")]);
    const tools = await loadTools(server);
    await callTool(tools, "send_message", { to: "a@example.com" });
    await callTool(tools, "send_message", { to: "a@example.com" });
    await callTool(tools, "send_message", { to: "a@example.com", request_id: "mine" });
    const ids = server.calls().map(({ message }) => message.params.arguments?.["request_id"]);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe("mine");
  });

  test.each([
    ["JSON of an object", "{}", false],
    ["nothing, which is no arguments", "", false],
    ["JSON of a list", "[]", true],
    ["half of a JSON", `{"message_id":`, true],
  ])("takes arguments as models write them: %s", async (_, args, is_error) => {
    const tools = await loadTools(serverOf([said("Hello")]));
    expect(await callTool(tools, "read_message", args)).toMatchObject({ is_error });
  });

  test("of a tool that isn't there tells the model which are", async () => {
    const tools = await loadTools(serverOf([]));
    expect(await callTool(tools, "burn_mail", {})).toEqual({
      text: 'There is no tool "burn_mail". Use one of: read_message, send_message, update_task.',
      is_error: true,
    });
  });

  test("throws what went wrong with the connection, the key or the protocol", async () => {
    const refused = () =>
      Response.json({ error: { code: "invalid_api_key", message: "No such key." } }, { status: 401 });
    const confused = () =>
      Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32600, message: "Not so." } });
    for (const [answer, error] of [
      [refused, { code: "invalid_api_key", status: 401 }],
      [confused, { code: "unexpected_answer", message: "Not so." }],
    ] as const) {
      const tools = await loadTools(serverOf([answer]));
      await expect(callTool(tools, "read_message", {})).rejects.toMatchObject(error);
    }
  });

  test("ends with its signal", async () => {
    const tools = await loadTools(serverOf([said("Hello")]));
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(tools[0]?.call({}, { signal })).rejects.toThrow("enough");
  });
});
