import type { Inbox, Permission } from "@letterslot/client";
import type { FunctionComponent } from "preact";
import { type Caller, may } from "../../api/caller.ts";
import { useCaller } from "../../api/caller-context.ts";
import { useAnswer } from "../../api/queries.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { View } from "../../ui/layout.tsx";
import { TabLinks } from "../../ui/small.tsx";
import { Answer } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { Conversation } from "./conversation.tsx";
import { Expectations } from "./expectations.tsx";
import { Forwarding } from "./forwarding.tsx";
import { Rules } from "./rules.tsx";
import { Settings } from "./settings.tsx";
import { Tasks } from "./tasks.tsx";

const text = words.agent;

type Tab = keyof typeof text.tabs;

/** The parts of the view, each with what reading it takes. */
const TABS: readonly (readonly [
  Tab,
  permissions: readonly Permission[],
  FunctionComponent<{ inbox: Inbox; update_id?: string | undefined }>,
])[] = [
  ["conversation", ["task_read", "owner_read"], Conversation],
  ["tasks", ["task_read"], Tasks],
  ["rules", ["message_read"], Rules],
  ["expectations", ["message_read"], Expectations],
  ["forwarding", ["message_read"], Forwarding],
  ["settings", ["inbox_read"], Settings],
];

const tabsOf = (caller: Caller) =>
  TABS.filter(([, permissions]) => permissions.every((permission) => may(caller, permission)));

/** An inbox as a person sees it: who works there, what they say to each other, and what is settled about it. */
export function Agent({
  inbox_id,
  tab,
  update_id,
}: {
  inbox_id: string;
  tab: string;
  /** The question that one came for. */
  update_id?: string;
}) {
  const { caller } = useCaller();
  const inbox = useAnswer(["inboxes", inbox_id], (client) => client.inboxes.get({ inbox_id }));
  const tabs = tabsOf(caller);
  const [current, , Part] = tabs.find(([name]) => name === tab) ?? tabs[0] ?? [];
  return (
    <View
      title={inbox.data?.display_name ?? inbox.data?.email ?? text.title}
      lead={inbox.data?.display_name === null ? undefined : inbox.data?.email}
      back={{ href: "/inboxes", label: words.nav.inboxes }}
      actions={
        may(caller, "message_read") && (
          <ButtonLink small href={`#/inboxes/${inbox_id}`}>
            {text.mail}
          </ButtonLink>
        )
      }
      wide={current === "tasks"}
    >
      <TabLinks
        label={text.tabsLabel}
        tabs={tabs.map(([name]) => ({
          href: `/inboxes/${inbox_id}/agent${name === "conversation" ? "" : `/${name}`}`,
          name: text.tabs[name],
          current: name === current,
        }))}
      />
      <Answer of={inbox}>
        {(found) => Part && <Part key={found.id} inbox={found} update_id={update_id} />}
      </Answer>
    </View>
  );
}
