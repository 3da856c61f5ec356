import { MailCheck, Smartphone } from "lucide-preact";
import type { ComponentChildren } from "preact";
import { useCaller } from "../../api/caller-context.ts";
import { features } from "../../api/features.ts";
import { RoundIcon, Row, Rows, Section, View } from "../../ui/layout.tsx";
import { Empty } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { Apps } from "./apps.tsx";
import { AREAS, type AreaName, mayEnter } from "./areas.ts";
import { Contacts } from "./contacts.tsx";
import { Domain } from "./domains/domain.tsx";
import { Domains } from "./domains/domains.tsx";
import { Events } from "./events.tsx";
import { Keys } from "./keys/keys.tsx";
import { Lists } from "./lists/lists.tsx";
import { People } from "./people.tsx";
import { PhoneNumbers } from "./phone.tsx";
import { Refusals } from "./refusals.tsx";
import { Settings } from "./settings/settings.tsx";
import { Suppressions } from "./suppressions.tsx";
import { Usage } from "./usage/usage.tsx";
import { Webhook } from "./webhooks/webhook.tsx";
import { Webhooks } from "./webhooks/webhooks.tsx";
import { Workspaces } from "./workspaces.tsx";

const text = words.operations;

/** What each area shows; `id` is what the address names in it, or empty. */
const VIEWS: Record<AreaName, (id: string) => ComponentChildren> = {
  webhooks: (id) => (id === "" ? <Webhooks /> : <Webhook webhook_id={id} />),
  keys: () => <Keys />,
  apps: () => <Apps />,
  events: () => <Events />,
  refusals: () => <Refusals />,
  contacts: () => <Contacts />,
  lists: (id) => <Lists direction={id} />,
  suppressions: () => <Suppressions />,
  domains: (id) => (id === "" ? <Domains /> : <Domain domain_id={id} />),
  phone: () => <PhoneNumbers />,
  people: () => <People />,
  workspaces: () => <Workspaces />,
  usage: () => <Usage />,
  settings: (id) => <Settings export_id={id} />,
};

/** What keeps the service running: webhooks, keys, domains and the rest. */
export function Operations({ rest }: { rest: string }) {
  const { caller } = useCaller();
  const [name = "", id = ""] = rest.split("/");
  if (name === "") return <Index />;
  const area = AREAS.find((each) => each.name === name);
  if (area === undefined || !mayEnter(caller, area)) {
    const { title, text: why } = area === undefined ? words.nothingHere : text.refused;
    return (
      <View title={area === undefined ? text.title : text.areas[area.name][0]} back={BACK}>
        <Empty title={title}>{why}</Empty>
      </View>
    );
  }
  return <>{VIEWS[area.name](id)}</>;
}

const BACK = { href: "/operations", label: text.title };

function Index() {
  const { caller } = useCaller();
  const entered = AREAS.filter((area) => mayEnter(caller, area));
  return (
    <View title={text.title} lead={text.lead}>
      {Object.entries(text.groups).map(([group, title]) => {
        const areas = entered.filter((area) => area.group === group);
        if (areas.length === 0) return null;
        return (
          <Section key={group} title={title}>
            <Rows>
              {areas.map(({ name, icon }) => (
                <Row
                  key={name}
                  href={`/operations/${name}`}
                  icon={<RoundIcon icon={icon} />}
                  title={text.areas[name][0]}
                  detail={text.areas[name][1]}
                  strong
                />
              ))}
            </Rows>
          </Section>
        );
      })}
      {(features.outbox === true || features.phone === true) && (
        <Section title={text.machine}>
          <Rows>
            {features.outbox === true && (
              <Row
                href="/outbox"
                icon={<RoundIcon icon={MailCheck} />}
                title={words.outbox.title}
                detail={words.outbox.lead}
                strong
              />
            )}
            {features.phone === true && (
              <Row
                href="/phone"
                icon={<RoundIcon icon={Smartphone} />}
                title={words.telephone.title}
                detail={words.telephone.lead}
                strong
              />
            )}
          </Rows>
        </Section>
      )}
      {entered.length === 0 && <Empty title={text.refused.title}>{text.refused.text}</Empty>}
    </View>
  );
}
