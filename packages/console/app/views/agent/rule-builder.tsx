import type { Inbox, InboxRule } from "@letterslot/client";
import { X } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useAct, useAnswer } from "../../api/queries.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { SelectField, TextField, Tick } from "../../ui/form.tsx";
import { Section, Sheet } from "../../ui/layout.tsx";
import { Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { ActionField, ConditionField } from "./rule-fields.tsx";

const text = words.agent.rules;
const TRIED_ON = 200;
const COUNTED_AFTER_MS = 400;

export type Conditions = InboxRule["conditions"];
export type Actions = InboxRule["actions"];
type ConditionName = keyof Conditions;
type ActionName = keyof Actions;

const CONDITIONS = Object.keys(text.conditions) as ConditionName[];
const ACTIONS = Object.keys(text.actions) as ActionName[];

/** What a condition or action begins as; one that is filled in begins as nothing. */
const BEGINS: { readonly [name: string]: unknown } = {
  auth: "pass",
  min_score: 50,
  has_attachment: true,
  list: true,
  suspicious: true,
  new_sender: true,
  mark_read: true,
  archive: true,
  hold: true,
  no_task: true,
  forward_to: "",
  auto_reply: { text: "" },
  assign: { assignee: "" },
};

/** Whether a field was filled in. */
const isSaid = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : typeof value === "object" && value !== null
      ? Object.values(value).some((each) => each !== "")
      : value !== "" && value !== undefined;

const saidOf = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isSaid(value))) as T;

/** Where a rule is written; it says how many of the newest mails it matches as one types. */
export function RuleBuilder({
  inbox,
  rule,
  onClose,
}: {
  inbox: Inbox;
  rule: InboxRule | null;
  onClose: () => void;
}) {
  const inbox_id = inbox.id;
  const [name, setName] = useState(rule?.name ?? "");
  const [conditions, setConditions] = useState<Conditions>(rule?.conditions ?? { from: [] });
  const [actions, setActions] = useState<Actions>(rule?.actions ?? {});
  const [stop_processing, setStop] = useState(rule?.stop_processing ?? false);
  const said = { conditions: saidOf(conditions), actions: saidOf(actions) };
  const complete =
    name.trim() !== "" && Object.keys(said.conditions).length > 0 && Object.keys(said.actions).length > 0;
  const save = useAct(
    async (client, given: Parameters<typeof client.rules.create>[0]) => {
      await (rule === null
        ? client.rules.create(given)
        : client.rules.update({ ...given, rule_id: rule.id }));
    },
    ["rules"],
  );
  return (
    <form
      class="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (complete) save.mutate({ inbox_id, name, ...said, stop_processing }, { onSuccess: onClose });
      }}
    >
      <Section title={rule === null ? text.adding : text.editing}>
        <Sheet>
          <TextField
            label={text.name}
            maxLength={80}
            value={name}
            onValue={setName}
            focused={rule === null}
          />
        </Sheet>
      </Section>
      <Part
        title={text.when}
        add={text.addCondition}
        names={text.conditions}
        left={CONDITIONS.filter((each) => conditions[each] === undefined)}
        onAdd={(each) => setConditions({ ...conditions, [each]: BEGINS[each] ?? [] })}
      >
        {CONDITIONS.filter((each) => conditions[each] !== undefined).map((each) => (
          <Line
            key={each}
            name={text.conditions[each]}
            onRemove={() => setConditions({ ...conditions, [each]: undefined })}
          >
            <ConditionField
              name={each}
              conditions={conditions}
              onValue={(value) => setConditions({ ...conditions, [each]: value })}
            />
          </Line>
        ))}
        <Count inbox_id={inbox_id} conditions={said.conditions} />
      </Part>
      <Part
        title={text.then}
        add={text.addAction}
        names={text.actions}
        left={ACTIONS.filter((each) => actions[each] === undefined)}
        onAdd={(each) => setActions({ ...actions, [each]: BEGINS[each] ?? [] })}
      >
        {ACTIONS.filter((each) => actions[each] !== undefined).map((each) => (
          <Line
            key={each}
            name={text.actions[each]}
            onRemove={() => setActions({ ...actions, [each]: undefined })}
          >
            <ActionField
              name={each}
              inbox_id={inbox_id}
              actions={actions}
              onValue={(value) => setActions({ ...actions, [each]: value })}
            />
          </Line>
        ))}
        <Tick label={text.stop} hint={text.stopHint} checked={stop_processing} onValue={setStop} />
      </Part>
      {save.error && <Problem error={save.error} />}
      <div class="flex flex-wrap items-center gap-2">
        <Button type="submit" kind="primary" busy={save.isPending} disabled={!complete}>
          {text.save}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
        {!complete && <p class="text-sm text-soft">{text.incomplete}</p>}
      </div>
    </form>
  );
}

function Part<N extends string>({
  title,
  add,
  names,
  left,
  onAdd,
  children,
}: {
  title: string;
  add: string;
  names: { readonly [name in N]: string };
  left: readonly N[];
  onAdd: (name: N) => void;
  children: ComponentChildren;
}) {
  return (
    <Section title={title}>
      <Sheet>
        <div class="grid gap-4">
          {children}
          {left.length > 0 && (
            <SelectField
              label={add}
              options={[["", "…"], ...left.map((name) => [name, names[name]] as const)]}
              value=""
              onValue={(name) => name !== "" && onAdd(name as N)}
            />
          )}
        </div>
      </Sheet>
    </Section>
  );
}

const Line = ({
  name,
  onRemove,
  children,
}: {
  name: string;
  onRemove: () => void;
  children: ComponentChildren;
}) => (
  <div class="flex items-start gap-2">
    <div class="min-w-0 grow">{children}</div>
    <IconButton icon={X} label={text.remove(name)} onClick={onRemove} />
  </div>
);

/** How many of the newest mails the conditions match, asked a moment after the last key. */
function Count({ inbox_id, conditions }: { inbox_id: string; conditions: Conditions }) {
  const now = JSON.stringify(conditions);
  const [settled, setSettled] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), COUNTED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [now]);
  const counted = useAnswer(
    ["rules", inbox_id, "count", settled],
    (client) =>
      client.rules.test({
        inbox_id,
        last: TRIED_ON,
        // What is done with them doesn't matter here, but a rule does something.
        rule: { conditions: JSON.parse(settled) as Conditions, actions: { mark_read: true } },
      }),
    settled !== "{}",
  );
  if (now === "{}") return null;
  return (
    <div role="status" class="text-sm">
      {counted.error ? (
        <Problem error={counted.error} />
      ) : counted.data === undefined || now !== settled ? (
        <p class="text-soft">{text.counting}</p>
      ) : (
        <p class="font-semibold">{text.counted(counted.data.matches, counted.data.tested)}</p>
      )}
    </div>
  );
}
