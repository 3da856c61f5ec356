import type { EventType } from "@letterslot/client";
import { useState } from "preact/hooks";
import { useAct } from "../../../api/queries.ts";
import { ActForm } from "../../../ui/act.tsx";
import { Choices, SelectField, TextField, Tick } from "../../../ui/form.tsx";
import { say } from "../../../ui/toasts.tsx";
import { words } from "../../../words/index.ts";
import { useInboxes } from "../inbox-names.ts";

const text = words.operations.webhooks;
const TYPES = Object.entries(words.eventTypes) as [EventType, string][];

/** Asks where which events are to be posted. The secret goes to `onMade`. */
export function NewWebhook({ onMade, done }: { onMade: (secret: string) => void; done: () => void }) {
  const [url, setUrl] = useState("");
  const [which, setWhich] = useState("all");
  const [types, setTypes] = useState<readonly EventType[]>([]);
  const [inbox_id, setInbox] = useState("");
  const { inboxes } = useInboxes();
  const create = useAct(
    (client, input: Parameters<typeof client.webhooks.create>[0]) => client.webhooks.create(input),
    ["webhooks", "approvals"],
  );
  const add = async () => {
    const made = await create.mutateAsync({
      url: url.trim(),
      events: which === "all" ? [] : [...types],
      ...(inbox_id === "" ? {} : { inbox_id }),
    });
    if (made.object === "webhook") onMade(made.secret);
    else say(words.operations.asked);
    done();
  };
  return (
    <ActForm submit={text.add} act={add} onCancel={done}>
      <TextField
        label={text.url}
        hint={text.urlHint}
        value={url}
        onValue={setUrl}
        type="url"
        required
        autoFocus
        autocomplete="off"
      />
      <Choices
        legend={text.which}
        options={[
          { value: "all", name: text.all },
          { value: "some", name: text.some },
        ]}
        value={which}
        onValue={setWhich}
      />
      {which === "some" && (
        <fieldset class="grid gap-x-4 rounded-lg border border-line px-4 py-2 sm:grid-cols-2">
          <legend class="sr-only">{text.which}</legend>
          {TYPES.map(([type, name]) => (
            <Tick
              key={type}
              label={name}
              hint={type}
              checked={types.includes(type)}
              onValue={(on) => setTypes(on ? [...types, type] : types.filter((each) => each !== type))}
            />
          ))}
        </fieldset>
      )}
      {inboxes.length > 1 && (
        <SelectField
          label={text.inbox}
          options={[["", text.everyInbox], ...inboxes.map(({ id, email }) => [id, email] as const)]}
          value={inbox_id}
          onValue={setInbox}
        />
      )}
    </ActForm>
  );
}
