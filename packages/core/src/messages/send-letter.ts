import type { Services } from "../kernel/context.ts";
import type { Work } from "../kernel/work.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { MessageRecord } from "../model/messages.ts";
import { queueOutgoing } from "./outgoing.ts";

/** A mail that the service itself writes. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/** What is sealed into a letter's send job: the body that holds codes or tokens. */
export interface SealedLetter extends Letter {
  headers: Record<string, string>;
}

/**
 * Queues a letter from an inbox in the caller's transaction. `shown` is what is stored and what the agent can
 * read: it never holds a code or token. `sealed`, where there is one, is what leaves: it lives encrypted in
 * the send job and goes with it (decisions, section 12a). Headers are sent with the letter; those with tokens
 * go into `sealed_headers`.
 */
export async function sendLetter(
  services: Services,
  work: Work,
  letter: {
    inbox: InboxRecord;
    to: string;
    shown: Letter;
    sealed?: Letter;
    headers?: Record<string, string>;
    sealed_headers?: Record<string, string>;
    /** The thread to go on in, and the message there that the letter answers. */
    thread?: { thread_id: string; answers: string } | null;
    update_task_id?: string | null;
    now: Date;
  },
): Promise<MessageRecord> {
  const { inbox, to, shown, sealed = shown, thread, now } = letter;
  const answered = thread == null ? undefined : await work.get("messages", thread.answers);
  const headers = { "Auto-Submitted": "auto-generated", ...letter.headers };
  const secret: SealedLetter = { ...sealed, headers: { ...headers, ...letter.sealed_headers } };
  const { record } = await queueOutgoing(
    services,
    work,
    inbox,
    {
      to: [to],
      cc: [],
      bcc: [],
      reply_to: null,
      subject: shown.subject,
      text: shown.text,
      html: shown.html,
      headers,
      labels: ["owner"],
      attachments: [],
      client_id: null,
      in_reply_to: answered?.message_id ?? null,
      references:
        answered === undefined
          ? []
          : [...answered.references, answered.message_id].filter((id) => id !== null),
      thread_id: thread?.thread_id ?? null,
      update_task_id: letter.update_task_id ?? null,
    },
    now,
    { letter: true, payload: { sealed: services.seal.seal(JSON.stringify(secret)) } },
  );
  return record;
}
