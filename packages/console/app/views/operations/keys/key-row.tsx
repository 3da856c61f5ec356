import type { Key } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { useAct } from "../../../api/queries.ts";
import { ActForm } from "../../../ui/act.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { ConfirmButton } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/form.tsx";
import { Facts } from "../../../ui/layout.tsx";
import { Opens } from "../../../ui/opens.tsx";
import { When } from "../../../ui/small.tsx";
import { say } from "../../../ui/toasts.tsx";
import { number, words } from "../../../words/index.ts";
import { Rights } from "./rights.tsx";
import { descendantsOf, works } from "./tree.ts";

const text = words.operations.keys;

/** One key: what it is for, and opened what it may do. */
export function KeyRow({
  record,
  depth,
  all,
  inboxName,
}: {
  record: Key;
  depth: number;
  all: readonly Key[];
  inboxName: (id: string) => string;
}) {
  const { caller } = useCaller();
  const { id, name, prefix, inbox_id, permissions, last_used_at, revoked_at } = record;
  const isOwn = caller.kind === "key" && caller.me.key?.id === id;
  return (
    <Opens
      depth={depth}
      title={name}
      meta={last_used_at !== null && <When at={last_used_at} />}
      detail={
        <>
          <span class="font-mono text-xs">{prefix}…</span>
          <span>{permissions === null ? text.everything : text.count(permissions.length)}</span>
          {inbox_id !== null && <span class="min-w-0 truncate">{inboxName(inbox_id)}</span>}
          {isOwn && <Chip tone="done">{text.yours}</Chip>}
          {!works(record) && <Chip>{revoked_at === null ? text.over : text.gone}</Chip>}
        </>
      }
    >
      {() => (
        <>
          <About record={record} all={all} inboxName={inboxName} />
          {works(record) && (isOwn || may(caller, "key_write")) && (
            <Acts record={record} all={all} endsDescendants={caller.kind === "person"} />
          )}
        </>
      )}
    </Opens>
  );
}

function About({
  record,
  all,
  inboxName,
}: {
  record: Key;
  all: readonly Key[];
  inboxName: (id: string) => string;
}) {
  const { prefix, inbox_id, permissions, created_at, last_used_at, expires_at, parent_key_id } = record;
  const parent = all.find(({ id }) => id === parent_key_id);
  const budget = budgetWords(record.budget);
  return (
    <Facts
      facts={[
        [text.facts.prefix, <span key="prefix" class="font-mono text-sm">{`${prefix}…`}</span>],
        [text.facts.inbox, inbox_id === null ? text.everywhere : inboxName(inbox_id)],
        [
          text.facts.rights,
          permissions === null ? text.everything : <Rights key="rights" names={permissions} />,
        ],
        budget !== "" && [text.facts.budget, budget],
        parent_key_id !== null && [text.facts.parent, parent?.name ?? parent_key_id],
        [text.facts.created, <When key="created" at={created_at} form="long" />],
        [
          text.facts.used,
          last_used_at === null ? text.neverUsed : <When key="used" at={last_used_at} form="relative" />,
        ],
        [
          text.facts.expires,
          expires_at === null ? text.never : <When key="expires" at={expires_at} form="long" />,
        ],
      ]}
    />
  );
}

function budgetWords(budget: Key["budget"]): string {
  if (budget === null) return "";
  const { sends_per_day, new_recipients_per_day, recipient_domains, hours } = budget;
  return [
    sends_per_day !== undefined && text.sends(number(sends_per_day)),
    new_recipients_per_day !== undefined && text.fresh(number(new_recipients_per_day)),
    recipient_domains !== undefined && text.onlyTo(recipient_domains.join(", ")),
    hours !== undefined && text.between(hours.from, hours.to, hours.time_zone),
  ]
    .filter((part) => part !== false)
    .join(", ");
}

function Acts({
  record: { id: key_id, name },
  all,
  endsDescendants,
}: {
  record: Key;
  all: readonly Key[];
  endsDescendants: boolean;
}) {
  const [renaming, setRenaming] = useState(false);
  const revoke = useAct((client) => client.keys.delete({ key_id }), ["keys"]);
  const descendants = descendantsOf(key_id, all).filter((key) => works(key));
  const names = descendants.map((key) => key.name).join(", ");
  const detail =
    descendants.length === 0
      ? text.revokeAlone
      : endsDescendants
        ? text.revokeWith(descendants.length, names)
        : text.revokeOnly(names);
  if (renaming) return <Rename key_id={key_id} name={name} done={() => setRenaming(false)} />;
  return (
    <div class="flex flex-wrap gap-2">
      <Button small onClick={() => setRenaming(true)}>
        {text.rename}
      </Button>
      <ConfirmButton
        label={text.revoke}
        question={text.revokeQuestion(name)}
        detail={detail}
        act={async () => {
          const { keys_revoked = 1 } = await revoke.mutateAsync(undefined);
          say(text.revoked(keys_revoked));
        }}
      />
    </div>
  );
}

function Rename({ key_id, name: before, done }: { key_id: string; name: string; done: () => void }) {
  const [name, setName] = useState(before);
  const rename = useAct((client, to: string) => client.keys.update({ key_id, name: to }), ["keys"]);
  const save = async () => {
    await rename.mutateAsync(name.trim());
    done();
    say(text.renamed, () => rename.mutateAsync(before));
  };
  return (
    <ActForm submit={text.rename} act={save} onCancel={done}>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        onValue={setName}
        maxLength={200}
        required
        autoFocus
      />
    </ActForm>
  );
}
