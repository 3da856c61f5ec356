import type { Client } from "@letterslot/client";
import { sendAndHangUp } from "./half-sent.ts";
import type { MailDomain } from "./mail-domain.ts";
import { sendBySmtp } from "./smtp.ts";
import { untilNoneLeft } from "./until.ts";

/** What the load is put on. */
export interface Target {
  client: Client;
  /**
   * Clients of single api processes: each try of a reply goes through another one. All through `client`
   * unless stated.
   */
  replicas?: readonly Client[];
  inbox_id: string;
  address: string;
  smtp_port: number;
  owner: string;
  domain: MailDomain;
  /** While it says so, nothing new is begun: what comes in must be worked off too. Never unless stated. */
  isEnough?(promised: Promised): boolean;
  /** Is told of each answer at once, by the Message-ID of the mail or the id of the reply. */
  acknowledged?(id: string): void;
  /** Numbers from 0 to below 1; decides which answers get lost. */
  random(): number;
}

/** What the clients were promised: mail that was answered 250, replies that were answered with a message. */
export interface Promised {
  /** Text by Message-ID. */
  mails: Map<string, string>;
  /** The id of the answered message by its text. */
  replies: Map<string, string>;
  /** Answers that say that something is wrong with the request; there should be none. */
  refused: string[];
  /** The sequences of the task events that an agent's stream showed, in that order. */
  streamed: number[];
}

const pauseMs = 25;
const standstillMs = 120_000;
/** So often a client hangs up before it hears the answer, and tries again like any other. */
const hangsUp = 0.2;
const longestPatienceMs = 30;
const shortListLines = 400;
/** More bytes than are kept in a database. */
const longListLines = 4_000;

/** Clients at work. */
export interface Load {
  promised: Promised;
  answered(): number;
  /**
   * Waits until so many were answered, or one was refused; throws when two minutes go by without an answer.
   */
  reaches(enough: number): Promise<void>;
  /** Each client finishes what it has begun, however long the server is away. */
  stop(): Promise<void>;
  /** Ends the stream, which goes on listening after the others have stopped. */
  hangUp(): Promise<void>;
}

/**
 * Starts mail clients and agents. Each tries the same mail, or the same reply with the same Idempotency-Key,
 * again and again until it gets its answer, as RFC 5321 and the interface have it.
 */
export function startLoad(target: Target, { mailers, agents }: { mailers: number; agents: number }): Load {
  const promised: Promised = { mails: new Map(), replies: new Map(), refused: [], streamed: [] };
  let stopped = false;
  const going = () => !stopped;
  const work = [
    ...Array.from({ length: mailers }, (_, number) => keepMailing(target, promised, number, going)),
    ...Array.from({ length: agents }, (_, number) => keepReplying(target, promised, number, going)),
  ].map((client) => client.catch((error: unknown) => promised.refused.push(String(error))));
  const ear = new AbortController();
  const listening = keepListening(target, promised, ear.signal);
  const answered = () => promised.mails.size + promised.replies.size;
  return {
    promised,
    answered,
    reaches: (enough) =>
      untilNoneLeft("answers", () => (promised.refused.length > 0 ? 0 : enough - answered()), standstillMs),
    async stop() {
      stopped = true;
      await Promise.all(work);
    },
    hangUp() {
      ear.abort();
      return listening;
    },
  };
}

async function keepMailing(
  target: Target,
  promised: Promised,
  number: number,
  going: () => boolean,
): Promise<void> {
  const { domain, smtp_port, owner, address, random, acknowledged } = target;
  for (let count = 1; await mayBegin(target, promised, going); count++) {
    const message_id = `<${number}-${count}@family.example.com>`;
    const text = `Please do number ${count} of list ${number}.`;
    const lines = count === 2 ? longListLines : count % 4 === 0 ? shortListLines : 0;
    const content = `${text} ${"line of the list\n".repeat(lines)}`;
    const attachments = lines > 0 ? [{ filename: "list.txt", content }] : [];
    const subject = `List ${number}, ${count}`;
    const raw = await domain.sign({ from: owner, to: address, subject, text, message_id, attachments });
    if (random() < hangsUp) await sendAndHangUp(smtp_port, { raw, from: owner, to: address });
    for (;;) {
      const status = await sendBySmtp(smtp_port, { raw, from: owner, to: address });
      if (status === 250) break;
      if (status !== null && status >= 500) throw new Error(`${message_id} was refused with ${status}`);
      await pause();
    }
    promised.mails.set(message_id, text);
    acknowledged?.(message_id);
  }
}

/** Waits while there is enough; false when the load is to stop. */
async function mayBegin(
  { isEnough = () => false }: Target,
  promised: Promised,
  going: () => boolean,
): Promise<boolean> {
  while (going() && isEnough(promised)) await pause();
  return going();
}

async function keepReplying(
  target: Target,
  promised: Promised,
  number: number,
  going: () => boolean,
): Promise<void> {
  const { client, inbox_id, random, replicas = [client], acknowledged } = target;
  const newest = async (place: number) =>
    (await client.messages.list({ inbox_id, limit: 10, direction: "inbound" })).data[place % 10]?.id;
  for (let count = 1; await mayBegin(target, promised, going); count++) {
    const message_id = await tried(() => newest(count));
    if (message_id === undefined) continue;
    const text = `Reply ${count} of agent ${number}.`;
    const idempotency_key = `agent-${number}-${count}`;
    let hasty = random() < hangsUp;
    let turn = number + count;
    const { id } = await tried(() => {
      const patience = hasty ? { signal: AbortSignal.timeout(Math.floor(random() * longestPatienceMs)) } : {};
      hasty = false;
      const replica = replicas[turn++ % replicas.length] ?? client;
      return replica.messages.reply({ inbox_id, message_id, text }, { idempotency_key, ...patience });
    });
    promised.replies.set(text, id);
    acknowledged?.(id);
    await pause();
  }
}

async function keepListening(
  { client }: Target,
  { streamed, refused }: Promised,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && refused.length === 0) {
    try {
      const last_event_id = String(streamed.at(-1) ?? 0);
      for await (const { type, sequence } of client.tasks.stream({ last_event_id }, { signal })) {
        if (type === "task.received") streamed.push(sequence);
      }
    } catch (error) {
      // Without an answer the server is away; the next stream goes on after the last event that was seen.
      const { status, code } = error as { status?: number | null; code?: string };
      // A place that a process died with is held until its lease ends.
      if (typeof status === "number" && status < 500 && code !== "rate_limited")
        refused.push(`the stream: ${String(error)}`);
    }
    await pause();
  }
}

/** Calls until there is an answer; throws the ones that say that the call itself is wrong. */
async function tried<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { status, code } = error as { status?: number | null; code?: string };
      if (typeof status === "number" && status < 500 && code !== "idempotency_request_in_progress")
        throw error;
    }
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));
