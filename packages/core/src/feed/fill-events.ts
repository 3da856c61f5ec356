import type { Services } from "../kernel/context.ts";
import { type MessageSnapshot, showDeleted, showSnapshot } from "../messages/index.ts";
import type { EventRecord } from "../model/feed.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { Answer } from "../model/questions.ts";
import type { TaskRecord } from "../model/tasks.ts";
import { showDeletedTask, showTaskSnapshot, type TaskSnapshot } from "../tasks/index.ts";
import { withoutWords } from "../updates/index.ts";

type Reader = Pick<Services, "storage" | "options">;
type EventOfMessage = EventRecord & { message_id: string };

/**
 * A message may have a million characters, of which its event shows few: whole ones are in memory so many at
 * a time.
 */
const filledAtOnce = 50;

/**
 * Events with their message and task filled in as they were at the event's moment. Costs a query for the
 * messages of fifty events and one for their tasks; events that tell of no message cost nothing.
 */
export async function fillEvents(reader: Reader, events: readonly EventRecord[]): Promise<EventRecord[]> {
  const filled: EventRecord[] = [];
  for (let start = 0; start < events.length; start += filledAtOnce)
    filled.push(...(await fillTogether(reader, events.slice(start, start + filledAtOnce))));
  return filled;
}

async function fillTogether(reader: Reader, events: readonly EventRecord[]): Promise<EventRecord[]> {
  const [messages, tasks] = await Promise.all([
    messagesOf(reader, events.filter(isOfMessage)),
    tasksOf(reader, events.filter(isOfMessage).filter(hasTask)),
  ]);
  return events.map((event) => {
    if (!isOfMessage(event)) return event;
    const { message_id } = event;
    const data = { ...event.data };
    if (hasMessage(event)) data["message"] = shownMessage(event, messages.get(message_id), reader.options);
    if (hasTask(event)) data["task"] = shownTask(event, tasks.get(message_id), messages.get(message_id));
    if (hasAnswer(event) && !messages.has(message_id))
      data["answer"] = withoutWords(data["answer"] as Answer);
    return { ...event, data };
  });
}

const isOfMessage = (event: EventRecord): event is EventOfMessage => event.message_id !== null;
const hasMessage = ({ data }: EventRecord): boolean => "message" in data;
const hasTask = ({ data }: EventRecord): boolean => "task" in data;
const hasAnswer = ({ data }: EventRecord): boolean => data["answer"] != null;

function shownMessage(
  { message_id: id, inbox_id, data }: EventOfMessage,
  message: MessageRecord | undefined,
  options: Reader["options"],
) {
  const moment = data["message"] as MessageSnapshot;
  return message === undefined
    ? showDeleted(moment, { id, inbox_id })
    : showSnapshot(moment, message, options);
}

function shownTask(event: EventOfMessage, task: TaskRecord | undefined, message: MessageRecord | undefined) {
  const moment = event.data["task"] as TaskSnapshot;
  return task === undefined || message === undefined
    ? showDeletedTask(moment, event)
    : showTaskSnapshot(moment, task, message);
}

async function messagesOf(
  { storage }: Reader,
  events: readonly EventOfMessage[],
): Promise<Map<string, MessageRecord>> {
  const ids = idsOf(events);
  const found =
    ids.length === 0 ? [] : await storage.find("messages", { where: { id: { in: ids } }, limit: ids.length });
  return new Map(found.map((message) => [message.id, message]));
}

async function tasksOf(
  { storage }: Reader,
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
