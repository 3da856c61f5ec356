import type { Inbox, Task } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { queries, refresh, useAct, usePages } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Section, Sheet } from "../../ui/layout.tsx";
import { shown, written } from "../../ui/shown.ts";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty, Problem } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";

const text = words.agent.tasks;
const COLUMNS = ["pending", "in_progress", "done"] as const;

/** What the agent is to do, does and did. */
export function Tasks({ inbox }: { inbox: Inbox }) {
  const pending = useTasks(inbox.id, "pending");
  const in_progress = useTasks(inbox.id, "in_progress");
  const done = useTasks(inbox.id, "done");
  const columns = { pending, in_progress, done };
  if (COLUMNS.every((status) => columns[status].data !== undefined && columns[status].items.length === 0))
    return <Empty title={text.empty.title}>{text.empty.text}</Empty>;
  return (
    <div class="grid items-start gap-5 lg:grid-cols-3">
      {COLUMNS.map((status) => (
        <Column key={status} status={status} tasks={columns[status]} />
      ))}
    </div>
  );
}

const useTasks = (inbox_id: string, status: Task["status"]) =>
  usePages(["tasks", inbox_id, status], (client, cursor) =>
    client.tasks.list({ inbox_id, status, limit: 20, ...(cursor === undefined ? {} : { cursor }) }),
  );

function Column({ status, tasks }: { status: Task["status"]; tasks: ReturnType<typeof useTasks> }) {
  return (
    <Section title={text.columns[status]} {...(tasks.data ? { count: tasks.items.length } : {})}>
      <Answer of={tasks} rows={2}>
        {() => (
          <>
            {tasks.items.length === 0 && <p class="text-sm text-soft">{text.none}</p>}
            <ul class="grid gap-3">
              {tasks.items.map((task) => (
                <li key={task.id}>
                  <Card task={task} />
                </li>
              ))}
            </ul>
            <MorePages of={tasks} />
          </>
        )}
      </Answer>
    </Section>
  );
}

function Card({ task }: { task: Task }) {
  const { caller } = useCaller();
  const { id, inbox_id, thread_id, subject, sender, origin, status, claim, attempts, last_error, result } =
    task;
  // The card goes to another column, and with it what it could say.
  const move = useAct(
    async (client, to: Task["status"]) => {
      await client.tasks.update({ task_id: id, status: to });
      say(text.moved[to], async () => {
        await client.tasks.update({ task_id: id, status });
        await refresh(queries, ["tasks"]);
      });
    },
    ["tasks"],
  );
  return (
    <Sheet>
      <div class="grid gap-2">
        <p class="flex items-start justify-between gap-2">
          <strong class="min-w-0 leading-snug">{shown(subject) || words.noSubject}</strong>
          {!task.trusted && <Chip tone="problem">{text.untrusted}</Chip>}
        </p>
        <p class="text-xs text-soft">
          {sender === null || origin !== "mail" ? text.origins[origin] : text.from(shown(sender))} ·{" "}
          <When at={task.created_at} />
        </p>
        <p class="line-clamp-3 text-sm whitespace-pre-wrap">{written(task.text)}</p>
        {claim !== null && (
          <p class="text-sm text-question">
            {text.lease} <When at={claim.expires_at} form="relative" />
          </p>
        )}
        {attempts > 1 && <p class="text-xs text-soft">{text.attempts(attempts)}</p>}
        {last_error !== null && <p class="text-sm text-problem">{text.failed(last_error)}</p>}
        {result != null && (
          <details>
            <summary class="flex min-h-9 items-center text-sm font-semibold">{text.result}</summary>
            <pre class="max-h-60 overflow-auto font-mono text-xs whitespace-pre-wrap" tabIndex={0}>
              {typeof result === "string" ? result : JSON.stringify(result, null, 2)}
            </pre>
          </details>
        )}
        <div class="flex flex-wrap items-center gap-2">
          {may(caller, "task_write") &&
            COLUMNS.filter((to) => to !== status).map((to) => (
              <Button
                key={to}
                small
                busy={move.isPending && move.variables === to}
                onClick={() => move.mutate(to)}
              >
                {text.move[to]}
              </Button>
            ))}
          {thread_id !== null && may(caller, "message_read") && (
            <a class="text-sm" href={`#/inboxes/${inbox_id}/threads/${thread_id}`}>
              {text.open}
            </a>
          )}
        </div>
        {move.error && <Problem error={move.error} />}
      </div>
    </Sheet>
  );
}
