import type { Inbox } from "@letterslot/client";
import { Send } from "lucide-preact";
import { useState } from "preact/hooks";
import { useAct } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/form.tsx";
import { Sheet } from "../../ui/layout.tsx";
import { Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import type { Topic } from "./conversation.tsx";

const text = words.agent.conversation;

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
    (client, message: { text: string; task_id?: string }) =>
      client.ownerMessages.create({ inbox_id: inbox.id, ...message }),
    ["tasks", "messages", "threads"],
  );
  const submit = () => {
    if (said.trim() === "" || send.isPending) return;
    send.mutate(
      { text: said, ...(topic === null ? {} : { task_id: topic.task_id }) },
      {
        onSuccess: () => {
          setSaid("");
          onTopic(null);
        },
      },
    );
  };
  return (
    <Sheet>
      <form
        class="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
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
          value={said}
          onValue={setSaid}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        {send.error && <Problem error={send.error} />}
        <div>
          <Button
            type="submit"
            kind="primary"
            icon={Send}
            busy={send.isPending}
            disabled={said.trim() === ""}
          >
            {text.send}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}
