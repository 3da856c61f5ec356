import type { Refusal } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer, usePages } from "../../api/queries.ts";
import { Section, Sheet, View } from "../../ui/layout.tsx";
import { MorePages, When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { number, words } from "../../words/index.ts";

const text = words.operations.refusals;

/** What each agent tried and was refused. */
export function Refusals() {
  const refusals = usePages(["refusals", "list"], (client, cursor) =>
    client.refusals.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const nameOf = useAgentNames();
  const agents = Map.groupBy(refusals.items, ({ key_id, client_id }) => key_id ?? client_id ?? "");
  const [title, lead] = words.operations.areas.refusals;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }} wide>
      <Answer of={refusals}>
        {() =>
          agents.size === 0 ? (
            <Sheet>
              <Empty title={text.empty.title}>{text.empty.text}</Empty>
            </Sheet>
          ) : (
            <>
              {[...agents].map(([id, theirs]) => (
                <Section
                  key={id}
                  title={nameOf(id)}
                  count={theirs.reduce((sum, { count }) => sum + count, 0)}
                >
                  <Table
                    label={nameOf(id)}
                    columns={COLUMNS}
                    items={theirs}
                    keyOf={(refusal) => refusal.id}
                  />
                </Section>
              ))}
              <MorePages of={refusals} />
            </>
          )
        }
      </Answer>
    </View>
  );
}

const COLUMNS = [
  {
    name: text.columns.tried,
    show: ({ operation, source }: Refusal) => (
      <>
        <span class="font-mono">{operation}</span> <span class="text-soft">{text.by[source]}</span>
      </>
    ),
  },
  {
    name: text.columns.answer,
    show: ({ status, error }: Refusal) => (
      <>
        {status} {error.code.replaceAll("_", " ")}
        {error.param !== null && <span class="block font-mono text-soft">{error.param}</span>}
      </>
    ),
  },
  {
    name: text.columns.count,
    show: ({ count }: Refusal) => (count === 1 ? text.once : text.times(number(count))),
    number: true,
  },
  { name: text.columns.when, show: ({ last_at }: Refusal) => <When at={last_at} />, number: true },
];

/** Says what the key or app with this id is called, as far as the caller may see it. */
function useAgentNames(): (id: string) => string {
  const { caller } = useCaller();
  const keys = useAnswer(
    ["keys", "names"],
    (client) => client.keys.list({ limit: 100 }),
    may(caller, "key_read"),
  );
  const apps = useAnswer(["grants", "list"], (client) => client.grants.list({}), may(caller, "grant_read"));
  return (id) => {
    if (caller.kind === "key" && caller.me.key?.id === id) return caller.me.key.name;
    const key = keys.data?.data.find((each) => each.id === id);
    const app = apps.data?.data.find((each) => each.client_id === id);
    return key?.name ?? app?.client_name ?? (id === "" ? text.unknown : id);
  };
}
