import type { Webhook as WebhookRecord } from "@letterslot/client";
import { Power, PowerOff, Send } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { queries, useAct, useAnswer } from "../../../api/queries.ts";
import { ActButton } from "../../../ui/act.tsx";
import { ConfirmButton } from "../../../ui/dialog.tsx";
import { Facts, Sheet, View } from "../../../ui/layout.tsx";
import { Note, When } from "../../../ui/small.tsx";
import { Answer } from "../../../ui/states.tsx";
import { say } from "../../../ui/toasts.tsx";
import { words } from "../../../words/index.ts";
import { useInboxes } from "../inbox-names.ts";
import { ShownOnce } from "../shown-once.tsx";
import { Deliveries } from "./deliveries.tsx";
import { WebhookState } from "./webhooks.tsx";

const text = words.operations.webhooks;

/** One webhook: whether it works, what it was sent, and all that can be done with it. */
export function Webhook({ webhook_id }: { webhook_id: string }) {
  const { caller } = useCaller();
  const webhook = useAnswer(["webhooks", webhook_id], (client) => client.webhooks.get({ webhook_id }));
  const mayWrite = may(caller, "webhook_write");
  return (
    <View
      title={webhook.data === undefined ? words.operations.areas.webhooks[0] : hostOf(webhook.data.url)}
      back={{ href: "/operations/webhooks", label: words.operations.areas.webhooks[0] }}
    >
      <Answer of={webhook}>
        {(found) => (
          <>
            <About webhook={found} mayWrite={mayWrite} />
            <Deliveries webhook={found} mayWrite={mayWrite} />
          </>
        )}
      </Answer>
    </View>
  );
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

function About({ webhook, mayWrite }: { webhook: WebhookRecord; mayWrite: boolean }) {
  const { url, enabled, disabled_reason, events, inbox_ids, headers } = webhook;
  const { nameOf } = useInboxes();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      {!enabled && <Note tone="problem">{text.disabled[disabled_reason ?? "manual"]}</Note>}
      {secret !== null && (
        <ShownOnce
          title={text.rotated}
          text={text.rotatedIs}
          secret={secret}
          onStored={() => setSecret(null)}
        />
      )}
      <Sheet>
        <div class="grid gap-4">
          <Facts
            facts={[
              [text.facts.url, url],
              [
                text.facts.events,
                events.length === 0
                  ? text.allEvents
                  : events.map((type) => words.eventTypes[type]).join(", "),
              ],
              [
                text.facts.inboxes,
                inbox_ids.length === 0 ? text.everyInbox : inbox_ids.map(nameOf).join(", "),
              ],
              [
                text.facts.secret,
                <span key="secret" class="font-mono">
                  {webhook.secret}
                </span>,
              ],
              webhook.previous_secret_active &&
                webhook.previous_secret_expires_at !== null && [
                  text.previous,
                  <When key="previous" at={webhook.previous_secret_expires_at} form="long" />,
                ],
              Object.keys(headers).length > 0 && [text.facts.headers, Object.keys(headers).join(", ")],
              [text.facts.last, <LastAttempt key="last" webhook={webhook} />],
              [text.facts.created, <When key="created" at={webhook.created_at} form="long" />],
            ]}
          />
          {mayWrite && <Acts webhook={webhook} onSecret={setSecret} />}
        </div>
      </Sheet>
    </>
  );
}

function LastAttempt({ webhook }: { webhook: WebhookRecord }) {
  const { enabled, consecutive_failures, last_delivery_at, last_delivery_status } = webhook;
  return (
    <span class="flex flex-wrap items-center gap-2">
      <WebhookState enabled={enabled} failures={consecutive_failures} />
      {last_delivery_at === null ? (
        text.never
      ) : (
        <>
          <When at={last_delivery_at} form="relative" />
          <span class="text-soft">{last_delivery_status ?? text.noAnswer}</span>
        </>
      )}
    </span>
  );
}

function Acts({ webhook, onSecret }: { webhook: WebhookRecord; onSecret: (secret: string) => void }) {
  const { id: webhook_id, url, enabled } = webhook;
  const [, go] = useLocation();
  const test = useAct((client) => client.webhooks.test({ webhook_id }), ["webhooks"]);
  const rotate = useAct((client) => client.webhooks.rotateSecret({ webhook_id }), ["webhooks"]);
  const remove = useAct((client) => client.webhooks.delete({ webhook_id }), []);
  const turn = useAct(
    (client, on: boolean) => client.webhooks.update({ webhook_id, enabled: on }),
    ["webhooks"],
  );
  return (
    <div class="flex flex-wrap gap-2 border-t border-line pt-4">
      {enabled ? (
        <>
          <ActButton icon={Send} act={() => test.mutateAsync(undefined).then(() => say(text.tested))}>
            {text.test}
          </ActButton>
          <ActButton
            icon={PowerOff}
            act={async () => {
              await turn.mutateAsync(false);
              say(text.switchedOff, () => turn.mutateAsync(true));
            }}
          >
            {text.disable}
          </ActButton>
        </>
      ) : (
        <ActButton
          icon={Power}
          kind="primary"
          act={() => turn.mutateAsync(true).then(() => say(text.enabled))}
        >
          {text.enable}
        </ActButton>
      )}
      <ConfirmButton
        label={text.rotate}
        question={text.rotateQuestion(url)}
        detail={text.rotateDetail}
        act={() => rotate.mutateAsync(undefined).then(({ secret }) => onSecret(secret))}
      />
      <ConfirmButton
        label={text.remove}
        question={text.removeQuestion(url)}
        detail={text.removeDetail}
        act={async () => {
          await remove.mutateAsync(undefined);
          say(text.removed);
          go("/operations/webhooks");
          // No event tells of it; the deleted one itself is asked for no more.
          void queries.invalidateQueries({ queryKey: ["webhooks", "list"] });
        }}
      />
    </div>
  );
}
