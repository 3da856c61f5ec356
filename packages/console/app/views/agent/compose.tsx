import { LIMITS } from "virtual:limits";
import type { Inbox } from "@letterslot/client";
import { Send } from "lucide-preact";
import { useState } from "preact/hooks";
import { useAct } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/form.tsx";
import { Sheet } from "../../ui/layout.tsx";
import { Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { FileList, PickFiles } from "./files.tsx";
import { type Attached, useFiles } from "./use-files.ts";

const text = words.agent.conversation;

/** What a person adds to when they write: a task of theirs, or what updates are about. */
export interface Topic {
  task_id: string;
  subject: string;
}

/** Where a person writes to the agent: it becomes a trusted task. */
export function Compose({
  inbox,
  topic,
  onTopic,
}: {
  inbox: Inbox;
  topic: Topic | null;
  onTopic: (topic: Topic | null) => void;
}) {
  const [said, setSaid] = useState("");
  const send = useAct(
    // What is sent comes with the press: a mutation may still have the closure of the render before.
    (client, message: { text: string; task_id?: string; upload_ids: string[] }) =>
      client.ownerMessages.create({ inbox_id: inbox.id, ...message }),
    ["tasks", "messages", "threads"],
  );
  const attaching = useFiles(inbox.id);
  const { files, add } = attaching;
  const [dragged, setDragged] = useState(false);
  const missing = whatIsMissing(said, files);
  const submit = () => {
    if (said.trim() === "" || missing !== null || send.isPending) return;
    const upload_ids = files.flatMap(({ upload_id }) => upload_id ?? []);
    send.mutate(
      { text: said, upload_ids, ...(topic === null ? {} : { task_id: topic.task_id }) },
      {
        onSuccess: () => {
          setSaid("");
          attaching.clear(upload_ids);
          onTopic(null);
        },
      },
    );
  };
  return (
    <Sheet>
      <form
        class="relative grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onDragOver={(event) => {
          if (event.dataTransfer?.types.includes("Files") !== true) return;
          event.preventDefault();
          setDragged(true);
        }}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget as Node | null)) setDragged(false);
        }}
        onDrop={(event) => {
          if (event.dataTransfer?.types.includes("Files") !== true) return;
          event.preventDefault();
          setDragged(false);
          add(event.dataTransfer.files);
        }}
      >
        {dragged && (
          <p class="pointer-events-none absolute -inset-2 z-10 grid place-items-center rounded-lg border-2 border-dashed border-accent bg-sheet/90 font-semibold">
            {words.agent.files.drop}
          </p>
        )}
        {topic !== null && (
          <p class="flex flex-wrap items-center justify-between gap-2 text-sm">
            <span class="min-w-0">{text.about(topic.subject)}</span>
            <Button small kind="plain" onClick={() => onTopic(null)}>
              {text.notAbout}
            </Button>
          </p>
        )}
        <TextArea
          key={topic?.task_id}
          focused={topic !== null}
          label={text.write}
          hint={text.hint}
          rows={3}
          maxLength={LIMITS.owner_message_chars}
          value={said}
          onValue={setSaid}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData?.files ?? [];
            // Office programs put a picture of the text beside it.
            if (pasted.length === 0 || event.clipboardData?.types.includes("text/plain") === true) return;
            event.preventDefault();
            add(pasted);
          }}
        />
        <FileList of={attaching} />
        {send.error && <Problem error={send.error} />}
        <div class="flex flex-wrap items-center gap-2">
          <Button
            type="submit"
            kind="primary"
            icon={Send}
            busy={send.isPending}
            disabled={said.trim() === "" || missing !== null}
          >
            {text.send}
          </Button>
          <PickFiles of={attaching} />
          {missing !== null && <p class="text-sm text-soft">{missing}</p>}
        </div>
      </form>
    </Sheet>
  );
}

/** Why a message with files can't be sent yet; null where nothing is missing. */
function whatIsMissing(said: string, files: readonly Attached[]): string | null {
  const is = (...states: Attached["state"][]) => files.some(({ state }) => states.includes(state));
  if (is("failed", "refused")) return words.agent.files.settle;
  if (is("waiting", "sending")) return words.agent.files.wait;
  return files.length > 0 && said.trim() === "" ? words.agent.files.sayWhat : null;
}
