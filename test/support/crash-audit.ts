import type { Client } from "@letterslot/client";
import type { Promised } from "./crash-load.ts";
import type { Arrived } from "./smtp.ts";
import { untilNoneLeft } from "./until.ts";
import type { Delivered } from "./webhook-receiver.ts";

const TIMEOUT_MS = 30_000;

/** The promises to clients, and everything that arrived outside the server. */
export interface World {
  /** Reads the final state; it should have a long timeout. */
  client: Client;
  inbox_id: string;
  promised: Promised;
  arrived: Arrived[];
  delivered: Delivered[];
  /** Time limit for the next effect of each kind; default 30 seconds. */
  within_ms?: number;
}

type Found = Awaited<ReturnType<typeof read>>;

async function read(client: Client, inbox_id: string) {
  const [inbound, outbound, tasks] = await Promise.all([
    all(client.messages.list({ inbox_id, direction: "inbound", limit: 200 })),
    all(client.messages.list({ inbox_id, direction: "outbound", limit: 200 })),
    all(client.tasks.list({ inbox_id, status: "all", limit: 200 })),
  ]);
  return { inbound, outbound, tasks };
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Waits, up to a limit, until every promise has had its effects. Returns the API's state and the missing effects. */
export async function waitForEffects({
  client,
  inbox_id,
  promised,
  arrived,
  delivered,
  within_ms = TIMEOUT_MS,
}: World): Promise<Found & { missed: string[] }> {
  const missed: string[] = [];
  const waitFor = async (what: string, left: () => number | Promise<number>) => {
    await untilNoneLeft(what, left, within_ms).catch((error: unknown) => missed.push(String(error)));
  };
  const expected = 3 * promised.mails.size + promised.replies.size;
  const hasArrived = (text: string) => arrived.some((mail) => mail.text.includes(text));
  let absent = [...promised.replies.keys()];
  await waitFor("replies to arrive", () => {
    absent = absent.filter((text) => !hasArrived(text));
    return absent.length;
  });
  await waitFor(
    "events to be delivered",
    () => expected - new Set(parseEvents(delivered).map(({ id }) => id)).size,
  );
  await waitFor("tasks to be streamed", () => promised.mails.size - promised.streamed.length);
  await waitFor("mails to be sent", async () => {
    const outbound = await all(
      client.messages.list({ inbox_id, direction: "outbound", limit: 200, view: "summary" }),
    );
    return outbound.filter(({ status }) => status !== "sent").length;
  });
  return { ...(await read(client, inbox_id)), missed };
}

/** An event as a receiver got it, with its delivery's id. */
export interface SeenEvent {
  id: string;
  type: string;
  sequence: number;
  delivery: string;
}

/** Parses the events of all deliveries, including repeated ones. */
export function parseEvents(delivered: Delivered[]): SeenEvent[] {
  return delivered.map(({ headers, body }) => {
    const { id, type, sequence } = JSON.parse(body) as SeenEvent;
    return { id, type, sequence, delivery: String(headers["x-svc-delivery"]) };
  });
}

/** Compares the promises with the actual state: one line for each loss, duplicate or inconsistency. */
export function audit({
  promised,
  arrived,
  delivered,
  inbound,
  outbound,
  tasks,
}: Pick<World, "promised" | "arrived" | "delivered"> & Found) {
  const [lost, doubled, torn]: string[][] = [[], [], []] as [string[], string[], string[]];
  const byMessageId = Map.groupBy(inbound, ({ message_id }) => message_id ?? "");
  const byMessage = Map.groupBy(tasks, ({ message_id }) => message_id);
  for (const [message_id, text] of promised.mails) {
    const [message, ...others] = byMessageId.get(message_id) ?? [];
    if (message === undefined) lost.push(`mail ${message_id}`);
    else if (message.extracted_text?.trim() !== text)
      torn.push(`mail ${message_id}: ${message.extracted_text}`);
    if (others.length > 0) doubled.push(`mail ${message_id}`);
    const made = byMessage.get(message?.id ?? "")?.length ?? 0;
    if (made === 0) torn.push(`task of ${message_id}`);
    if (made > 1) doubled.push(`task of ${message_id}`);
  }
  if (inbound.length !== promised.mails.size)
    torn.push(`${inbound.length} messages of ${promised.mails.size} mails`);
  if (tasks.length !== promised.mails.size)
    torn.push(`${tasks.length} tasks of ${promised.mails.size} mails`);

  let marked = 0;
  let twice = 0;
  const byText = Map.groupBy(outbound, ({ extracted_text }) => extracted_text?.trim() ?? "");
  for (const [text, id] of promised.replies) {
    const [message, ...others] = byText.get(text) ?? [];
    if (message?.id !== id) lost.push(`reply ${text}`);
    if (others.length > 0) doubled.push(`reply ${text}`);
    const here = arrived.filter((mail) => mail.text.includes(text));
    const isMarked = message?.delivery_events.some(({ type }) => type === "possibly_repeated") === true;
    if (isMarked) marked += 1;
    if (here.length > 1) twice += 1;
    if (here.length === 0) lost.push(`reply ${text} at the sink`);
    if (here.length > 1 && !isMarked) doubled.push(`reply ${text} at the sink, unmarked`);
    if (new Set(here.map(({ message_id }) => message_id)).size > 1)
      doubled.push(`reply ${text} with two Message-IDs`);
  }

  const events = parseEvents(delivered);
  const bySequence = Map.groupBy(events, ({ sequence }) => sequence);
  const sequences = [...bySequence.keys()].toSorted((a, b) => a - b);
  const first = sequences[0] ?? 0;
  sequences.forEach((sequence, index) => {
    if (sequence !== first + index) torn.push(`sequence before ${sequence}`);
  });
  for (const [sequence, same] of bySequence) {
    if (new Set(same.map(({ id }) => id)).size > 1) doubled.push(`sequence ${sequence}`);
    if (new Set(same.map(({ delivery }) => delivery)).size > 1)
      doubled.push(`delivery of sequence ${sequence}`);
  }
  for (const type of ["message.received", "task.received", "owner.reply"]) {
    const count = new Set(events.filter((event) => event.type === type).map(({ id }) => id)).size;
    if (count !== promised.mails.size) torn.push(`${count} events ${type} of ${promised.mails.size} mails`);
  }
  const taskSequences = new Set(
    events.filter(({ type }) => type === "task.received").map(({ sequence }) => sequence),
  );
  const inOrder = [...taskSequences].toSorted((a, b) => a - b);
  if (promised.streamed.join() !== inOrder.join())
    torn.push(`stream: ${promised.streamed.join()} of ${inOrder.join()}`);
  return { lost, doubled, torn, marked, twice };
}
