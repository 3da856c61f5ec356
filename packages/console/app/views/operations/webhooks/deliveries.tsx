import type { Delivery, Webhook } from "@letterslot/client";
import { RotateCw } from "lucide-preact";
import { useSetting } from "../../../api/address.ts";
import { may } from "../../../api/caller.ts";
import { useCaller } from "../../../api/caller-context.ts";
import { usePolling } from "../../../api/polling.ts";
import { useAct, useAnswer, usePages } from "../../../api/queries.ts";
import { ActButton } from "../../../ui/act.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Json } from "../../../ui/json.tsx";
import { Facts, Rows, Section, Sheet } from "../../../ui/layout.tsx";
import { Opens } from "../../../ui/opens.tsx";
import { Code, MorePages, TabButtons, When } from "../../../ui/small.tsx";
import { Answer, Empty } from "../../../ui/states.tsx";
import { say } from "../../../ui/toasts.tsx";
import { number, words } from "../../../words/index.ts";
import { eventName } from "../event-name.ts";

const text = words.operations.deliveries;
const STATUSES = ["pending", "succeeded", "failed"] as const;
type Status = Delivery["status"];
const isStatus = (value: string): value is Status | "" =>
  value === "" || STATUSES.some((each) => each === value);
const TONES: Record<Status, Tone> = { pending: "progress", succeeded: "done", failed: "problem" };

/** What was posted to a webhook in the last days, and what came back. */
export function Deliveries({ webhook, mayWrite }: { webhook: Webhook; mayWrite: boolean }) {
  const { id: webhook_id } = webhook;
  const [status, setStatus] = useSetting<Status | "">("status", "", isStatus);
  const deliveries = usePages(["webhooks", webhook_id, "deliveries", status], (client, cursor) =>
    client.webhooks.deliveries({
      webhook_id,
      limit: 25,
      ...(status === "" ? {} : { status }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  );
  const waits = deliveries.items.some((delivery) => delivery.status === "pending");
  usePolling(waits, () => void deliveries.refetch());
  return (
    <Section title={text.title}>
      <div>
        <TabButtons
          label={text.filter}
          tabs={[
            { value: "", name: text.all },
            ...STATUSES.map((value) => ({ value, name: text.statuses[value] })),
          ]}
          value={status}
          onValue={(value) => setStatus(value as Status)}
        />
      </div>
      <Answer of={deliveries}>
        {() =>
          deliveries.items.length === 0 ? (
            <Sheet>
              <Empty title={text.empty.title}>{text.empty.text}</Empty>
            </Sheet>
          ) : (
            <>
              <Rows label={text.title}>
                {deliveries.items.map((delivery) => (
                  <One key={delivery.id} delivery={delivery} mayResend={mayWrite && webhook.enabled} />
                ))}
              </Rows>
              <MorePages of={deliveries} />
            </>
          )
        }
      </Answer>
      <p class="text-sm text-soft">{text.kept}</p>
    </Section>
  );
}

function One({ delivery, mayResend }: { delivery: Delivery; mayResend: boolean }) {
  const { event_type, status, last_status_code, duration_ms, attempts, created_at, is_redelivery } = delivery;
  return (
    <Opens
      title={eventName(event_type)}
      meta={<When at={created_at} />}
      detail={
        <>
          <Chip tone={TONES[status]}>{text.statuses[status]}</Chip>
          {attempts > 0 && <span>{last_status_code ?? words.operations.webhooks.noAnswer}</span>}
          {duration_ms !== null && <span>{text.milliseconds(number(duration_ms))}</span>}
          {attempts > 1 && <span>{text.attempts(attempts)}</span>}
          {is_redelivery && <span>{text.again}</span>}
        </>
      }
    >
      {() => <Details delivery={delivery} mayResend={mayResend} />}
    </Opens>
  );
}

function Details({ delivery, mayResend }: { delivery: Delivery; mayResend: boolean }) {
  const { id: delivery_id, webhook_id, event_id, event_sequence, last_error, response_excerpt } = delivery;
  const mayRead = may(useCaller().caller, "event_read");
  const event = useAnswer(
    ["webhooks", "event", event_id],
    async (client) => {
      const { data } = await client.events.list({ after: String(event_sequence - 1), limit: 1 });
      return data.find(({ id }) => id === event_id) ?? null;
    },
    mayRead,
  );
  const redeliver = useAct((client) => client.webhooks.redeliver({ webhook_id, delivery_id }), ["webhooks"]);
  return (
    <>
      <Facts
        facts={[
          [
            text.event,
            <span key="event" class="font-mono text-sm">
              {delivery.event_type}
            </span>,
          ],
          [
            text.id,
            <span key="id" class="font-mono text-sm">
              {delivery_id}
            </span>,
          ],
          last_error !== null && [text.error, last_error],
          delivery.next_retry_at !== null && [
            text.retry,
            <When key="retry" at={delivery.next_retry_at} form="relative" />,
          ],
        ]}
      />
      <div class="grid min-w-0 gap-1">
        <h3 class="text-sm font-semibold">{text.response}</h3>
        {response_excerpt === null || response_excerpt === "" ? (
          <p class="text-sm text-soft">{text.noResponse}</p>
        ) : (
          <Code text={response_excerpt} copy={false} />
        )}
      </div>
      {mayRead && (
        <div class="grid min-w-0 gap-1">
          <h3 class="text-sm font-semibold">{text.body}</h3>
          <Answer of={event} rows={2}>
            {(found) =>
              found === null ? (
                <p class="text-sm text-soft">{text.gone}</p>
              ) : (
                <Json value={found} label={text.body} />
              )
            }
          </Answer>
        </div>
      )}
      {mayResend && (
        <div>
          <ActButton
            icon={RotateCw}
            act={() => redeliver.mutateAsync(undefined).then(() => say(text.redelivered))}
          >
            {text.redeliver}
          </ActButton>
        </div>
      )}
    </>
  );
}
