import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { forAnthropic, forOpenAI, loadTools } from "@letterslot/client/tools";
import { systemClock } from "@letterslot/core/ports";
import { createTestService, type TestService } from "@letterslot/core/testing";
import { createApp } from "@letterslot/server";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doTasks } from "./ai-sdk.ts";
import { type Ask, runWithAnthropic, runWithOpenAI } from "./functions.ts";

let service: TestService<typeof systemClock>;
let http: ReturnType<typeof serve>;
let server: { baseUrl: string; apiKey: string };
let mailed: () => Promise<string>;

beforeAll(async () => {
  service = createTestService({ clock: systemClock });
  const account = await service.signUp();
  await service.addOwner(account, "grace@example.org");
  http = serve({
    fetch: createApp({ letterslot: service.letterslot }).fetch,
    port: 0,
    hostname: "127.0.0.1",
  });
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  server = { baseUrl: `http://127.0.0.1:${port}`, apiKey: account.api_key };
  let count = 0;
  mailed = async () => {
    const subject = `Count ${++count}`;
    await service.receive({
      from: "grace@example.org",
      to: account.inbox.email,
      subject,
      text: "one two three",
    });
    return subject;
  };
});
afterAll(() => void http.close());

/** Returns the mails sent to the owner about a task. */
async function answersTo(subject: string): Promise<string[]> {
  await service.work();
  return service.transport.sent
    .map(({ raw }) => new TextDecoder().decode(raw))
    .filter((raw) => raw.includes(`Subject: Re: ${subject}\r\n`));
}

const idIn = (text: string): string => /tsk_[0-9a-z]{20}/.exec(text)?.[0] ?? "no task";

/** A model's script: looks for the tasks, answers the first, and says what it did. */
const SCRIPT = [
  () => ({ text: "", calls: [{ id: "1", name: "list_tasks", args: {} }] }),
  (said: string) => ({
    text: "",
    calls: [
      {
        id: "2",
        name: "reply_to_task",
        args: { task_id: idIn(said), text: "There are 3 words.", status: "done" },
      },
    ],
  }),
  (said: string) => ({ text: `Done: ${said}`, calls: [] }),
];

test("a model on the Vercel AI SDK does an owner's task", async () => {
  const subject = await mailed();
  const finish = (unified: "tool-calls" | "stop") => ({ unified, raw: undefined });
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  let turn = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { text, calls } = SCRIPT[turn++]?.(JSON.stringify(prompt.at(-1))) ?? { text: "", calls: [] };
      return {
        content: [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...calls.map(({ id, name, args }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: name,
            input: JSON.stringify(args),
          })),
        ],
        finishReason: finish(calls.length === 0 ? "stop" : "tool-calls"),
        usage,
        warnings: [],
      };
    },
  });
  expect(await doTasks(model, server)).toMatch(/^Done:/);
  expect(model.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toContain("reply_to_message");
  expect(await answersTo(subject)).toEqual([expect.stringContaining("There are 3 words.")]);
});

test.each([
  ["OpenAI", (ask: Ask<unknown>) => runWithOpenAI(server, ask), JSON.stringify],
  ["Anthropic", (ask: Ask<unknown>) => runWithAnthropic(server, ask), (args: object) => ({ ...args })],
])("a model with functions in the form of %s does an owner's task", async (_, run, write) => {
  const subject = await mailed();
  let turn = 0;
  const ask: Ask<unknown> = async (_tools, results) => {
    const { text, calls } = SCRIPT[turn++]?.(results[0]?.text ?? "") ?? { text: "", calls: [] };
    return { text, calls: calls.map(({ id, name, args }) => ({ id, name, args: write(args) })) };
  };
  expect(await run(ask)).toMatch(/^Done:/);
  expect(await answersTo(subject)).toEqual([expect.stringContaining("There are 3 words.")]);
});

test("the same tools have the form that each provider takes", async () => {
  const tools = await loadTools({ ...server, names: ["read_message"] });
  expect(forOpenAI(tools)).toEqual([
    {
      type: "function",
      function: {
        name: "read_message",
        description: expect.any(String),
        parameters: expect.objectContaining({
          type: "object",
          required: expect.arrayContaining(["message_id"]),
        }),
      },
    },
  ]);
  expect(forAnthropic(tools)).toEqual([
    {
      name: "read_message",
      description: expect.any(String),
      input_schema: expect.objectContaining({ type: "object" }),
    },
  ]);
});
