import type { Client, Task } from "@letterslot/client";
import { commandOf } from "../catalogue/command-of.ts";
import { INBOX, inboxIdOf } from "../catalogue/inbox.ts";
import { readWords } from "../catalogue/letter.ts";
import { defineCommand, type Group } from "../frame/command.ts";
import { wrongUse } from "../frame/exit.ts";
import { cell, type Shown } from "../frame/output.ts";
import { columnsOf } from "../present/columns.ts";
import { WAIT_OPTION, waitFor } from "./wait-for.ts";

const list = commandOf("tasks.list", {
  without: ["wait"],
  examples: ["letterslot tasks list --status pending", "letterslot tasks list --json | jq -r .subject"],
});

const get = commandOf("tasks.get", {
  summary: "Shows a task with its text",
  args: ["task_id"],
  examples: ["letterslot tasks get tsk_…"],
});

const claim = defineCommand({
  summary: "Takes the oldest pending task, for you alone",
  about:
    "While its lease lasts no other worker gets it. Then: letterslot tasks reply and letterslot tasks done, both with the claim token that is shown here.",
  options: {
    inbox: { ...INBOX, about: "only this inbox's tasks; all by default" },
    lease_seconds: { kind: "whole", about: "how long you hold it, from 1 to 43200 seconds" },
    timeout: { ...WAIT_OPTION, about: "how many seconds to wait for one; 0 by default" },
  },
  examples: ["letterslot tasks claim", "letterslot tasks claim --timeout 600 --lease-seconds 900 --json"],
  async run(context, { inbox, lease_seconds, timeout = 0 }) {
    const connection = await context.connect();
    const { client } = connection;
    const { signal, output } = context;
    const input = {
      ...(inbox === undefined ? {} : { inbox_id: await inboxIdOf(connection, context, inbox) }),
      ...(lease_seconds === undefined ? {} : { lease_seconds }),
    };
    const claimed = await waitFor(context, { timeout, most: 25, what: "pending task" }, async (wait) => {
      const answer = await client.tasks.claim({ ...input, wait }, { signal });
      return answer.task === null ? undefined : answer;
    });
    await output.record({ ...claimed });
  },
});

const reply = commandOf("tasks.reply", {
  summary: "Writes back to whoever gave the task",
  args: ["task_id"],
  options: {
    text_file: {
      kind: "text",
      about: "the file that has the text; - is standard input",
      placeholder: "file",
    },
  },
  async input(context, { text_file, ...given }) {
    if (text_file === undefined) return given;
    if (given["text"] !== undefined) throw wrongUse("Give --text or --text-file, not both.");
    return { ...given, text: await readWords(context, text_file as string) };
  },
  show: ({ output }, answer) =>
    output.done(`Answered: ${cell((answer["message"] as Shown | null)?.["id"])}`, answer),
  examples: ["letterslot tasks reply tsk_… --text 'Done.' --status done"],
});

const done = defineCommand({
  summary: "Says that a task is done",
  about:
    "With the claim token of letterslot tasks claim it also takes a result; without one the task's status changes.",
  args: { task_id: { kind: "text", about: "the task's id", required: true } },
  options: {
    claim_token: { kind: "text", about: "the token that claiming it gave", placeholder: "token" },
    result: { kind: "json", about: "what came of it; needs --claim-token" },
  },
  examples: [
    "letterslot tasks done tsk_…",
    "letterslot tasks done tsk_… --claim-token … --result '{\"invoice\": 17}'",
  ],
  async run(context, { task_id, claim_token, result }) {
    const { client } = await context.connect();
    const { signal, output } = context;
    if (claim_token === undefined && result !== undefined)
      throw wrongUse("A result needs the --claim-token.");
    const task: Task =
      claim_token === undefined
        ? await client.tasks.update({ task_id, status: "done" }, { signal })
        : await client.tasks.complete(
            { task_id, claim_token, ...(result === undefined ? {} : { result }) },
            { signal },
          );
    await output.done(`Done: ${task.id}`, task);
  },
});

const fail = commandOf("tasks.fail", {
  summary: "Gives a claimed task back, with the reason",
  args: ["task_id"],
  examples: ["letterslot tasks fail tsk_… --claim-token … --reason 'The shop is closed today.'"],
});

const watch = defineCommand({
  summary: "Shows tasks as they come, until Ctrl-C",
  options: { existing: { kind: "flag", about: "begin with the tasks that are pending now" } },
  examples: ["letterslot tasks watch", "letterslot tasks watch --existing --json"],
  async run(context, { existing }) {
    const { client } = await context.connect();
    await context.output.follow(comingTasks(client, context.signal, existing), columnsOf({ object: "task" }));
  },
});

/** Tasks as they come, none missed and none twice; first those that are pending, if `existing`. */
async function* comingTasks(client: Client, signal: AbortSignal, existing: boolean): AsyncGenerator<Shown> {
  const shown = new Set<string>();
  const opened = Promise.withResolvers<void>();
  const stream = client.tasks.stream({}, { signal, onOpen: opened.resolve });
  const first = stream.next();
  await Promise.race([opened.promise, first]);
  if (existing) {
    for await (const task of client.tasks.list({ status: "pending" }, { signal })) {
      shown.add(task.id);
      yield task;
    }
  }
  for (let next = await first; next.done !== true; next = await stream.next()) {
    const event = next.value;
    if (event.type !== "task.received" || shown.has(event.data.task.id)) continue;
    yield event.data.task;
  }
}

/** `letterslot tasks`. */
export const command: Group = {
  summary: "What owners ask for: list, claim, answer, finish, watch",
  examples: ["letterslot tasks list", "letterslot tasks watch"],
  commands: { list, get, claim, reply, done, fail, watch },
};
