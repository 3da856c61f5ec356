import type { LetterslotEvent } from "@letterslot/client";
import { inboxIdOf, ONE_INBOX } from "../catalogue/inbox.ts";
import { defineCommand, type Group } from "../frame/command.ts";
import type { Connection, Context } from "../frame/context.ts";
import { wrongUse } from "../frame/exit.ts";
import type { Column } from "../frame/output.ts";
import { type FeedStart, readStart } from "../listen/start-of.ts";
import { subjectOf } from "../listen/subject-of.ts";

const START = "90s, 15m, 2h, 7d ago; a time; an event's sequence; or oldest";

const tail = defineCommand({
  summary: "Shows events as they happen, until Ctrl-C",
  about:
    "An event is one JSON line where the output is piped: the same record as in a webhook. After a lost connection it goes on where it was, and neither misses nor repeats one.",
  options: {
    events: {
      kind: "text",
      many: true,
      about: "only these types, such as message.received",
      placeholder: "type",
    },
    inbox: ONE_INBOX,
    since: { kind: "text", about: `begin in the past: ${START}`, placeholder: "when" },
    until_now: { kind: "flag", about: "show what has happened and end, instead of waiting for more" },
  },
  examples: [
    "letterslot events tail",
    "letterslot events tail --since 1h --events message.received --events task.received",
    "letterslot events tail --since oldest --until-now --json > events.jsonl",
  ],
  async run(context, { events, inbox, since, until_now }) {
    const start = since === undefined ? "now" : startOf(since, "--since");
    const connection = await context.connect();
    const filter = await filterOf(connection, context, events, inbox);
    const found = until_now
      ? past(connection, context, filter, start)
      : coming(connection, context, filter, await cursorOf(connection, start));
    await context.output.follow(found, COLUMNS);
  },
});

const COLUMNS: readonly Column[] = [
  { title: "time", of: ({ created_at }) => String(created_at).slice(0, 19).replace("T", " ") },
  { title: "sequence", of: ({ sequence }) => sequence },
  { title: "type", of: ({ type }) => type },
  { title: "about", of: (event) => subjectOf(event as unknown as LetterslotEvent), cut: true },
];

interface Filter {
  types?: LetterslotEvent["type"][];
  inbox_id?: string;
}

/** A start that was typed. Throws `CliError`. */
export function startOf(text: string, option: string): FeedStart {
  const start = readStart(text, new Date());
  if (start === undefined)
    throw wrongUse(`${option} ${JSON.stringify(text)} is no start.`, `It is ${START}.`);
  return start;
}

/** Which events are meant. */
export async function filterOf(
  connection: Connection,
  context: Context,
  events: readonly string[],
  inbox: string | undefined,
): Promise<Filter> {
  const types = events.flatMap((each) => each.split(",")).filter((each) => each !== "");
  return {
    // The server knows which types there are.
    ...(types.length === 0 ? {} : { types: types as LetterslotEvent["type"][] }),
    ...(inbox === undefined ? {} : { inbox_id: await inboxIdOf(connection, context, inbox) }),
  };
}

const cursorOf = async ({ client }: Connection, start: FeedStart): Promise<string | undefined> => {
  if (start === "now") return undefined;
  if (start !== "oldest") return start.after;
  const { data } = await client.events.list({ limit: 1 });
  return data[0] === undefined ? undefined : String(data[0].sequence - 1);
};

const PAGE_EVENTS = 200;

/** Yields past events. */
async function* past(
  { client }: Connection,
  { signal }: Context,
  filter: Filter,
  start: FeedStart,
): AsyncGenerator<LetterslotEvent> {
  if (start === "now") return;
  let after = start === "oldest" ? undefined : start.after;
  for (;;) {
    const input = { ...filter, limit: PAGE_EVENTS, ...(after === undefined ? {} : { after }) };
    const page = await client.events.list(input, { signal });
    yield* page.data;
    if (!page.has_more) return;
    after = page.next_cursor;
  }
}

/** Yields new events, after those since the cursor. */
const coming = (
  { client }: Connection,
  { signal }: Context,
  filter: Filter,
  after: string | undefined,
): AsyncGenerator<LetterslotEvent> =>
  client.events.stream({ ...filter, ...(after === undefined ? {} : { after }) }, { signal });

/** `letterslot events`. */
export const command: Group = {
  summary: "Shows what happens in the account",
  examples: ["letterslot events tail --since 1h"],
  commands: { tail },
};
