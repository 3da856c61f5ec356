import type { EventMetrics } from "@letterslot/client";
import { useSetting } from "../../../api/address.ts";
import { useAnswer } from "../../../api/queries.ts";
import { Section, Sheet, View } from "../../../ui/layout.tsx";
import { TabButtons } from "../../../ui/small.tsx";
import { Answer } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";
import { dateOf, number, words } from "../../../words/index.ts";
import { Bars } from "./bars.tsx";
import { Plan, Rates, Stored } from "./held.tsx";

const text = words.accountOperations.usage;
const DAY_MS = 24 * 3_600_000;
const SPANS = { week: 7, month: 30, quarter: 90 };
type Span = keyof typeof SPANS;
const isSpan = (value: string): value is Span => Object.hasOwn(SPANS, value);

/** How much mail comes and goes, what is stored, and what the plan allows. */
export function Usage() {
  const [span, setSpan] = useSetting<Span>("span", "month", isSpan);
  const metrics = useAnswer(["metrics", "events", span], (client) =>
    client.metrics.events({
      period: "day",
      from: new Date(Date.now() - (SPANS[span] - 1) * DAY_MS).toISOString(),
    }),
  );
  const [title, lead] = words.operations.areas.usage;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Plan />
      <Section title={text.mail}>
        <div>
          <TabButtons
            label={text.span}
            tabs={Object.entries(text.spans).map(([value, name]) => ({ value, name }))}
            value={span}
            onValue={(value) => setSpan(value as Span)}
          />
        </div>
        <Answer of={metrics}>{({ data }) => <Days buckets={data} />}</Answer>
      </Section>
      <Section title={text.rates}>
        <Rates days={SPANS[span]} />
      </Section>
      <Section title={text.now}>
        <Stored />
      </Section>
    </View>
  );
}

type Bucket = EventMetrics["data"][number];
type Counted = keyof Bucket["counts"];

function Days({ buckets }: { buckets: readonly Bucket[] }) {
  const days = buckets.map(({ bucket_start }) => bucket_start);
  const of = (name: Counted) => buckets.map(({ counts }) => counts[name] ?? 0);
  const mail = [
    { name: text.received, fill: "fill-accent", values: of("message.received") },
    { name: text.sent, fill: "fill-soft", values: of("message.sent") },
  ];
  const fate = [
    { name: text.delivered, fill: "fill-done", values: of("message.delivered") },
    { name: text.held, fill: "fill-approval", values: of("message.held") },
    { name: text.bounced, fill: "fill-problem", values: of("message.bounced") },
    { name: text.complained, fill: "fill-soft", values: of("message.complained") },
  ];
  const all = [...mail, ...fate];
  const rows = days
    .map((day, index) => ({ day, values: all.map(({ values }) => values[index] ?? 0) }))
    .filter(({ values }) => values.some((value) => value > 0))
    .toReversed();
  return (
    <>
      <Sheet>
        <Bars days={days} series={mail} />
      </Sheet>
      <h3 class="mt-2 font-semibold">{text.fate}</h3>
      <Sheet>
        <Bars days={days} series={fate} />
      </Sheet>
      <details>
        <summary class="inline-flex min-h-11 items-center text-sm font-semibold text-accent">
          {text.table}
        </summary>
        {rows.length === 0 ? (
          <p class="text-soft">{text.quiet}</p>
        ) : (
          <Table
            label={text.table}
            items={rows}
            keyOf={({ day }) => day}
            columns={[
              { name: text.day, show: ({ day }: (typeof rows)[number]) => dateOf(day) },
              ...all.map(({ name }, index) => ({
                name,
                show: ({ values }: (typeof rows)[number]) => number(values[index] ?? 0),
                number: true,
              })),
            ]}
          />
        )}
      </details>
    </>
  );
}
