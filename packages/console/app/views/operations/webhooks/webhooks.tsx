import { useState } from "preact/hooks";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { usePages } from "../../../api/queries.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Row, View } from "../../../ui/layout.tsx";
import { Listing } from "../../../ui/listing.tsx";
import { When } from "../../../ui/small.tsx";
import { words } from "../../../words/index.ts";
import { ShownOnce } from "../shown-once.tsx";
import { NewWebhook } from "./new-webhook.tsx";

const text = words.operations.webhooks;

/** The webhooks, and a form that adds one. */
export function Webhooks() {
  const { caller } = useCaller();
  const [secret, setSecret] = useState<string | null>(null);
  const webhooks = usePages(["webhooks", "list"], (client, cursor) =>
    client.webhooks.list({ limit: 50, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const make = may(caller, "webhook_write") && {
    label: text.add,
    form: (done: () => void) => <NewWebhook onMade={setSecret} done={done} />,
  };
  const [title, lead] = words.operations.areas.webhooks;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      {secret !== null && (
        <ShownOnce title={text.made} text={text.secretIs} secret={secret} onStored={() => setSecret(null)} />
      )}
      <Listing title={title} of={webhooks} empty={text.empty} make={make}>
        {({ id, url, events, inbox_ids, enabled, consecutive_failures, last_delivery_at }) => (
          <Row
            key={id}
            href={`/operations/webhooks/${id}`}
            title={url}
            detail={
              <>
                <WebhookState enabled={enabled} failures={consecutive_failures} />{" "}
                {events.length === 0 ? text.allEvents : text.events(events.length)} ·{" "}
                {inbox_ids.length === 0 ? text.everyInbox : text.inboxes(inbox_ids.length)}
              </>
            }
            meta={last_delivery_at !== null && <When at={last_delivery_at} />}
          />
        )}
      </Listing>
    </View>
  );
}

/** Whether a webhook works, in a word or two. */
export function WebhookState({ enabled, failures }: { enabled: boolean; failures: number }) {
  if (!enabled) return <Chip tone="problem">{text.off}</Chip>;
  return failures > 0 ? (
    <Chip tone="approval">{text.failing(failures)}</Chip>
  ) : (
    <Chip tone="done">{text.on}</Chip>
  );
}
