import { useCaller } from "../api/caller-context.ts";
import { usePages } from "../api/queries.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Initial, Row, Rows, View } from "../ui/layout.tsx";
import { MorePages } from "../ui/small.tsx";
import { Answer, Empty } from "../ui/states.tsx";
import { words } from "../words/index.ts";
import { ALL, type AllOf } from "./waiting.ts";

const text = words.inboxes;

/** The inboxes that the person has charge of, or that the key reaches; each leads to its mail, or to `all` that waits there. */
export function Inboxes({ all }: { all?: AllOf }) {
  const { caller } = useCaller();
  const inboxes = usePages(["inboxes", "list"], (client, cursor) =>
    client.inboxes.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const pair = caller.kind === "person" && <ButtonLink href="#/start">{text.pair}</ButtonLink>;
  return (
    <View
      title={all === undefined ? text.title : words.needs.allOf[all]}
      lead={all !== undefined && text.choose}
      actions={all === undefined && pair}
    >
      <Answer of={inboxes}>
        {() =>
          inboxes.items.length === 0 ? (
            <Empty title={text.empty.title}>{text.empty.text}</Empty>
          ) : (
            <>
              <Rows label={text.title}>
                {inboxes.items.map(({ id, email, display_name }) => (
                  <Row
                    key={id}
                    href={all === undefined ? `/inboxes/${id}` : ALL[all](id)}
                    icon={<Initial name={display_name ?? email} />}
                    title={display_name ?? email}
                    detail={display_name !== null && email}
                  />
                ))}
              </Rows>
              <MorePages of={inboxes} />
            </>
          )
        }
      </Answer>
    </View>
  );
}
