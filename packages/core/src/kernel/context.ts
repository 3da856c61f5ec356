import type { MakeId } from "../catalogue/ids.ts";
import type { Options } from "../catalogue/options.ts";
import type { ApprovalRecord, ReasonRecord } from "../model/approvals.ts";
import type { DraftRecord } from "../model/drafts.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { ContentScanner } from "../ports/content-scanner.ts";
import type { ContentWorker } from "../ports/content-worker.ts";
import type { Dns } from "../ports/dns.ts";
import type { DnsZones } from "../ports/dns-zone.ts";
import type { DomainReportReader } from "../ports/domain-report-reader.ts";
import type { Log } from "../ports/log.ts";
import type { MailParser } from "../ports/mail-parser.ts";
import type { OperatorMail } from "../ports/operator-mail.ts";
import type { Passkeys } from "../ports/passkeys.ts";
import type { PictureCodes } from "../ports/picture-codes.ts";
import type { Queue } from "../ports/queue.ts";
import type { SenderAuth } from "../ports/sender-auth.ts";
import type { Signals } from "../ports/signals.ts";
import type { Storage } from "../ports/storage.ts";
import type { Telephony } from "../ports/telephony.ts";
import type { TextExtraction } from "../ports/text-extraction.ts";
import type { Transport } from "../ports/transport.ts";
import type { WebhookHttp } from "../ports/webhook-http.ts";
import type { AccountCaller, Caller } from "./access/caller.ts";
import type { Rights, RightsWatch } from "./access/rights.ts";
import type { CachedRead } from "./cached-read.ts";
import type { CallsInProgress, KeyedCall } from "./idempotency.ts";
import type { EarlyClaims } from "./jobs/early-claims.ts";
import type { LetterSubject, LetterSubjects } from "./letters/letter-token.ts";
import type { Seal } from "./secrets.ts";
import type { WaitingPlaces } from "./waiting-places.ts";
import type { Work } from "./work.ts";

/** The services that every feature depends on, the same for every call. */
export interface Services {
  storage: Storage;
  blobs: Blobs;
  queue: Queue;
  signals: Signals;
  transport: Transport;
  senderAuth: SenderAuth;
  parser: MailParser;
  webhookHttp: WebhookHttp;
  /** Looks up the records of custom domains; without it, their checks report DNS trouble. */
  dns: Dns;
  /** Phone numbers, texts and calls; without it all of them are `telephony_unavailable`. */
  telephony: Telephony;
  /** Without it the text of attachments is `text_extraction_unsupported`, and messages don't link to it. */
  textExtraction: TextExtraction | undefined;
  /** Without it the QR codes in pictures are not read. */
  pictureCodes: PictureCodes | undefined;
  /** Without it reports about domains are accepted, and none is kept. */
  reportReader: DomainReportReader | undefined;
  /** Without it secrets of others and personal data in what leaves aren't looked for. */
  contentScanner: ContentScanner | undefined;
  /** Without it people sign in with codes alone, and nothing asks for passkeys. */
  passkeys: Passkeys | undefined;
  /** Without it mail for the operator is accepted, logged and not kept. */
  operatorMail: OperatorMail;
  /** Without it long content is worked on by the calling thread. */
  contentWorker: ContentWorker | undefined;
  /** Without it `dns: {mode: "automatic"}` is `dns_provider_unavailable`: people publish the records themselves. */
  dnsZones: DnsZones | undefined;
  clock: Clock;
  log: Log;
  seal: Seal;
  /** Makes a key that signs a custom domain's mail: RSA with 2048 bits, as PEM (PKCS #8). */
  newDkimKey: () => Promise<string>;
  acts: Acts;
  heldDrafts: HeldDrafts;
  letterTokens: LetterTokens;
  /** Renews the caller from its credential's current state. Fails as authenticating would. */
  renewCaller: (services: Services, caller: AccountCaller) => Promise<AccountCaller>;
  makeId: MakeId;
  /**
   * Resolves in a later tick, one caller per tick, so that reading many mails doesn't block the event loop.
   */
  yieldToEventLoop: () => Promise<void>;
  callsInProgress: CallsInProgress;
  cachedRead: CachedRead;
  waitingPlaces: WaitingPlaces;
  rightsWatch: RightsWatch;
  earlyClaims: EarlyClaims;
  options: Options & { attachment_text: boolean };
}

/** The action of each kind of approval, run in the transaction in which an owner approves it. */
export type Acts = Record<
  ApprovalRecord["subject_type"],
  (services: Services, work: Work, approval: ApprovalRecord, now: Date) => Promise<unknown>
>;

/** The part of sending drafts that a person's change of a held one needs. */
export interface HeldDrafts {
  /**
   * Judges a draft as changed: fails with the error that sending it would fail with, and returns what speaks against
   * sending it.
   */
  judge: (services: Services, inbox: InboxRecord, draft: DraftRecord, now: Date) => Promise<ReasonRecord[]>;
  /** The fingerprints of the values in a draft that a person may have remembered: its bank account numbers. */
  valuesIn: (services: Services, inbox: InboxRecord, draft: DraftRecord, now: Date) => Promise<string[]>;
  /** Writes which files the draft uses now. */
  useFiles: (work: Work, before: DraftRecord, after: DraftRecord, now: Date) => Promise<void>;
}

interface Call extends Services {
  /** The time of the call, the same for everything that it does. */
  now: Date;
  /** Aborts when the caller hangs up. */
  signal: AbortSignal | undefined;
  /** The call's Idempotency-Key; see `recordIdempotentAnswer`. */
  keyed: KeyedCall | undefined;
  /** Runs a unit of work in this call's account. */
  transaction<T>(run: (work: Work) => Promise<T>): Promise<T>;
}

/** The context of a public operation. */
export interface PublicContext extends Call {
  caller: Caller;
}

/** The context of an operation on an account. */
export interface AccountContext extends Call {
  caller: AccountCaller;
  account_id: string;
  /** Re-checks the caller's right each time that a wait or a stream relies on it. */
  rights: Rights;
}

/**
 * The context of an operation on one inbox, which the gate has found and to which it has checked the caller's access.
 */
export interface InboxContext extends AccountContext {
  inbox: InboxRecord;
}

/** The look-up of each kind of token that the gate uses. An unknown or expired token fails with the kind's own code. */
export type LetterTokens = {
  [K in LetterSubject]: (services: Services, token: string, now: Date) => Promise<LetterSubjects[K]>;
};
