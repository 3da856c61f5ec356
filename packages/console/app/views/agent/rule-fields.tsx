import { useState } from "preact/hooks";
import { useAnswer } from "../../api/queries.ts";
import { SelectField, TextArea, TextField } from "../../ui/form.tsx";
import { words } from "../../words/index.ts";
import type { Actions, Conditions } from "./rule-builder.tsx";
import { linesOf } from "./rule-words.ts";

const text = words.agent.rules;
const YES_NO = [
  ["yes", text.yes],
  ["no", text.no],
] as const;

/** Entries one a line. What is typed stays as it is typed. */
function Lines({
  label,
  hint,
  value,
  onValue,
}: {
  label: string;
  hint: string;
  value: readonly string[];
  onValue: (value: string[]) => void;
}) {
  const [typed, setTyped] = useState(value.join("\n"));
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={Math.max(2, typed.split("\n").length)}
      value={typed}
      onValue={(now) => {
        setTyped(now);
        onValue(linesOf(now));
      }}
    />
  );
}

/** What fills in one condition. */
export function ConditionField({
  name,
  conditions,
  onValue,
}: {
  name: keyof Conditions;
  conditions: Conditions;
  onValue: (value: unknown) => void;
}) {
  const label = text.conditions[name];
  switch (name) {
    case "from":
    case "to":
      return <Lines label={label} hint={text.parties} value={conditions[name] ?? []} onValue={onValue} />;
    case "subject_contains":
    case "body_contains":
      return <Lines label={label} hint={text.texts} value={conditions[name] ?? []} onValue={onValue} />;
    case "min_score":
      return (
        <TextField
          label={label}
          type="number"
          min={0}
          max={100}
          value={conditions.min_score ?? ""}
          onValue={(value) => onValue(value === "" ? "" : Number(value))}
        />
      );
    case "auth":
      return (
        <SelectField
          label={label}
          options={YES_NO}
          value={conditions.auth === "fail" ? "no" : "yes"}
          onValue={(value) => onValue(value === "yes" ? "pass" : "fail")}
        />
      );
    case "has_attachment":
    case "list":
    case "suspicious":
    case "new_sender":
      return (
        <SelectField
          label={label}
          options={YES_NO}
          value={conditions[name] === false ? "no" : "yes"}
          onValue={(value) => onValue(value === "yes")}
        />
      );
  }
}

/** What fills in one action. */
export function ActionField({
  name,
  inbox_id,
  actions,
  onValue,
}: {
  name: keyof Actions;
  inbox_id: string;
  actions: Actions;
  onValue: (value: unknown) => void;
}) {
  const label = text.actions[name];
  switch (name) {
    case "add_labels":
      return <Lines label={label} hint={text.labels} value={actions.add_labels ?? []} onValue={onValue} />;
    case "forward_to":
      return <ForwardTo inbox_id={inbox_id} value={actions.forward_to ?? ""} onValue={onValue} />;
    case "auto_reply": {
      const reply = actions.auto_reply ?? { text: "" };
      return (
        <div class="grid gap-2">
          <TextArea
            label={`${label}: ${text.reply}`}
            value={reply.text}
            onValue={(value) => onValue({ ...reply, text: value })}
          />
          <TextField
            label={text.cooldown}
            type="number"
            min={1}
            value={reply.cooldown_hours ?? ""}
            onValue={(value) =>
              onValue({ text: reply.text, ...(value === "" ? {} : { cooldown_hours: Number(value) }) })
            }
          />
        </div>
      );
    }
    case "assign":
      return (
        <TextField
          label={label}
          hint={text.assignee}
          value={actions.assign?.assignee ?? ""}
          onValue={(assignee) => onValue({ assignee })}
        />
      );
    case "mark_read":
    case "archive":
    case "hold":
    case "no_task":
      return <p class="flex min-h-11 items-center">{label}</p>;
  }
}

/** The verified forwardings to choose from. */
function ForwardTo({
  inbox_id,
  value,
  onValue,
}: {
  inbox_id: string;
  value: string;
  onValue: (value: string) => void;
}) {
  const found = useAnswer(["forwarding", inbox_id, "verified"], (client) =>
    client.forwarding.list({ inbox_id, limit: 100 }),
  );
  const verified = found.data?.data.filter(({ status }) => status === "verified") ?? [];
  return (
    <SelectField
      label={text.actions.forward_to}
      hint={found.data !== undefined && verified.length === 0 ? text.noForwarding : undefined}
      options={[["", "…"], ...verified.map(({ id, email }) => [id, email] as const)]}
      value={value}
      onValue={onValue}
    />
  );
}
