import type { Attachment, Inbox, Task, Update } from "@letterslot/client";
import { Paperclip } from "lucide-preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer, usePages } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Chip, type Tone } from "../../ui/chip.tsx";
import { shown, written } from "../../ui/shown.ts";
import { When } from "../../ui/small.tsx";
import { Answer, Empty, Problem } from "../../ui/states.tsx";
import { fileSize, words } from "../../words/index.ts";
import { Compose, type Topic } from "./compose.tsx";
import { Question } from "./question.tsx";

const text = words.agent.conversation;
const LOOK_EVERY_MS = 15_000;

type Line = { at: string } & ({ task: Task } | { update: Update });

/**
 * What people gave the agent to do, and what it reported and asked, in one stream with the newest at its foot; or one
 * question in sight, wherever it stands.
 */
export function Conversation({ inbox, update_id }: { inbox: Inbox; update_id?: string | undefined }) {
  const { caller } = useCaller();
  const inbox_id = inbox.id;
  const tasks = usePages(["tasks", inbox_id, "conversation"], (client, cursor) =>
    client.tasks.list({ inbox_id, status: "all", limit: 30, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const updates = usePages(["updates", inbox_id], (client, cursor) =>
    client.updates.list({ inbox_id, limit: 30, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const sought = useAnswer(
    ["updates", inbox_id, "one", update_id],
    (client) => client.updates.get({ inbox_id, update_id: update_id ?? "" }),
    update_id !== undefined,
  );
  const { refetch } = updates;
  useEffect(() => {
    // An update that nobody is mailed at once makes no event.
    const timer = setInterval(() => void refetch(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [refetch]);
  const [topic, setTopic] = useState<Topic | null>(null);
  const filesOf = useFilesOf(inbox_id, tasks.items);
  const lines = linesOf(tasks, updates);
  const isThere = lines.some((line) => "update" in line && line.update.id === update_id);
  const newest = lines.at(-1)?.at;
  const foot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (newest !== undefined && update_id === undefined) foot.current?.scrollIntoView({ block: "end" });
  }, [newest, update_id]);
  const older = () => {
    for (const each of [tasks, updates]) if (each.hasNextPage) void each.fetchNextPage();
  };
  return (
    <Answer of={tasks}>
      {() => (
        <Answer of={updates}>
          {() => (
            <>
              {sought.error && <Problem error={sought.error} />}
              {sought.data && !isThere && (
                <ul class="grid">
                  <Told key={sought.data.id} update={sought.data} inbox={inbox} onTopic={setTopic} sought />
                </ul>
              )}
              {(tasks.hasNextPage || updates.hasNextPage) && (
                <div class="flex justify-center">
                  <Button small busy={tasks.isFetchingNextPage || updates.isFetchingNextPage} onClick={older}>
                    {text.older}
                  </Button>
                </div>
              )}
              {lines.length === 0 && <Empty title={text.empty.title}>{text.empty.text}</Empty>}
              <ol class="grid gap-4" aria-label={text.lines}>
                {lines.map((line) =>
                  "task" in line ? (
                    <Said
                      key={line.task.id}
                      task={line.task}
                      files={filesOf.get(line.task.message_id ?? "") ?? []}
                      onTopic={setTopic}
                    />
                  ) : (
                    <Told
                      key={line.update.id}
                      update={line.update}
                      inbox={inbox}
                      onTopic={setTopic}
                      sought={line.update.id === update_id}
                    />
                  ),
                )}
              </ol>
              <div ref={foot} />
              {caller.kind === "person" && <Compose inbox={inbox} topic={topic} onTopic={setTopic} />}
            </>
          )}
        </Answer>
      )}
    </Answer>
  );
}

type Pages<T> = { items: T[]; hasNextPage: boolean };

/** Both in the order of time; what is older than the oldest that is known of the other isn't shown yet. */
function linesOf(tasks: Pages<Task>, updates: Pages<Update>): Line[] {
  const since = [tasks, updates]
    .filter(({ hasNextPage }) => hasNextPage)
    .map(({ items }) => items.at(-1)?.created_at ?? "")
    .reduce((latest, at) => (at > latest ? at : latest), "");
  return [
    // An answer stands with its question.
    ...tasks.items
      .toReversed()
      .filter(({ origin }) => origin === "mail")
      .map((task) => ({ at: task.created_at, task })),
    ...updates.items.toReversed().map((update) => ({ at: update.created_at, update })),
  ]
    .filter(({ at }) => at >= since)
    .sort((one, other) => one.at.localeCompare(other.at));
}

/** A call takes no more of them. */
const MOST_AT_ONCE = 100;

/** The files that came with what people said, by the ids of their messages: of the newest, with one call. */
function useFilesOf(inbox_id: string, tasks: readonly Task[]): ReadonlyMap<string, Attachment[]> {
  const { caller } = useCaller();
  const ids = tasks.flatMap(({ message_id, origin }) => (origin === "mail" ? (message_id ?? []) : []));
  const message_ids = [...new Set(ids)].slice(0, MOST_AT_ONCE);
  const found = useAnswer(
    ["messages", inbox_id, "files", message_ids],
    (client) => client.messages.batchGet({ inbox_id, message_ids, view: "summary" }),
    message_ids.length > 0 && may(caller, "message_read"),
  );
  return new Map(found.data?.data.map(({ id, attachments }) => [id, attachments]));
}

function Said({
  task,
  files,
  onTopic,
}: {
  task: Task;
  files: readonly Attachment[];
  onTopic: (topic: Topic) => void;
}) {
  const { caller } = useCaller();
  const mine = caller.kind === "person" && task.sender?.toLowerCase() === caller.session.email.toLowerCase();
  return (
    <li class="ml-8 grid justify-items-end gap-1 justify-self-end sm:ml-24">
      <p class="flex flex-wrap items-center justify-end gap-2 text-xs text-soft">
        <span class="font-semibold">{mine ? text.you : shown(task.sender)}</span>
        <When at={task.created_at} />
        {!task.trusted && <Chip tone="problem">{text.untrusted}</Chip>}
      </p>
      <div class="rounded-sheet rounded-tr-sm bg-accent px-4 py-2.5 whitespace-pre-wrap text-on-accent">
        {written(task.text)}
      </div>
      {files.length > 0 && (
        <ul class="flex flex-wrap justify-end gap-2" aria-label={words.agent.files.came}>
          {files.map(({ id, filename, size_bytes }) => (
            <li key={id} class="min-w-0">
              <a
                href={`#/inboxes/${task.inbox_id}/threads/${task.thread_id}`}
                class="flex min-h-9 min-w-0 items-center gap-2 rounded-lg border border-line bg-sheet px-3 py-1.5 text-sm text-ink no-underline hover:bg-paper"
              >
                <Paperclip size={16} class="shrink-0 text-soft" aria-hidden="true" />
                <span class="truncate">{shown(filename)}</span>
                <span class="shrink-0 text-soft">{fileSize(size_bytes)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <p class="flex flex-wrap items-center justify-end gap-2 text-xs text-soft">
        {text.taskStates[task.status]}
        {caller.kind === "person" && (
          <Button
            small
            kind="plain"
            class="-me-3"
            onClick={() => onTopic({ task_id: task.task_id ?? task.id, subject: task.subject })}
          >
            {text.addTo}
          </Button>
        )}
      </p>
    </li>
  );
}

const TONES: Record<Update["kind"], Tone> = {
  progress: "progress",
  needs_input: "question",
  done: "done",
  error: "problem",
};

function Told({
  update,
  inbox,
  onTopic,
  sought,
}: {
  update: Update;
  inbox: Inbox;
  onTopic: (topic: Topic) => void;
  /** It is what one came for. */
  sought: boolean;
}) {
  const { caller } = useCaller();
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!sought) return;
    // After the heading, which a change of the view gives the focus.
    const timer = setTimeout(() => {
      line.current?.scrollIntoView({ block: "center" });
      // No choice itself: a key that is held down would take it.
      const answer = line.current?.querySelector<HTMLElement>("[data-answer], form :is(input, textarea)");
      (answer ?? line.current)?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [sought]);
  const { kind, title, status, links, task_id, question, created_at } = update;
  return (
    <li
      ref={line}
      tabIndex={sought ? -1 : undefined}
      class="mr-8 grid justify-self-start gap-1 outline-none sm:mr-24"
    >
      <p class="flex flex-wrap items-center gap-2 text-xs text-soft">
        <span class="font-semibold">{shown(inbox.display_name ?? inbox.email)}</span>
        <When at={created_at} />
        <Chip tone={TONES[kind]}>{text.kinds[kind]}</Chip>
        {status !== null && <span>{status}</span>}
      </p>
      <div class="grid gap-2 rounded-sheet rounded-tl-sm border border-line bg-sheet px-4 py-2.5">
        {title !== null && <p class="font-semibold">{shown(title)}</p>}
        <p class="whitespace-pre-wrap">{written(update.text)}</p>
        {links.map(({ label, url }) => (
          <a key={url} href={url} target="_blank" rel="noopener noreferrer">
            {shown(label)}
          </a>
        ))}
        {question !== null && <Question update={update} question={question} />}
      </div>
      {caller.kind === "person" && task_id !== null && (
        <div>
          <Button
            small
            kind="plain"
            class="-ms-3"
            onClick={() => onTopic({ task_id, subject: title ?? update.text.slice(0, 60) })}
          >
            {text.addTo}
          </Button>
        </div>
      )}
    </li>
  );
}
