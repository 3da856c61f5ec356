import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { createTextExtraction } from "../packages/text-extraction/src/index.ts";
import { builtMcpProgram } from "./support/built-programs.ts";
import { connectMcp, LINES, type Line, type McpClient, type McpTarget } from "./support/mcp-clients.ts";

const main = await builtMcpProgram();
const OWNER = "olga@owner.example";

let textExtraction: ReturnType<typeof createTextExtraction>;
let served: Served;
let signed_up = 0;

beforeAll(async () => {
  textExtraction = createTextExtraction();
  served = await serve({ config: { textExtraction } });
});
afterAll(() => Promise.all([served.close(), textExtraction.close()]));

const WAYS: [string, Line, (api_key: string) => McpTarget][] = [
  ...LINES.map((line): [string, Line, (api_key: string) => McpTarget] => [
    `over HTTP, ${line}`,
    line,
    (api_key) => ({ url: `${served.base_url}/mcp`, headers: { authorization: `Bearer ${api_key}` } }),
  ]),
  [
    "over standard input and output",
    "newest",
    (api_key) => ({
      command: process.execPath,
      args: [main],
      env: { BASE_URL: served.base_url, API_KEY: api_key },
    }),
  ],
];

test.each(WAYS)("every tool does its work for a client %s", async (_, line, targetFor) => {
  // An owner is asked for their word three times a day, an account is opened 30 times an hour.
  await served.clock.advance(25 * 3600_000);
  const account = await served.signUp(`tools${(signed_up += 1)}`);
  await served.addOwner(account, OWNER);
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  await as.phoneNumbers.create({ inbox_id, area_code: "415" });
  const receive = (from: string, subject: string) =>
    served.receive({ from, to: inbox.email, subject, text: "Your code is 493817." });
  const mail = await receive("eve@shop.example", "Code");
  const message_id = mail.results[0]?.message_id ?? "";
  const { thread_id } = await as.messages.get({ inbox_id, message_id });
  const filed = await as.messages.inject({
    ...{ inbox_id, from: "eve@shop.example", subject: "With a file", text: "See the file." },
    attachments: [
      {
        filename: "plan.txt",
        content_type: "text/plain",
        content_base64: Buffer.from("inside").toString("base64"),
      },
    ],
  });
  const client = await connectMcp(line, targetFor(account.api_key));
  const done = await callAll(client, {
    inbox_id,
    message_id,
    thread_id,
    filed: filed.id,
    attachment_id: filed.attachments[0]?.id ?? "",
    giveTask: () => receive(OWNER, "A task"),
    async hold() {
      await as.inboxes.update({ inbox_id, send_mode: "approval" });
      const held = await as.messages.send({ inbox_id, to: ["a@example.org"], subject: "Offer", text: "Hi." });
      await as.inboxes.update({ inbox_id, send_mode: "direct" });
      return held.object === "draft" ? (held.approval_id ?? "") : "";
    },
  });
  const { tools } = await client.client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => !done.has(name))).toEqual([]);
  await client.close();
});

interface Place {
  inbox_id: string;
  message_id: string;
  thread_id: string;
  filed: string;
  attachment_id: string;
  giveTask(): Promise<unknown>;
  /** Has a mail wait for an owner; the approval's id. */
  hold(): Promise<string>;
}

/** Calls every tool, each to some effect; the names of those that were called. */
async function callAll({ call }: McpClient, place: Place): Promise<Set<string>> {
  const { inbox_id, message_id, thread_id } = place;
  const done = new Set<string>();
  const use = async (tool: string, args: Record<string, unknown> = {}) => {
    const answer = await call(tool, args);
    expect(answer.isError === true ? [tool, answer.content[0]?.text] : []).toEqual([]);
    done.add(tool);
    return answer.structuredContent as Record<string, never> & { id: string };
  };
  const one = { inbox_id, message_id };
  const mail = { inbox_id, subject: "Hello", text: "Hello.", to: ["b@example.org"] };

  await use("get_identity");
  await use("list_inboxes");
  await use("create_inbox", { username: `made${signed_up}`, request_id: "inbox" });
  await use("wait_for_mail", { inbox_id, wait: 0 });
  await use("wait_for_code", { inbox_id, wait: 0 });
  const expected = await use("expect_mail", { inbox_id, kind: "code", request_id: "expect" });
  await use("wait_for_expectation", { inbox_id, expectation_id: expected.id, wait: 0 });
  await use("list_messages", { inbox_id });
  await use("read_message", one);
  await use("explain_message", one);
  await use("label_messages", { inbox_id, message_ids: [message_id], add_labels: ["seen"] });
  await use("list_threads");
  await use("read_thread", { inbox_id, thread_id });
  await use("read_attachment", { inbox_id, message_id: place.filed, attachment_id: place.attachment_id });
  await use("get_download_link", {
    ...{ inbox_id, message_id: place.filed, attachment_id: place.attachment_id },
  });
  await use("create_upload_link", { inbox_id, filename: "plan.pdf" });
  await use("search_messages", { q: "code" });
  expect(await use("check_message", mail)).toMatchObject({ would: "send" });
  const first = await use("send_message", { ...mail, request_id: "mail" });
  expect(await use("send_message", { ...mail, request_id: "mail" })).toMatchObject({ id: first.id });
  await use("reply_to_message", { ...one, text: "Fine.", request_id: "reply" });
  await use("forward_message", { ...one, to: ["c@example.org"], request_id: "forward" });
  await use("send_sms", { inbox_id, to: "+14155550199", text: "Hello." });
  await use("place_call", { inbox_id, to: "+14155550199", say: "Hello." });

  const draft = await use("create_draft", { ...mail, request_id: "draft" });
  await use("list_drafts");
  await use("get_draft", { inbox_id, draft_id: draft.id });
  await use("update_draft", { inbox_id, draft_id: draft.id, subject: "Changed" });
  await use("send_draft", { inbox_id, draft_id: draft.id, request_id: "send" });
  const approval_id = await place.hold();
  await use("list_approvals");
  await use("get_approval", { approval_id });

  await use("list_owners", { inbox_id });
  await use("list_allowlist", { inbox_id });
  await use("post_update", { inbox_id, kind: "progress", text: "Half is done.", request_id: "update" });
  await use("ask_owner", {
    inbox_id,
    text: "Go on?",
    question: { type: "choice", options: ["Yes", "No"] },
    request_id: "ask",
  });
  await use("list_updates", { inbox_id });

  await place.giveTask();
  const { data } = (await use("wait_for_task", { wait: 0 })) as unknown as { data?: { id: string }[] };
  expect(data).not.toEqual([]);
  const list = JSON.stringify(await use("list_tasks"));
  const task_id = /tsk_[0-9a-z]{20}/.exec(list)?.[0] ?? "";
  await use("get_task", { task_id });
  await use("update_task", { task_id, status: "pending" });
  await use("reply_to_task", { task_id, text: "Done.", request_id: "done" });
  for (const [tool, rest] of [
    ["complete_task", {}],
    ["fail_task", { reason: "Out of paper." }],
  ] as const) {
    await place.giveTask();
    const claimed = JSON.parse(JSON.stringify(await use("claim_task"))) as Record<string, unknown>;
    const { task, claim_token } = claimed as { task: { id: string }; claim_token: string };
    await use(tool, { task_id: task.id, claim_token, ...rest });
  }
  return done;
}
