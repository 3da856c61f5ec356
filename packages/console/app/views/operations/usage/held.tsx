import { useAnswer } from "../../../api/queries.ts";
import { Facts, Section, Sheet } from "../../../ui/layout.tsx";
import { Note } from "../../../ui/small.tsx";
import { Answer } from "../../../ui/states.tsx";
import { fileSize, number, percent, words } from "../../../words/index.ts";

const text = words.accountOperations.usage;
const DAY_MS = 24 * 3_600_000;
const ALL = 100;

/** What the plan allows and what is used of it, where the service has plans. */
export function Plan() {
  const me = useAnswer(["me"], (client) => client.me.get({}));
  if (me.data?.usage === undefined) return null;
  const { plan, usage, notices = [] } = me.data;
  return (
    <Section title={`${text.plan}: ${plan}`}>
      {notices.map(({ code, resource, message }) => (
        <Note key={resource} tone={code === "usage_full" ? "problem" : "approval"}>
          {message}
        </Note>
      ))}
      <Sheet>
        <ul class="grid gap-4 sm:grid-cols-2">
          {Object.entries(text.limits).map(([name, label]) => (
            <Used key={name} label={label} {...usage[name as keyof typeof text.limits]} />
          ))}
        </ul>
      </Sheet>
    </Section>
  );
}

function Used({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  const share = limit === null ? 0 : limit === 0 ? ALL : Math.min(ALL, (used / limit) * ALL);
  return (
    <li class="grid gap-1">
      <span class="flex justify-between gap-3 text-sm">
        <span>{label}</span>
        <span class="text-soft tabular-nums">
          {limit === null ? text.unlimited(number(used)) : text.of(number(used), number(limit))}
        </span>
      </span>
      {limit !== null && (
        <svg
          viewBox="0 0 100 4"
          preserveAspectRatio="none"
          class="h-1.5 w-full rounded-full"
          aria-hidden="true"
        >
          <rect width="100" height="4" class="fill-line" />
          <rect width={share} height="4" class={share >= ALL ? "fill-problem" : "fill-accent"} />
        </svg>
      )}
    </li>
  );
}

/** How much of the mail that was sent came back or was complained of. */
export function Rates({ days }: { days: number }) {
  const rates = useAnswer(["metrics", "rates", days], (client) =>
    client.metrics.rates({ from: new Date(Date.now() - (days - 1) * DAY_MS).toISOString() }),
  );
  return (
    <Sheet>
      <Answer of={rates} rows={1}>
        {({ sent, bounced, complained, bounce_rate, complaint_rate }) => (
          <Facts
            facts={[
              [text.bounceRate, text.ofSent(percent(bounce_rate), number(bounced), number(sent))],
              [text.complaintRate, text.ofSent(percent(complaint_rate), number(complained), number(sent))],
            ]}
          />
        )}
      </Answer>
    </Sheet>
  );
}

/** What the account holds now. */
export function Stored() {
  const usage = useAnswer(["metrics", "usage"], (client) => client.metrics.usage({}));
  return (
    <Sheet>
      <Answer of={usage} rows={2}>
        {({ storage_bytes, inboxes, messages, threads, webhooks, phone_numbers }) => (
          <Facts
            facts={[
              [text.stored.storage, fileSize(storage_bytes)],
              [text.stored.inboxes, number(inboxes)],
              [text.stored.messages, number(messages)],
              [text.stored.threads, number(threads)],
              [text.stored.webhooks, number(webhooks)],
              [text.stored.phone_numbers, number(phone_numbers)],
            ]}
          />
        )}
      </Answer>
    </Sheet>
  );
}
