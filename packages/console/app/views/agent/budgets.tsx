import type { Inbox, Key } from "@letterslot/client";
import { useAnswer, usePages } from "../../api/queries.ts";
import { Row, Rows, Section } from "../../ui/layout.tsx";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { number, words } from "../../words/index.ts";

const text = words.agent.settings;

/** What the keys of the inbox may send, and what is left of it today. */
export function Budgets({ inbox }: { inbox: Inbox }) {
  const inbox_id = inbox.id;
  const keys = usePages(["keys", inbox_id], (client, cursor) =>
    client.keys.list({ inbox_id, limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const working = keys.items.filter(({ revoked_at }) => revoked_at === null);
  return (
    <Section title={text.budget}>
      <p class="text-sm text-soft">{text.budgetLead}</p>
      <Answer of={keys} rows={1}>
        {() =>
          working.length === 0 ? (
            <p class="text-sm text-soft">{text.noKeys}</p>
          ) : (
            <Rows label={text.budget}>
              {working.map((key) => (
                <KeyRow key={key.id} of={key} />
              ))}
            </Rows>
          )
        }
      </Answer>
      <MorePages of={keys} />
    </Section>
  );
}

function KeyRow({ of }: { of: Key }) {
  // Those of the keys that it descends from count too, so that one without a budget may have little left.
  const key = useAnswer(["keys", of.id, "left"], (client) => client.keys.get({ key_id: of.id }));
  const left = key.data?.budget_left;
  return (
    <Row
      title={`${of.name} (${of.prefix}…)`}
      detail={left == null ? limitsOf(of.budget) : limitsOf(left)}
      meta={
        left != null && (
          <span class="font-semibold">
            {left.sends_left !== null && text.left(number(left.sends_left))}
            {left.opens_at !== null && (
              <>
                {" "}
                {text.opens} <When at={left.opens_at} />
              </>
            )}
          </span>
        )
      }
    />
  );
}

function limitsOf(budget: Key["budget"]): string {
  if (budget === null) return text.noLimit;
  const { sends_per_day, new_recipients_per_day, recipient_domains, hours } = budget;
  const limits = [
    sends_per_day !== undefined && text.perDay(number(sends_per_day)),
    new_recipients_per_day !== undefined && text.newPerDay(number(new_recipients_per_day)),
    recipient_domains !== undefined && text.domains(recipient_domains.join(", ")),
    hours !== undefined && text.hours(hours.from, hours.to, hours.time_zone),
  ].filter((limit) => limit !== false);
  return limits.length === 0 ? text.noLimit : limits.join(" · ");
}
