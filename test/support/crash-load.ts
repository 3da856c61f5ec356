import type { Client } from "@letterslot/client";
import type { MailDomain } from "./mail-domain.ts";
import { sendBySmtp } from "./smtp.ts";

/** What the load is put on. */
export interface Target {
  client: Client;
  inbox_id: string;
  address: string;
  smtp_port: number;
  owner: string;
  domain: MailDomain;
}

/** What the clients were promised: mail that was answered 250, replies that were answered with a message. */
export interface Promised {
  /** Text by Message-ID. */
  mails: Map<string, string>;
  /** The id of the answered message by its text. */
  replies: Map<string, string>;
  /** Answers that say that something is wrong with the request; there should be none. */
  refused: string[];
}

const pauseMs = 25;

/** Clients at work. */
export interface Load {
  promised: Promised;
  /** Each client finishes what it has begun, however long the server is away. */
  stop(): Promise<void>;
}

/**
 * Starts mail clients and agents. Each tries the same mail, or the same reply with the same Idempotency-Key, again and again until it
 * gets its answer, as RFC 5321 and the interface have it.
 */
export function startLoad(target: Target, { mailers, agents }: { mailers: number; agents: number }): Load {
  const promised: Promised = { mails: new Map(), replies: new Map(), refused: [] };
  let stopped = false;
  const going = () => !stopped;
  const work = [
    ...Array.from({ length: mailers }, (_, number) => keepMailing(target, promised, number, going)),
    ...Array.from({ length: agents }, (_, number) => keepReplying(target, promised, number, going)),
  ];
  return {
    promised,
    async stop() {
      stopped = true;
      await Promise.all(work);
    },
  };
}

async function keepMailing(
  { domain, smtp_port, owner, address }: Target,
  promised: Promised,
  number: number,
  going: () => boolean,
) {
  for (let count = 1; going(); count++) {
    const message_id = `<${number}-${count}@family.example.com>`;
    const text = `Please do number ${count} of list ${number}.`;
    const attachments = count % 4 === 0 ? [{ filename: "list.txt", content: `${text} ${"line of the list\n".repeat(400)}` }] : [];
    const raw = await domain.sign({
      from: owner,
      to: address,
      subject: `List ${number}, ${count}`,
      text,
      message_id,
      attachments,
    });
    for (;;) {
      const status = await sendBySmtp(smtp_port, { raw, from: owner, to: address });
      if (status === 250) break;
      if (status !== null && status >= 500) {
        promised.refused.push(`${message_id}: ${status}`);
        return;
      }
      await pause();
    }
    promised.mails.set(message_id, text);
  }
}

async function keepReplying({ client, inbox_id }: Target, promised: Promised, number: number, going: () => boolean) {
  for (let count = 1; going(); count++) {
    const text = `Reply ${count} of agent ${number}.`;
    let message_id: string | undefined;
    for (;;) {
      try {
        message_id ??= (await client.messages.list({ inbox_id, limit: 10, direction: "inbound" })).data[count % 10]?.id;
        if (message_id === undefined) break;
        const reply = await client.messages.reply(
          { inbox_id, message_id, text },
          { idempotency_key: `agent-${number}-${count}` },
        );
        promised.replies.set(text, reply.id);
        break;
      } catch (error) {
        const { status, code } = error as { status?: number | null; code?: string };
        if (typeof status === "number" && status < 500 && code !== "idempotency_request_in_progress") {
          promised.refused.push(`${text}: ${status} ${code}`);
          return;
        }
      }
      await pause();
    }
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));
