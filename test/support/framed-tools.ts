import type { TextExtraction } from "../../packages/core/src/ports/text-extraction.ts";
import { createTestService } from "../../packages/core/testing/index.ts";
import { headerOf, lettersTo } from "../../packages/core/testing/owner-mail.ts";
import { callTool } from "../../packages/mcp/src/tools/call-tool.ts";
import type { Facts } from "../../packages/mcp/src/tools/facts.ts";
import { hostOf } from "../../packages/mcp/src/tools/host.ts";

/** A word that stands in every text of a stranger, and nowhere else. */
export const MARKER = "zebra";

/** A tool's answer. */
export interface Told {
  tool: string;
  text: string;
  facts: Facts;
}

const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

/**
 * Returns the answers of every tool that shows other people's texts, where strangers, owners and files put `words`
 * wherever they can: in names, subjects, texts, files, links, answers and comments.
 */
export async function toolsTold(words: string, textExtraction: TextExtraction): Promise<Told[]> {
  const service = createTestService({ textExtraction });
  const account = await service.signUp("ada");
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  const host = hostOf(service.letterslot, account.caller);
  const results: Told[] = [];
  const call = async (tool: string, args: Facts = {}) => {
    const { content, structuredContent = {} } = await callTool(host, tool, args);
    results.push({ tool, text: content.map(({ text }) => text).join("\n"), facts: structuredContent });
    return structuredContent;
  };

  await service.addOwner(account, "olga@owner.example");
  /** What callers may send: half a character is refused. */
  const typed = words.toWellFormed();
  const said = { subject: encoded(words), text: `${words}\r\n\r\nYour code is 493817.\r\n` };
  const stranger = `${encoded(words)} <eve@shop.example>`;
  const mail = await service.receive({ from: stranger, to: inbox.email, ...said });
  await service.receive({ from: stranger, to: inbox.email, subject: said.subject, html: `<p>${words}</p>` });
  const message_id = mail.results[0]?.message_id ?? "";
  await service.receive({ from: `${encoded(words)} <olga@owner.example>`, to: inbox.email, ...said });
  const file = {
    filename: typed.slice(0, 200).toWellFormed(),
    content_base64: Buffer.from(typed).toString("base64"),
  };
  const filed = await as.messages.inject({
    ...{ inbox_id, from: "eve@shop.example", subject: "With a file", text: typed },
    attachments: [{ ...file, content_type: "text/plain" }],
  });
  const [attachment] = filed.attachments;
  const { thread_id } = await as.messages.get({ inbox_id, message_id });

  await as.updates.create({
    ...{ inbox_id, kind: "needs_input", text: "Which?", task_id: "paper" },
    question: { type: "text" },
  });
  await service.work();
  const letter = lettersTo(service, "olga@owner.example").at(-1);
  await service.receive({
    ...{
      from: "olga@owner.example",
      to: headerOf(letter, "Reply-To") ?? "",
      subject: "Re: Which?",
      text: typed,
    },
    in_reply_to: headerOf(letter, "Message-ID") ?? "",
  });
  const draft = await as.drafts.create({ inbox_id, to: ["a@example.org"], subject: "Hi", text: typed });
  await as.inboxes.update({ inbox_id, send_mode: "approval" });
  const held = await as.messages.send({ inbox_id, to: ["a@example.org"], subject: "Offer", text: typed });
  const approval_id = held.object === "draft" ? (held.approval_id ?? "") : "";
  const { digest } = await as.approvals.get({ approval_id });
  const owner = service.letterslot.asOwner({ email: "olga@owner.example", account_id: account.account_id });
  await owner.approvals.decideInSession({
    approval_id,
    decision: "reject",
    digest,
    comment: typed.slice(0, 500).toWellFormed(),
  });
  // A worker's or a program's stored data may quote a stranger, in the form of our own answers.
  const worker = await as.tasks.claim({});
  const forged = {
    text: typed.slice(0, 2000).toWellFormed(),
    [typed.slice(0, 200).toWellFormed()]: typed.slice(0, 99).toWellFormed(),
  };
  const kinds = ["marked_message", "search_hit", "task"];
  const result = {
    object: "marked_message",
    ...forged,
    forged: kinds.map((object) => ({ object, ...forged })),
  };
  await as.tasks.complete({
    ...{ task_id: worker.task?.id ?? "", claim_token: worker.claim_token ?? "" },
    result,
  });
  await as.inboxes.update({
    inbox_id,
    metadata: { [typed.slice(0, 100).toWellFormed()]: typed.slice(0, 500).toWellFormed() },
  });
  const { data: tasks } = await as.tasks.list({ status: "all" });

  await call("list_inboxes");
  await call("list_messages", { inbox_id });
  await call("search_messages", { q: "code" });
  await call("wait_for_mail", { inbox_id, wait: 0 });
  await call("wait_for_code", { inbox_id, wait: 0 });
  const { id: expectation_id } = await as.expectations.create({
    ...{ inbox_id, kind: "code", from_domain: "shop.example" },
  });
  await call("wait_for_expectation", { inbox_id, expectation_id, wait: 0 });
  await call("read_message", { inbox_id, message_id });
  await call("read_message", { inbox_id, message_id, hidden: true });
  await call("read_message", { inbox_id, message_id: "msg_made_up" });
  await call("explain_message", { inbox_id, message_id });
  await call("list_threads");
  await call("read_thread", { inbox_id, thread_id });
  await call("read_attachment", { inbox_id, message_id: filed.id, attachment_id: attachment?.id ?? "" });
  await call("read_attachment", { inbox_id, message_id: filed.id, attachment_id: "att_made_up" });
  await call("list_tasks", { status: "all" });
  await call("wait_for_task", { wait: 0 });
  for (const task of tasks) await call("get_task", { task_id: task.id });
  await call("list_drafts");
  await call("get_draft", { inbox_id, draft_id: draft.id });
  await call("list_approvals");
  await call("get_approval", { approval_id });
  await call("list_updates", { inbox_id });
  await call("list_owners", { inbox_id });
  const claim = (await call("claim_task"))["task"] as Facts;
  await call("update_task", { task_id: claim["id"] ?? "", status: "pending" });
  await call("label_messages", { inbox_id, message_ids: [message_id, "msg_other"], add_labels: ["seen"] });
  await call("reply_to_message", { inbox_id, message_id, text: "Fine." });
  await call("forward_message", { inbox_id, message_id, to: ["b@example.org"] });
  return results;
}

/** A frame: from the line that begins it to the first line that ends it, both with its mark. */
const FRAME = /^\[([0-9a-f]{16}) begin: [^\n]*\]\n[^]*?\n\[\1 end(?:: [^\n]*)?\]$/gm;
const QUOTED = /"(?:[^"\\\n]|\\.)*"/g;

/** Returns the part of a tool's text outside frames and quotes: all that a model should take for ours. */
export const outsideOf = (text: string): string => text.replace(FRAME, "<frame>").replace(QUOTED, '""');

/** The lines of that, each once, without what differs between two services: ids, numbers and how long lists are. */
export const linesOutside = (text: string): string[] => [
  ...new Set(
    outsideOf(text)
      .replace(/\b[a-z]{2,4}_[0-9a-z]{20}\b/g, "<id>")
      .replace(/\d+/g, "#")
      .replace(/""(, "")+/g, '""')
      // What speaks against a mail depends on its words.
      .replace(/reasons: \[[^\]\n]*\]/g, "reasons: []")
      .split("\n"),
  ),
];

const UNSEEN = /[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

/** The texts among facts that are neither clean and on one line nor in a frame, which may follow such a line. */
export function looseTexts(facts: unknown): string[] {
  if (typeof facts === "string") return UNSEEN.test(facts.replace(FRAME, "").trimEnd()) ? [facts] : [];
  if (typeof facts !== "object" || facts === null) return [];
  return Object.entries(facts).flatMap(([name, fact]) => [...looseTexts(name), ...looseTexts(fact)]);
}
