/** Letterslot's core: the rules of e-mail for agents, behind ports. */

export type { Operator } from "./accounts/index.ts";
export {
  ERROR_CATALOGUE,
  type ErrorCode,
  type ErrorDetails,
  type ErrorKind,
  fail,
  isErrorCode,
  LetterslotError,
} from "./catalogue/errors.ts";
export { EVENT_TYPES, type EventType, eventCatalogue } from "./catalogue/events.ts";
export { isId } from "./catalogue/ids.ts";
export { LIMITS } from "./catalogue/limits.ts";
export { DEFAULT_OPTIONS, DURABLE_RETRIES, INTERFACE_RETRIES, type Options } from "./catalogue/options.ts";
export { PERMISSION_NAMES, type Permission } from "./catalogue/permissions.ts";
export type { StreamItem } from "./feed/index.ts";
export {
  acceptsRecipient,
  type ReceivedMail,
  type ReceiveReport,
  type RecipientReport,
} from "./inbound/index.ts";
export { inboxesAtServiceAddresses } from "./inboxes/index.ts";
export {
  type Caller,
  callerId,
  type KeyCaller,
  type OwnerCaller,
  type PublicCaller,
} from "./kernel/caller.ts";
export { addressGroup, isLoopbackClient } from "./kernel/client-address.ts";
export type { Services } from "./kernel/context.ts";
export { type CallOptions, failureOf } from "./kernel/gate.ts";
export { isLongJson, jsonTexts } from "./kernel/json-texts.ts";
export type { Operation, Scope } from "./kernel/operation.ts";
export { sameSecret } from "./kernel/secrets.ts";
export {
  type BoundOperations,
  createLetterslot,
  type Letterslot,
  type LetterslotConfig,
  operationNamed,
} from "./letterslot.ts";
export { parseMail } from "./mail/parse.ts";
export { addressKey } from "./model/address.ts";
export { Approval, ApprovalReview } from "./model/approvals.ts";
export type { ExtractedText } from "./model/attachments.ts";
export { Attachment, type Download, type TextKind } from "./model/attachments.ts";
export { Draft } from "./model/drafts.ts";
export { Event } from "./model/feed.ts";
export { Inbox } from "./model/inboxes.ts";
export { Key } from "./model/keys.ts";
export { Message } from "./model/messages.ts";
export { Owner, type OwnerConfirmation, type OwnerPreferences } from "./model/owners.ts";
export type { MailAddress, MailHeader, ParsedAttachment, ParsedMail } from "./model/parsed-mail.ts";
export type { AuthorityRecord, Session } from "./model/people.ts";
export type { QuestionReview } from "./model/questions.ts";
export type { Extraction, ReadingOptions, ReadMail, StatedFields } from "./model/read-mail.ts";
export type * from "./model/sender-facts.ts";
export { type Column, columnsOf, type RecordOf, type Table, type TableName, tables } from "./model/tables.ts";
export { Task } from "./model/tasks.ts";
export { Update } from "./model/updates.ts";
export { Webhook } from "./model/webhooks.ts";
export { type OperationName, type Operations, operations } from "./operations.ts";
export type { Person, Place, StartRequest } from "./people/index.ts";
export type * from "./ports/blobs.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type * from "./ports/content-worker.ts";
export type * from "./ports/dns.ts";
export { createEventLoopLoad } from "./ports/local/event-loop-load.ts";
export { createLocalQueue } from "./ports/local/local-queue.ts";
export { createLocalSignals } from "./ports/local/local-signals.ts";
export { type Log, silentLog } from "./ports/log.ts";
export type * from "./ports/mail-parser.ts";
export type * from "./ports/queue.ts";
export type * from "./ports/sender-auth.ts";
export type * from "./ports/signals.ts";
export type * from "./ports/storage.ts";
export type * from "./ports/text-extraction.ts";
export type * from "./ports/transport.ts";
export type * from "./ports/webhook-http.ts";
export { type RunningLetterslot, startLetterslot, startSweeping } from "./running.ts";
export {
  type Store,
  type TransferProgress,
  type TransferReport,
  transferStore,
} from "./transfer/index.ts";
