import type { Client } from "@letterslot/client";
import { sendAndHangUp } from "./half-sent.ts";
import type { MailDomain } from "./mail-domain.ts";
import { sendBySmtp } from "./smtp.ts";
import { untilNoneLeft } from "./until.ts";

/** The target of the load. */
export interface Target {
  client: Client;
  /** Clients of individual api processes, used in turn for each attempt to reply; default only `client`. */
  replicas?: readonly Client[];
  inbox_id: string;
  address: string;
  smtp_port: number;
  owner: string;
  domain: MailDomain;
  /** While it returns true, nothing new is started, so that the server can catch up; default never. */
  isEnough?(promised: Promised): boolean;
  /** Called at once for each acknowledgement, with the mail's Message-ID or the reply's id. */
  acknowledged?(id: string): void;
  /** Random numbers in [0, 1), which decide which responses are lost. */
  random(): number;
}

/** The promises to clients: mail acknowledged with 250, replies answered with a message. */
export interface Promised {
  /** Text by Message-ID. */
  mails: Map<string, string>;
  /** Message ids by text. */
  replies: Map<string, string>;
  /** Responses that reject a request as wrong; there should be none. */
  refused: string[];
  /** The sequences of the task events in an agent's stream, in order of arrival. */
  streamed: number[];
}

const PAUSE_MS = 25;
const STANDSTILL_MS = 120_000;
/** The share of requests whose client disconnects before the response and then retries. */
const HANG_UP_RATE = 0.2;
const MAX_PATIENCE_MS = 30;
const SHORT_LIST_LINES = 400;
/** Enough bytes to be stored outside the database. */
const LONG_LIST_LINES = 4_000;

/** Running clients. */
export interface Load {
  promised: Promised;
  answered(): number;
  /** Waits for `enough` acknowledgements or a rejection; throws after two minutes without an acknowledgement. */
  untilAnswered(enough: number): Promise<void>;
  /** Lets each client finish its current request, however long the server is down. */
  stop(): Promise<void>;
  /** Ends the stream, which stays open after the other clients have stopped. */
  hangUp(): Promise<void>;
}

/**
 * Starts mail clients and agents. Each retries the same mail, or the same reply with the same Idempotency-Key,
 * until it gets a response, as RFC 5321 and our API require.
 */
export function startLoad(target: Target, { mailers, agents }: { mailers: number; agents: number }): Load {
  const promised: Promised = { mails: new Map(), replies: new Map(), refused: [], streamed: [] };
  let stopped = false;
  const going = () => !stopped;
  const work = [
    ...Array.from({ length: mailers }, (_, number) => keepMailing(target, promised, number, going)),
    ...Array.from({ length: agents }, (_, number) => keepReplying(target, promised, number, going)),
  ].map((client) => client.catch((error: unknown) => promised.refused.push(String(error))));
  const stream = new AbortController();
  const listening = keepListening(target, promised, stream.signal);
  const answered = () => promised.mails.size + promised.replies.size;
  return {
    promised,
    answered,
    untilAnswered: (enough) =>
      untilNoneLeft("answers", () => (promised.refused.length > 0 ? 0 : enough - answered()), STANDSTILL_MS),
    async stop() {
      stopped = true;
      await Promise.all(work);
    },
    hangUp() {
      stream.abort();
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
    const lines = count === 2 ? LONG_LIST_LINES : count % 4 === 0 ? SHORT_LIST_LINES : 0;
    const content = `${text} ${"line of the list\n".repeat(lines)}`;
    const attachments = lines > 0 ? [{ filename: "list.txt", content }] : [];
    const subject = `List ${number}, ${count}`;
    const raw = await domain.sign({ from: owner, to: address, subject, text, message_id, attachments });
    if (random() < HANG_UP_RATE) await sendAndHangUp(smtp_port, { raw, from: owner, to: address });
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

/** Waits while there is enough; returns false when the load must stop. */
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
    const message_id = await retry(() => newest(count));
    if (message_id === undefined) continue;
    const text = `Reply ${count} of agent ${number}.`;
    const idempotency_key = `agent-${number}-${count}`;
    let impatient = random() < HANG_UP_RATE;
    let turn = number + count;
    const { id } = await retry(() => {
      const patience = impatient
        ? { signal: AbortSignal.timeout(Math.floor(random() * MAX_PATIENCE_MS)) }
        : {};
      impatient = false;
      const replica = replicas[turn++ % replicas.length] ?? client;
      return replica.messages.reply(
        { inbox_id, message_id, text },
        { idempotencyKey: idempotency_key, ...patience },
      );
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
      // Without a response the server is down; the next stream resumes after the last event seen.
      const { status, code } = error as { status?: number | null; code?: string };
      // A killed process keeps its stream slot until the lease ends.
      if (typeof status === "number" && status < 500 && code !== "rate_limited")
        refused.push(`the stream: ${String(error)}`);
    }
    await pause();
  }
}

/** Retries until there is a response; throws if the response rejects the call itself. */
async function retry<T>(call: () => Promise<T>): Promise<T> {
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

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
