import type { NewKey, Permission } from "@letterslot/client";
import { useState } from "preact/hooks";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { useAct } from "../../../api/queries.ts";
import { ActForm } from "../../../ui/act.tsx";
import { Choices, SelectField, TextField, Tick } from "../../../ui/form.tsx";
import { words } from "../../../words/index.ts";
import { useInboxes } from "../inbox-names.ts";

const text = words.operations.keys;
const HOURS: Readonly<Record<keyof typeof text.lifetimes, number | null>> = {
  never: null,
  day: 24,
  month: 30 * 24,
  quarter: 90 * 24,
  year: 365 * 24,
};
const LIFETIMES = Object.keys(HOURS) as (keyof typeof HOURS)[];
const ALL = words.permissionGroups.flatMap(([, group]) => Object.keys(group) as Permission[]);

/** Asks what a new key is for and may do. The key goes to `onMade`: its secret is shown only once. */
export function CreateKey({ onMade, done }: { onMade: (key: NewKey) => void; done: () => void }) {
  const { caller } = useCaller();
  const { inboxes } = useInboxes();
  const own = caller.kind === "key" ? caller.me.access : { permissions: null, inbox_ids: null };
  const [name, setName] = useState("");
  const [inbox_id, setInbox] = useState(own.inbox_ids?.[0] ?? "");
  const [rights, setRights] = useState(own.permissions === null ? "everything" : "reading");
  const [chosen, setChosen] = useState<readonly Permission[]>([]);
  const [life, setLife] = useState<keyof typeof HOURS>("never");
  const [sends, setSends] = useState("");
  const create = useAct(
    (client, input: Parameters<typeof client.keys.create>[0]) => client.keys.create(input),
    ["keys"],
  );
  const offered = ALL.filter((permission) => may(caller, permission));
  const permissions = {
    everything: own.permissions,
    reading: offered.filter((permission) => permission.endsWith("_read")),
    chosen,
  }[rights];
  const add = async () => {
    if (permissions?.length === 0) throw new Error(text.noneChosen);
    const hours = HOURS[life];
    const made = await create.mutateAsync({
      name: name.trim(),
      permissions: permissions === null || permissions === undefined ? null : [...permissions],
      ...(inbox_id === "" ? {} : { inbox_id }),
      ...(hours === null ? {} : { ttl_hours: hours }),
      ...(sends === "" ? {} : { budget: { sends_per_day: Number(sends) } }),
    });
    onMade(made);
    done();
  };
  return (
    <ActForm submit={text.add} act={add} onCancel={done}>
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        onValue={setName}
        maxLength={200}
        required
        autoFocus
        autocomplete="off"
      />
      <SelectField
        label={text.inbox}
        options={[
          ...(own.inbox_ids === null ? [["", text.everywhere] as const] : []),
          ...inboxes.map(({ id, email }) => [id, email] as const),
        ]}
        value={inbox_id}
        onValue={setInbox}
      />
      <Choices
        legend={text.rights}
        options={[
          { value: "everything", name: text.everything, hint: text.everythingHint },
          { value: "reading", name: text.reading, hint: text.readingHint },
          { value: "chosen", name: text.chosen, hint: text.chosenHint },
        ]}
        value={rights}
        onValue={setRights}
      />
      {rights === "chosen" && <Permissions offered={offered} chosen={chosen} onChosen={setChosen} />}
      <SelectField
        label={text.expires}
        options={LIFETIMES.map((each) => [each, text.lifetimes[each]] as const)}
        value={life}
        onValue={(value) => setLife(value as keyof typeof HOURS)}
      />
      <TextField
        label={text.limitSends}
        hint={text.limitSendsHint}
        value={sends}
        onValue={setSends}
        type="number"
        inputMode="numeric"
        min={0}
        step={1}
      />
    </ActForm>
  );
}

function Permissions({
  offered,
  chosen,
  onChosen,
}: {
  offered: readonly Permission[];
  chosen: readonly Permission[];
  onChosen: (chosen: readonly Permission[]) => void;
}) {
  return (
    <div class="gap-4 sm:columns-2">
      {words.permissionGroups.map(([group, permissions]) => {
        const here = (Object.entries(permissions) as [Permission, string][]).filter(([name]) =>
          offered.includes(name),
        );
        if (here.length === 0) return null;
        return (
          <fieldset key={group} class="mb-4 break-inside-avoid">
            <legend class="font-semibold">{group}</legend>
            {here.map(([name, meaning]) => (
              <Tick
                key={name}
                label={meaning}
                hint={name}
                checked={chosen.includes(name)}
                onValue={(on) => onChosen(on ? [...chosen, name] : chosen.filter((each) => each !== name))}
              />
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
