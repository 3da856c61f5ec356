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

/** A letter's real body, with its codes or tokens, sealed into the send job. */
export interface SealedLetter extends Letter {
  headers: Record<string, string>;
}

/**
 * Queues a letter from an inbox in the caller's transaction. `shown` is stored and readable by the agent: it
 * never contains a code or token. `sealed`, if given, is what is sent: it is kept encrypted in the send job
 * and deleted with it (decisions, section 12a). Headers that contain tokens go into `sealed_headers`.
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
    /** The thread to continue, and the message in it that the letter replies to. */
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
