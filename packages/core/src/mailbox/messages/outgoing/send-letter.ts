import type { LetterKind } from "../../../catalogue/letter-frames.ts";
import { newReplyId, replyLocalPart } from "../../../catalogue/letter-words.ts";
import { addressAt } from "../../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../../kernel/context.ts";
import type { LetterSecret } from "../../../kernel/letters/letter-secrets.ts";
import { actsAloneUntil, noteLiveLetter, registerLetter } from "../../../kernel/letters/letters.ts";
import type { Work } from "../../../kernel/work.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { Letter } from "../../../model/letters.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import { queueOutgoing } from "./outgoing.ts";

const loadSafeHtml = loadOnce(() => import("../../../mail/rendered-html/safe-html.ts"));

/** A letter's real body, with its codes or tokens, sealed into the send job. */
export interface SealedLetter extends Letter {
  headers: Record<string, string>;
  /** The letter's own reply address, which only the sent copy shows; letters queued by older versions have none. */
  reply_to?: string;
}

/**
 * Queues a letter from an inbox in the caller's transaction. `shown` is stored and readable by the agent: it
 * never contains a code or token. `sealed`, if given, is what is sent: it is kept encrypted in the send job
 * and deleted with it. Headers that contain secrets go into `sealed_headers`. Each
 * letter has a reply address of its own, which is a secret like its links, and is registered.
 */
export async function sendLetter(
  services: Services,
  work: Work,
  letter: {
    kind: LetterKind;
    inbox: InboxRecord;
    to: string;
    shown: Letter;
    sealed?: Letter;
    headers?: Record<string, string>;
    sealed_headers?: Record<string, string>;
    /** The owner that it is written to; null for a person without an owner record here. */
    owner_id: string | null;
    /** The owner whose confirmation the code in `sealed` is for, if it has one. */
    code_of?: string;
    /** The secrets in `sealed` and `sealed_headers`; their hashes are stored. */
    secrets?: readonly LetterSecret[];
    /** The thread to continue, and the message in it that the letter replies to. */
    thread?: { thread_id: string; answers: string } | null;
    update_task_id?: string | null;
    now: Date;
  },
): Promise<MessageRecord> {
  const { inbox, to, shown, sealed = shown, thread, now } = letter;
  const answered = thread == null ? undefined : await work.get("messages", thread.answers);
  const headers = { "Auto-Submitted": "auto-generated", ...letter.headers };
  const reply_id = newReplyId();
  const secret: SealedLetter = {
    ...sealed,
    headers: { ...headers, ...letter.sealed_headers },
    reply_to: addressAt(services, replyLocalPart(reply_id)),
  };
  const { safeHtml } = await loadSafeHtml();
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
    { extracted_text: shown.text, extracted_html: safeHtml(shown.html) },
    now,
    { letter: true, payload: { sealed: services.seal.seal(JSON.stringify(secret)) } },
  );
  const { kind, owner_id, code_of = null, secrets = [] } = letter;
  registerLetter(
    work,
    {
      kind,
      message_id: record.message_id ?? record.id,
      account_id: inbox.account_id,
      inbox_id: inbox.id,
      to,
      owner_id,
      stored_message_id: record.id,
      subject_id: code_of,
      secrets: [...secrets, { secret: reply_id, kind: "reply" }],
    },
    now,
  );
  const until = actsAloneUntil(secrets, now);
  if (until !== undefined) work.require(noteLiveLetter(work, [inbox.account_id], until));
  return record;
}
