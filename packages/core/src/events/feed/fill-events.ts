import type { Services } from "../../kernel/context.ts";
import { createTurns } from "../../kernel/yield-to-event-loop.ts";
import { showDeleted, showSnapshot } from "../../mailbox/messages/index.ts";
import { MESSAGE_FIELDS, type MessageSnapshot, type TaskSnapshot } from "../../model/events.ts";
import type { EventRecord } from "../../model/feed.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { Answer } from "../../model/questions.ts";
import type { TaskRecord } from "../../model/tasks.ts";
import { showDeletedTask, showTaskSnapshot } from "../../owners/tasks/index.ts";
import { withoutWords } from "../../owners/updates/index.ts";

/** The services that filling in events needs. */
export type EventReader = Pick<Services, "storage" | "options" | "yieldToEventLoop">;
type EventOfMessage = EventRecord & { message_id: string };

/**
 * The batch size, which bounds the whole messages in memory at once: each may have a million characters, of which its
 * event shows few.
 */
const EVENTS_PER_BATCH = 50;
/** The number of characters of messages processed in one turn of the event loop. */
const CHARS_PER_TURN = 1_000_000;

/**
 * Fills in the messages and tasks of events, as they were at the time of the event. Costs one query for the
 * messages and one for the tasks of every fifty events; events without a message cost nothing.
 */
export async function fillEvents(
  reader: EventReader,
  events: readonly EventRecord[],
): Promise<EventRecord[]> {
  const filled: EventRecord[] = [];
  for (let start = 0; start < events.length; start += EVENTS_PER_BATCH)
    filled.push(...(await fillTogether(reader, events.slice(start, start + EVENTS_PER_BATCH))));
  return filled;
}

async function fillTogether(reader: EventReader, events: readonly EventRecord[]): Promise<EventRecord[]> {
  const ofMessages = events.filter(isOfMessage);
  const [messages, tasks] = await Promise.all([
    messagesOf(reader, ofMessages),
    tasksOf(reader, ofMessages.filter(showsTask)),
  ]);
  const afterChars = createTurns(reader.yieldToEventLoop, CHARS_PER_TURN);
  const filled: EventRecord[] = [];
  for (const event of events) {
    const message = event.message_id === null ? undefined : messages.get(event.message_id);
    if (message !== undefined) await afterChars(message.extracted_text.length);
    filled.push(fillOne(event, { message, task: tasks.get(event.message_id) }, reader.options));
  }
  return filled;
}

function fillOne(event: EventRecord, found: Found, options: EventReader["options"]): EventRecord {
  if (!isOfMessage(event)) return event;
  const data = { ...event.data };
  for (const { name, shows } of MESSAGE_FIELDS[event.type])
    if (data[name] != null) data[name] = FILL[shows](data[name] as never, event, found, options);
  return { ...event, data };
}

interface Found {
  message: MessageRecord | undefined;
  task: TaskRecord | undefined;
}

/** Fills in a stored field for display. If its message was deleted, none of the mail's text is shown. */
const FILL = {
  message: (
    snapshot: MessageSnapshot,
    { message_id: id, inbox_id }: EventOfMessage,
    { message }: Found,
    options: EventReader["options"],
  ) =>
    message === undefined
      ? showDeleted(snapshot, { id, inbox_id })
      : showSnapshot(snapshot, message, options),
  task: (snapshot: TaskSnapshot, event: EventOfMessage, { task, message }: Found) =>
    task === undefined || message === undefined
      ? showDeletedTask(snapshot, event)
      : showTaskSnapshot(snapshot, task, message),
  answer: (answer: Answer, _event: EventOfMessage, { message }: Found) =>
    message === undefined ? withoutWords(answer) : answer,
};

const isOfMessage = (event: EventRecord): event is EventOfMessage => event.message_id !== null;
const showsTask = ({ type }: EventRecord): boolean =>
  MESSAGE_FIELDS[type].some(({ shows }) => shows === "task");

async function messagesOf(
  { storage }: EventReader,
  events: readonly EventOfMessage[],
): Promise<Map<string, MessageRecord>> {
  const ids = idsOf(events);
  const found =
    ids.length === 0 ? [] : await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  return new Map(found.map((message) => [message.id, message]));
}

async function tasksOf(
  { storage }: EventReader,
  events: readonly EventOfMessage[],
): Promise<Map<string | null, TaskRecord>> {
  const ids = idsOf(events);
  const found =
    ids.length === 0
      ? []
      : await storage.find("tasks", { where: { message_id: { in: ids } }, limit: ids.length });
  return new Map(found.map((task) => [task.message_id, task]));
}

const idsOf = (events: readonly EventOfMessage[]): string[] => [
  ...new Set(events.map(({ message_id }) => message_id)),
];
