import { readFileSync } from "node:fs";
import { createTestService } from "@letterslot/core/testing";
import { expect, test } from "vitest";
import { callTool, type ToolResult } from "./call-tool.ts";
import { hostOf } from "./host.ts";
import { toolsOf } from "./list.ts";

const OLGA = "olga@owner.example";
type Args = Record<string, unknown>;

/**
 * Twenty everyday jobs as somebody does them who has only the tool list in hand: one inbox that is never named, a lone
 * address where a list is asked for, ids taken from the answer before. Counted is how many calls they take, and how many
 * of these are errors.
 */
test("twenty everyday jobs take the calls that docs/mcp.md says, and no error", async () => {
  const service = createTestService();
  const account = await service.signUp("ada");
  await service.addOwner(account, OLGA);
  const host = hostOf(service.letterslot, account.caller);
  const offered = new Set(toolsOf(await host.caller()).map(({ name }) => name));
  let calls = 0;
  const errors: string[] = [];
  const call = async (name: string, args: Args = {}): Promise<Args> => {
    expect(offered).toContain(name);
    calls++;
    const result: ToolResult = await callTool(host, name, args);
    if (result.isError === true) errors.push(`${name}: ${result.content[0]?.text ?? ""}`);
    return result.structuredContent ?? {};
  };
  const first = (answer: Args): Args => ((answer["data"] ?? answer["messages"]) as Args[])[0] ?? {};
  const mail = (from: string, subject: string, text: string) =>
    service.receive({ from, to: account.inbox.email, subject, text });
  await mail(OLGA, "Order paper", "Please order paper.");
  await mail("shop@shop.example", "Your order 17", "It was shipped. Your verification code is 482913.");

  const jobs: Record<string, () => Promise<unknown>> = {
    "who am I": () => call("get_identity"),
    "what is my address": () => call("list_inboxes"),
    "what am I to do": () => call("list_tasks"),
    "take a task and finish it": async () => {
      const { claim_token, task } = await call("claim_task");
      await call("complete_task", { task_id: (task as Args)["id"], claim_token, result: { sheets: 500 } });
    },
    "what is done": () => call("list_tasks", { status: "done" }),
    "what came in": () => call("list_messages"),
    "read the newest": async () =>
      call("read_message", { message_id: first(await call("list_messages"))["id"] }),
    "find a mail": () => call("search_messages", { q: "paper" }),
    "why was it trusted": async () =>
      call("explain_message", { message_id: first(await call("search_messages", { q: "paper" }))["id"] }),
    "send a mail": () =>
      call("send_message", { to: "orders@paper.example", subject: "Paper", text: "500 sheets, please." }),
    "try a mail without sending it": () =>
      call("check_message", { to: "orders@paper.example", text: "Hello." }),
    "answer a mail": async () =>
      call("reply_to_message", {
        message_id: first(await call("search_messages", { q: "order" }))["id"],
        text: "Thanks.",
      }),
    "forward a mail": async () =>
      call("forward_message", {
        message_id: first(await call("search_messages", { q: "shipped" }))["id"],
        to: OLGA,
      }),
    "label a mail": async () =>
      call("label_messages", {
        message_ids: first(await call("search_messages", { q: "shipped" }))["id"],
        add_labels: "shipping",
      }),
    "get a code": () => call("wait_for_code", { wait: 0 }),
    "read a conversation": async () =>
      call("read_thread", { thread_id: first(await call("list_threads"))["id"] }),
    "write a draft and send it": async () => {
      const { id } = await call("create_draft", { to: OLGA, subject: "Report", text: "All is well." });
      await call("send_draft", { draft_id: id });
    },
    "tell the owner how it goes": () =>
      call("post_update", { kind: "progress", text: "The paper is ordered." }),
    "ask the owner": () =>
      call("ask_owner", { text: "Which paper?", question: { type: "choice", options: ["White", "Grey"] } }),
    "who may give orders": () => call("list_owners"),
  };
  for (const job of Object.values(jobs)) await job();
  expect(errors).toEqual([]);
  const page = readFileSync(new URL("../../../../docs/mcp.md", import.meta.url), "utf8");
  expect(page).toContain(
    `**${Object.keys(jobs).length} everyday jobs take ${calls} calls, and none of them is an error**`,
  );
});
