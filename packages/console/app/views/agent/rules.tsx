import type { Inbox, InboxRule } from "@letterslot/client";
import { ArrowDown, ArrowUp, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { queries, refresh, useAct, useAnswer } from "../../api/queries.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Sheet } from "../../ui/layout.tsx";
import { When } from "../../ui/small.tsx";
import { Answer, Empty, Problem } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { words } from "../../words/index.ts";
import { RuleBuilder } from "./rule-builder.tsx";
import { actionWords, conditionWords } from "./rule-words.ts";

const text = words.agent.rules;

/** The inbox's rules in their order, and where they are written. */
export function Rules({ inbox }: { inbox: Inbox }) {
  const { caller } = useCaller();
  const inbox_id = inbox.id;
  const rules = useAnswer(["rules", inbox_id], (client) => client.rules.list({ inbox_id }));
  const [open, setOpen] = useState<InboxRule | "new" | null>(null);
  const writes = may(caller, "inbox_update");
  if (open !== null)
    return <RuleBuilder inbox={inbox} rule={open === "new" ? null : open} onClose={() => setOpen(null)} />;
  const add = writes && (
    <Button kind="primary" icon={Plus} onClick={() => setOpen("new")}>
      {text.add}
    </Button>
  );
  return (
    <Answer of={rules}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={text.empty.title} action={add}>
            {text.empty.text}
          </Empty>
        ) : (
          <>
            {add && <div>{add}</div>}
            <ol class="grid gap-3" aria-label={text.list}>
              {data.map((rule) => (
                <li key={rule.id}>
                  <RuleCard rule={rule} all={data} writes={writes} onEdit={() => setOpen(rule)} />
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Answer>
  );
}

function RuleCard({
  rule,
  all,
  writes,
  onEdit,
}: {
  rule: InboxRule;
  all: readonly InboxRule[];
  writes: boolean;
  onEdit: () => void;
}) {
  const { id: rule_id, inbox_id, name, enabled, conditions, actions, stop_processing, position } = rule;
  const turn = useAct(
    (client, to: boolean) => client.rules.update({ inbox_id, rule_id, enabled: to }),
    ["rules"],
  );
  const order = useAct(
    (client, ids: string[]) => client.rules.reorder({ inbox_id, rule_ids: ids }),
    ["rules"],
  );
  // The card is gone by then, and with it what it could say.
  const remove = useAct(
    async (client) => {
      await client.rules.delete({ inbox_id, rule_id });
      say(text.deleted(name), async () => {
        const given = { name, enabled, conditions, actions, stop_processing };
        const made = await client.rules.create({ inbox_id, ...given });
        const ids = all.map(({ id }) => (id === rule_id ? made.id : id));
        await client.rules.reorder({ inbox_id, rule_ids: ids });
        await refresh(queries, ["rules"]);
      });
    },
    ["rules"],
  );
  const move = (by: -1 | 1) => {
    const ids = all.map(({ id }) => id);
    const at = ids.indexOf(rule_id);
    ids.splice(at, 1);
    ids.splice(at + by, 0, rule_id);
    order.mutate(ids);
  };
  const error = turn.error ?? order.error ?? remove.error;
  return (
    <Sheet>
      <div class="grid gap-3">
        <div class="flex items-start justify-between gap-3">
          <h2 class={`min-w-0 font-semibold ${enabled ? "" : "text-soft"}`}>{name}</h2>
          {writes && (
            <label class="-my-2.5 grid min-h-11 min-w-11 shrink-0 place-items-center">
              <input
                type="checkbox"
                class="toggle toggle-primary"
                aria-label={text.turnOn(name)}
                checked={turn.isPending ? turn.variables : enabled}
                disabled={turn.isPending}
                onChange={(event) => turn.mutate(event.currentTarget.checked)}
              />
            </label>
          )}
        </div>
        <p>
          {conditionWords(conditions).join(" · ")} <span class="text-soft">→</span>{" "}
          {actionWords(actions).join(" · ")}
          {stop_processing && ` · ${text.stops}`}
        </p>
        {rule.last_error !== null && (
          <p class="text-sm text-problem">{text.disabledBecause(rule.last_error)}</p>
        )}
        <p class="text-sm text-soft">
          {rule.match_count === 0 ? text.neverMatched : text.matched(rule.match_count)}
          {rule.last_matched_at !== null && (
            <>
              , {text.last} <When at={rule.last_matched_at} />
            </>
          )}
        </p>
        {writes && (
          <div class="flex flex-wrap items-center gap-1">
            <Button small onClick={onEdit}>
              {text.edit}
            </Button>
            <Button
              small
              kind="plain"
              aria-label={text.deleteNamed(name)}
              busy={remove.isPending}
              onClick={() => remove.mutate(undefined)}
            >
              {text.delete}
            </Button>
            <span class="grow" />
            {position > 1 && <IconButton icon={ArrowUp} label={text.up(name)} onClick={() => move(-1)} />}
            {position < all.length && (
              <IconButton icon={ArrowDown} label={text.down(name)} onClick={() => move(1)} />
            )}
          </div>
        )}
        {error && <Problem error={error} />}
      </div>
    </Sheet>
  );
}
