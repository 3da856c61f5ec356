import { useState } from "preact/hooks";
import { useAct, usePages } from "../../../api/queries.ts";
import { ActButton, ActForm } from "../../../ui/act.tsx";
import { TextField } from "../../../ui/form.tsx";
import { Row } from "../../../ui/layout.tsx";
import { Listing } from "../../../ui/listing.tsx";
import { Note, When } from "../../../ui/small.tsx";
import { say } from "../../../ui/toasts.tsx";
import { words } from "../../../words/index.ts";

const text = words.mailOperations.lists;

/** The directions that have lists, in the order of their tabs. */
export const DIRECTIONS = ["receive", "reply", "send"] as const;
type Direction = (typeof DIRECTIONS)[number];

interface Which {
  direction: Direction;
  type: "allow" | "block";
  /** Null: the account's. */
  inbox_id: string | null;
}

/** One list, with a form that adds to it. What is removed can be put back. */
export function OneList({ mayWrite, ...which }: Which & { mayWrite: boolean }) {
  const { direction, type, inbox_id } = which;
  const entries = usePages(["lists", direction, type, inbox_id], (client, cursor) => {
    const page = { direction, type, limit: 50, ...(cursor === undefined ? {} : { cursor }) };
    return inbox_id === null ? client.lists.list(page) : client.lists.listForInbox({ ...page, inbox_id });
  });
  const { add, remove } = useChanges(which);
  const make = mayWrite && {
    label: text.add[type],
    form: (done: () => void) => <Add which={which} done={done} />,
  };
  return (
    <div class="grid gap-2">
      <Listing title={text.types[type]} of={entries} empty={text.empty[type]} make={make} heading>
        {({ id, entry, reason, made_by, created_at }) => (
          <Row
            key={id}
            title={entry}
            detail={[reason, text.by[made_by === "person" ? "person" : "key"]].filter(Boolean).join(" · ")}
            meta={<When at={created_at} />}
            action={
              mayWrite && (
                <ActButton
                  act={async () => {
                    await remove.mutateAsync(id);
                    say(text.removed(entry), () =>
                      add.mutateAsync({ entry, ...(reason === null ? {} : { reason }) }),
                    );
                  }}
                >
                  {text.remove}
                </ActButton>
              )
            }
          />
        )}
      </Listing>
      {type === "allow" && entries.items.length > 0 && <Note tone="approval">{text.exclusive}</Note>}
    </div>
  );
}

function useChanges({ direction, type, inbox_id }: Which) {
  const changed = ["lists", "contacts"];
  const add = useAct(
    (client, entry: { entry: string; reason?: string }) =>
      inbox_id === null
        ? client.lists.create({ direction, type, ...entry })
        : client.lists.createForInbox({ inbox_id, direction, type, ...entry }),
    changed,
  );
  const remove = useAct(
    (client, entry: string) =>
      inbox_id === null
        ? client.lists.delete({ direction, type, entry })
        : client.lists.deleteForInbox({ inbox_id, direction, type, entry }),
    changed,
  );
  return { add, remove };
}

function Add({ which, done }: { which: Which; done: () => void }) {
  const [entry, setEntry] = useState("");
  const [reason, setReason] = useState("");
  const { add, remove } = useChanges(which);
  const save = async () => {
    const why = reason.trim();
    const made = await add.mutateAsync({ entry: entry.trim(), ...(why === "" ? {} : { reason: why }) });
    say(text.added(entry.trim()), () => remove.mutateAsync(made.id));
    done();
  };
  return (
    <ActForm submit={text.add[which.type]} act={save} onCancel={done}>
      <TextField
        label={text.entry}
        hint={text.entryHint}
        value={entry}
        onValue={setEntry}
        required
        autoFocus
        autocomplete="off"
        autocapitalize="off"
      />
      <TextField
        label={text.reason}
        hint={text.reasonHint}
        value={reason}
        onValue={setReason}
        maxLength={200}
      />
    </ActForm>
  );
}
