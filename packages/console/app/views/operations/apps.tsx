import type { Grant, Permission } from "@letterslot/client";
import { may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAct, useAnswer } from "../../api/queries.ts";
import { ConfirmButton } from "../../ui/dialog.tsx";
import { Facts, Rows, Sheet, View } from "../../ui/layout.tsx";
import { Opens } from "../../ui/opens.tsx";
import { When } from "../../ui/small.tsx";
import { Answer, Empty } from "../../ui/states.tsx";
import { say } from "../../ui/toasts.tsx";
import { number, words } from "../../words/index.ts";
import { useInboxes } from "./inbox-names.ts";
import { Rights } from "./keys/rights.tsx";

const text = words.accountOperations.apps;

/** The apps that people let in. */
export function Apps() {
  const apps = useAnswer(["grants", "list"], (client) => client.grants.list({}));
  const [title, lead] = words.operations.areas.apps;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <Answer of={apps}>
        {({ data }) =>
          data.length === 0 ? (
            <Sheet>
              <Empty title={text.empty.title}>{text.empty.text}</Empty>
            </Sheet>
          ) : (
            <Rows label={title}>
              {data.map((app) => (
                <App key={app.client_id} app={app} />
              ))}
            </Rows>
          )
        }
      </Answer>
    </View>
  );
}

function App({ app }: { app: Grant }) {
  const { caller } = useCaller();
  const { nameOf } = useInboxes();
  const { client_id, scope, redirect_hosts, connected_at, last_refreshed_at, active_tokens } = app;
  const name = app.client_name === "" ? text.unnamed : app.client_name;
  const revoke = useAct((client) => client.grants.delete({ client_id }), ["grants"]);
  const places = [...new Set(app.grants.map(({ inbox_id }) => inbox_id))];
  return (
    <Opens title={name} detail={redirect_hosts.join(", ")} meta={<When at={last_refreshed_at} />}>
      {() => (
        <>
          <Facts
            facts={[
              [text.hosts, redirect_hosts.join(", ")],
              [text.where, places.map((id) => (id === null ? text.everywhere : nameOf(id))).join(", ")],
              [text.may, <Rights key="may" names={scope.split(" ") as Permission[]} />],
              [text.since, <When key="since" at={connected_at} form="long" />],
              [text.refreshed, <When key="refreshed" at={last_refreshed_at} form="relative" />],
              [text.tokens, number(active_tokens)],
            ]}
          />
          {may(caller, "grant_write") && (
            <div>
              <ConfirmButton
                label={text.revoke}
                question={text.revokeQuestion(name)}
                detail={text.revokeDetail}
                act={() => revoke.mutateAsync(undefined).then(() => say(text.revoked(name)))}
              />
            </div>
          )}
        </>
      )}
    </Opens>
  );
}
