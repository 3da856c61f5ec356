import { useCaller } from "../api/caller-context.ts";
import { usePages } from "../api/queries.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Initial, Row, Rows, View } from "../ui/layout.tsx";
import { MorePages } from "../ui/small.tsx";
import { Answer, Empty } from "../ui/states.tsx";
import { words } from "../words/index.ts";

const text = words.inboxes;

/** The inboxes that the person has charge of, or that the key reaches. */
export function Inboxes() {
  const { caller } = useCaller();
  const inboxes = usePages(["inboxes", "list"], (client, cursor) =>
    client.inboxes.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const pair = caller.kind === "person" && <ButtonLink href="#/start">{text.pair}</ButtonLink>;
  return (
    <View title={text.title} actions={pair}>
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
                    href={`/inboxes/${id}`}
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
