import type { calls as loadCalls } from "../load/http-load.ts";
import { inTemporaryFolder, withCleanup } from "../measure/cleanup.ts";
import { measureRequests } from "../measure/measure-requests.ts";
import { onboard } from "../measure/onboard.ts";
import { startProduct } from "../measure/product.ts";
import { startProgram } from "../measure/program.ts";
import { alternate, cpuEach, rate, ratio } from "../measure/rounds.ts";
import { summary } from "../measure/statistics.ts";
import type { Figure, Metric, Run } from "../metric.ts";

const CONNECTIONS = 16;
const MOST_TIMES = 2;
const MAILS = 20;
const TEXT = "Good morning,\n\nhere is what we talked about.\n".repeat(20);
/** The metadata that a client of the newest protocol version sends with each request. */
const PROTOCOL = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": PROTOCOL,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Calls of tools over MCP, against the HTTP calls of the same operations. */
export const mcp: Metric = {
  title: "MCP: calls of tools against the HTTP calls of the same operations",
  measure: (run) =>
    inTemporaryFolder((folder) =>
      withCleanup(async (cleanups) => {
        const load = await startProgram<typeof loadCalls>("load/http-load.ts", cleanups);
        const product = await startProduct(folder, { SMTP_PORT: "off" });
        cleanups.push(product.end);
        const { base_url, pid } = product;
        const { api_key, inbox_id, client } = await onboard(base_url);
        let message_id = "";
        for (let made = 0; made < MAILS; made++) {
          const mail = { inbox_id, from: "ada@example.com", subject: `Offer ${made}`, text: TEXT };
          message_id = (await client.messages.inject(mail)).id;
        }
        const headers = { authorization: `Bearer ${api_key}` };
        const request = { base_url, connections: CONNECTIONS };
        const get = (path: string) => (ms: number) =>
          measureRequests(load, pid, { ...request, method: "GET", paths: [path], headers, ms });
        const post =
          (path: string, body: string, more: Record<string, string>, unkeyed?: true) => (ms: number) =>
            measureRequests(load, pid, {
              ...{ ...request, method: "POST", paths: [path], headers: { ...headers, ...more }, body, ms },
              ...(unkeyed === undefined ? {} : { unkeyed }),
            });
        const tool = async (name: string, args: Record<string, unknown>) => {
          const body = bodyOf(name, args);
          await checkAnswer(`${base_url}/mcp`, body, { ...headers, ...headersOf(name) });
          return post("/mcp", body, headersOf(name), true);
        };

        const inbox = `/api/v1/inboxes/${inbox_id}`;
        const draft = { to: ["ada@example.com"], subject: "An offer", text: TEXT };
        const pairs = {
          "list 20 messages": {
            http: get(`${inbox}/messages?limit=${MAILS}&view=summary`),
            tool: await tool("list_messages", { inbox_id, limit: MAILS }),
          },
          "read a message": {
            http: get(`${inbox}/messages/${message_id}?view=marked`),
            tool: await tool("read_message", { inbox_id, message_id }),
          },
          "create a draft": {
            http: post(`${inbox}/drafts`, JSON.stringify(draft), {}),
            tool: await tool("create_draft", { inbox_id, ...draft, request_id: "{{new}}" }),
          },
        };
        const figures: Figure[] = [];
        const half: Run = { ...run, round_ms: run.round_ms / 2 };
        for (const [name, contestants] of Object.entries(pairs)) {
          const rounds = await alternate(half, contestants);
          figures.push(
            {
              ...{ name: `mcp: ${name}, tool / HTTP`, unit: "×", target: { at_most: MOST_TIMES } },
              ...ratio(rounds.http, rounds.tool),
            },
            { name: `mcp: ${name} by its tool`, unit: "/s", ...summary(rounds.tool.map(rate)) },
            { name: `mcp: CPU of the tool`, unit: "µs", ...summary(rounds.tool.map(cpuEach)) },
            { name: `mcp: CPU of its HTTP call`, unit: "µs", ...summary(rounds.http.map(cpuEach)) },
          );
        }
        return { figures };
      }),
    ),
};

const bodyOf = (name: string, args: Record<string, unknown>): string =>
  JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name, arguments: args, _meta: META },
  });

const headersOf = (name: string): Record<string, string> => ({
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": PROTOCOL,
  "mcp-method": "tools/call",
  "mcp-name": name,
});

/** A tool that fails answers 200 all the same: throws when this call does. */
async function checkAnswer(url: string, body: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  const text = await answer.text();
  const { result } = JSON.parse(text) as { result?: { isError?: boolean } };
  if (result === undefined || result.isError === true)
    throw new Error(`the tool failed: ${text.slice(0, 300)}`);
}
