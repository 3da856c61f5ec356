import type { MakeId } from "../catalogue/ids.ts";
import type { Options } from "../catalogue/options.ts";
import type { ApprovalRecord } from "../model/approvals.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { MailParser } from "../ports/mail-parser.ts";
import type { Queue } from "../ports/queue.ts";
import type { SenderAuth } from "../ports/sender-auth.ts";
import type { Signals } from "../ports/signals.ts";
import type { Storage } from "../ports/storage.ts";
import type { TextExtraction } from "../ports/text-extraction.ts";
import type { Transport } from "../ports/transport.ts";
import type { WebhookHttp } from "../ports/webhook-http.ts";
import type { CachedRead } from "./cached-read.ts";
import type { KeyCaller, PublicCaller } from "./caller.ts";
import type { CallsInProgress, KeyedCall } from "./idempotency.ts";
import type { Seal } from "./secrets.ts";
import type { Work } from "./work.ts";

/** Everything that features stand on, the same for every call. */
export interface Services {
  storage: Storage;
  blobs: Blobs;
  queue: Queue;
  signals: Signals;
  transport: Transport;
  senderAuth: SenderAuth;
  parser: MailParser;
  webhookHttp: WebhookHttp;
  /** Without it the text of attachments is `text_extraction_unsupported`, and messages don't link to it. */
  textExtraction: TextExtraction | undefined;
  clock: Clock;
  log: Log;
  seal: Seal;
  acts: Acts;
  makeId: MakeId;
  /** Waits for this process's next turn to take a mail further: one in each turn of the event loop. */
  yieldToEventLoop: () => Promise<void>;
  callsInProgress: CallsInProgress;
  cachedRead: CachedRead;
  options: Options & { attachment_text: boolean };
}

/** What each kind of approval brings about once an owner approved it, in the transaction of the decision. */
export type Acts = Record<
  ApprovalRecord["subject_type"],
  (services: Services, work: Work, approval: ApprovalRecord, now: Date) => Promise<unknown>
>;

interface Call extends Services {
  /** The time of the call: one moment for all that it does. */
  now: Date;
  /** Aborts when the caller hangs up. */
  signal: AbortSignal | undefined;
  /**
   * The call under its Idempotency-Key, whose answer is kept in the transaction of the effect; see `settle`.
   */
  keyed: KeyedCall | undefined;
  /**
   * Runs a transaction of this call's account in which events, jobs and signals can be noted; they are
   * written with it, and readers and workers are woken after it.
   */
  transaction<T>(run: (work: Work) => Promise<T>): Promise<T>;
}

/** What a public operation is given. */
export interface PublicContext extends Call {
  caller: KeyCaller | PublicCaller;
}

/** What an operation of an account is given. */
export interface AccountContext extends Call {
  caller: KeyCaller;
  account_id: string;
}

/** What an operation on one inbox is given: the gate found the inbox and holds the key to it. */
export interface InboxContext extends AccountContext {
  inbox: InboxRecord;
}
