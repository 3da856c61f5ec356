import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { freePort, linesOf, runLine, start, type, untilItAnswers } from "./installed-project.ts";
import { ROOT } from "./run-command.ts";

/** The block of docs/getting-started.md that begins with this line: what serves, onboards and connects a model. */
const FIRST_LINE = "npm install @letterslot/cli";
const INBOX = "ada@letterslot.localhost";
const START_MS = 60_000;

/**
 * Runs the six lines of docs/getting-started.md in a project: the command is installed, serves and onboards, the owner confirms with the
 * code from her letter, and an MCP client that runs `letterslot mcp` finds, reads and answers her task. Besides the
 * mail that the lines make up, one comes in that is signed by the owner's domain, which is simulated.
 */
export async function trySixLines(project: string): Promise<void> {
  const [install = "", serve = "", init = "", confirm = "", inject = "", connect = "", ...more] = linesOf(
    "docs/getting-started.md",
    FIRST_LINE,
  );
  if (more.length > 0) throw new Error(`docs/getting-started.md has six lines that begin with ${FIRST_LINE}`);
  const [port, smtp_port, dns_port, owner_port] = await Promise.all(Array.from({ length: 4 }, freePort));
  const base_url = `http://localhost:${port}`;
  // Only the environment of a shell: the workspace's own settings must not decide.
  const { PATH = "" } = process.env;
  const shell = { PATH, HOME: project, LETTERSLOT_URL: base_url, npm_config_update_notifier: "false" };
  await runLine(install, project);

  const settings = { PORT: `${port}`, SMTP_PORT: `${smtp_port}`, DNS_SERVER: `127.0.0.1:${dns_port}` };
  const server = start("sh", ["-c", `exec ${serve.replace(/ &$/, "")}`], project, { ...shell, ...settings });
  const outside = { PORT: `${owner_port}`, SMTP_PORT: `${smtp_port}`, DNS_PORT: `${dns_port}` };
  const owner = start("node", [join(ROOT, "packages/outside-world/src/main.ts")], ROOT, {
    ...shell,
    ...outside,
  });
  try {
    await untilItAnswers(server, `${base_url}/readyz`);
    await type(init, project, shell);
    await type(confirm.replace("…", await codeFrom(project)), project, shell);
    await type(inject, project, shell);
    await sendSigned(`http://127.0.0.1:${owner_port}`);
    await answerTasks(connect.split(" -- ")[1] ?? "", project, shell);
    await untilSent(project);
  } finally {
    for (const each of [server, owner]) await each.stop();
  }
}

/** The code in the owner's letter, which the server captured in its data folder. */
async function codeFrom(project: string): Promise<string> {
  for (const end = Date.now() + START_MS; Date.now() < end; await setTimeout(100))
    for (const mail of mailsIn(project)) {
      const [, code] = /minutes:\s+(\d{6})\s/.exec(mail) ?? [];
      if (code !== undefined) return code;
    }
  throw new Error("no letter with a code was captured");
}

/** The mail that the server captured instead of sending it. */
const mailsIn = (project: string): string[] =>
  globSync("data/outbox/*.eml", { cwd: project }).map((file) => readFileSync(join(project, file), "utf8"));

async function sendSigned(owner_url: string): Promise<void> {
  const body = new URLSearchParams({ to: INBOX, subject: "Pens", text: "Please order pens, too." });
  const { status, statusText } = await fetch(owner_url, { method: "POST", body });
  if (status !== 200) throw new Error(`the owner's mail was refused: ${status} ${statusText}`);
}

/** Plays the model: finds both tasks, reads the mail of the one that is proven to be the owner's, and answers it. */
async function answerTasks(command_line: string, cwd: string, env: Record<string, string>): Promise<void> {
  const [command = "", ...args] = command_line.split(" ");
  const client = new Client({ name: "model", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd, env }));
  try {
    const call = async (name: string, args_of_tool: Record<string, unknown>) => {
      const answer = await client.callTool({ name, arguments: args_of_tool });
      const facts = answer.structuredContent as { data?: TaskFacts[] } | undefined;
      if (answer.isError === true || facts === undefined)
        throw new Error(`${name} answered ${JSON.stringify(answer.content)}`);
      return { facts, text: JSON.stringify(answer.content) };
    };
    const { data: tasks = [] } = (await call("list_tasks", {})).facts;
    const proven = tasks.find(({ trusted }) => trusted);
    if (tasks.length !== 2 || proven === undefined)
      throw new Error(`a model sees these tasks: ${JSON.stringify(tasks)}`);
    const { text } = await call("read_message", {
      inbox_id: proven.inbox_id,
      message_id: proven.message_id,
    });
    if (!text.includes("Please order pens, too.")) throw new Error(`a model reads this mail: ${text}`);
    await call("reply_to_task", {
      task_id: proven.id,
      text: "Ordered.",
      status: "done",
      request_id: "answer-1",
    });
  } finally {
    await client.close();
  }
}

interface TaskFacts {
  id: string;
  inbox_id: string;
  message_id: string;
  trusted: boolean;
}

async function untilSent(project: string): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await setTimeout(100))
    if (mailsIn(project).some((mail) => mail.includes("\r\nSubject: Re: Pens\r\n"))) return;
  throw new Error("no answer to the owner was captured");
}
