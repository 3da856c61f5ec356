import type { EventType, LetterslotEvent } from "@letterslot/client";
import { useEffect, useState } from "preact/hooks";
import { useSetting } from "../../api/address.ts";
import { client } from "../../api/caller.ts";
import { Chip } from "../../ui/chip.tsx";
import { SelectField } from "../../ui/form.tsx";
import { Json } from "../../ui/json.tsx";
import { Rows, Sheet, View } from "../../ui/layout.tsx";
import { Opens } from "../../ui/opens.tsx";
import { When } from "../../ui/small.tsx";
import { Empty, Loading, Problem } from "../../ui/states.tsx";
import { words } from "../../words/index.ts";
import { eventName } from "./event-name.ts";
import { useInboxes } from "./inbox-names.ts";

const text = words.operations.events;
const HOUR_MS = 3_600_000;
const SPANS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };
type Span = keyof typeof SPANS;
const isSpan = (value: string): value is Span => Object.hasOwn(SPANS, value);
const isKind = (value: string): value is EventType | "" =>
  value === "" || Object.hasOwn(words.eventTypes, value);
const PAGE = 200;
/** As many as a page shows without getting slow. */
const MOST = 500;

/** Everything that happens, as it happens. */
export function Events() {
  const [type, setType] = useSetting<EventType | "">("kind", "", isKind);
  const [span, setSpan] = useSetting<Span>("since", "day", isSpan);
  const { events, live, error } = useFeed(type, SPANS[span]);
  const { nameOf } = useInboxes();
  const [title, lead] = words.operations.areas.events;
  return (
    <View title={title} lead={lead} back={{ href: "/operations", label: words.operations.title }}>
      <div class="grid items-end gap-4 sm:grid-cols-2">
        <SelectField
          label={text.types}
          options={[["", text.all], ...Object.entries(words.eventTypes)]}
          value={type}
          onValue={(value) => setType(value as EventType)}
        />
        <SelectField
          label={text.since}
          options={Object.entries(text.spans)}
          value={span}
          onValue={(value) => setSpan(value as Span)}
        />
      </div>
      {error !== null && <Problem error={error} />}
      {error === null && (
        <p role="status">{live ? <Chip tone="done">{text.live}</Chip> : <Chip>{text.connecting}</Chip>}</p>
      )}
      {events === null && error === null && <Loading />}
      {events?.length === 0 && (
        <Sheet>
          <Empty title={text.empty.title}>{text.empty.text}</Empty>
        </Sheet>
      )}
      {events !== null && events.length > 0 && (
        <Rows label={title}>
          {events.map((event) => (
            <Opens
              key={event.id}
              title={eventName(event.type)}
              meta={<When at={event.created_at} />}
              detail={
                <>
                  <span class="font-mono text-xs">{event.type}</span>
                  {event.inbox_id !== null && <span>{nameOf(event.inbox_id)}</span>}
                </>
              }
            >
              {() => <Json value={event} label={text.json} />}
            </Opens>
          ))}
        </Rows>
      )}
      {events !== null && events.length === MOST && <p class="text-sm text-soft">{text.more(MOST)}</p>}
    </View>
  );
}

/** The newest events of a time and kind, newest first, and from then on each as it happens. */
function useFeed(type: EventType | "", span_ms: number) {
  const [events, setEvents] = useState<readonly LetterslotEvent[] | null>(null);
  const [live, setLive] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const types = type === "" ? {} : { types: type };
    const add = (more: readonly LetterslotEvent[]) =>
      setEvents((before) => [...more.toReversed(), ...(before ?? [])].slice(0, MOST));
    const follow = async () => {
      const ask = (after: string) => client.events.list({ after, limit: PAGE, ...types }, { signal });
      const { found, after } = await newestSince(Date.now() - span_ms, ask);
      add(found);
      const stream = client.events.stream(
        { after, ...types },
        { signal, onOpen: () => setLive(true), onLost: () => setLive(false) },
      );
      for await (const event of stream) add([event]);
    };
    setEvents(null);
    setLive(false);
    setError(null);
    follow().catch((cause: Error) => {
      if (!signal.aborted) setError(cause);
    });
    return () => ending.abort();
  }, [type, span_ms]);
  return { events, live, error };
}

type Ask = (after: string) => ReturnType<typeof client.events.list>;

/**
 * The newest events since a time, oldest first, and the cursor after them. Pages go forwards: what doesn't fit on one is
 * read from its end, in stretches that get longer where few of a kind are found.
 */
async function newestSince(since: number, ask: Ask): Promise<{ found: LetterslotEvent[]; after: string }> {
  const [oldest, end] = await Promise.all([
    ask(new Date(since).toISOString()),
    // After a time to come there is nothing yet: what was looked at last is the newest.
    ask(new Date(Date.now() + SPANS.day).toISOString()),
  ]);
  if (!oldest.has_more) return { found: oldest.data, after: oldest.next_cursor };
  const first = Number(oldest.next_cursor);
  const found: LetterslotEvent[] = [];
  let before = Number(end.next_cursor);
  for (let stretch = MOST; before > first && found.length < MOST; stretch *= 4) {
    const begin = Math.max(first, before - stretch);
    const part: LetterslotEvent[] = [];
    for (let after = begin; after < before; ) {
      const page = await ask(String(after));
      const upTo = before;
      part.push(...page.data.filter(({ sequence }) => sequence <= upTo));
      after = Number(page.next_cursor);
    }
    found.unshift(...part);
    before = begin;
  }
  return { found: before > first ? found : [...oldest.data, ...found], after: end.next_cursor };
}
