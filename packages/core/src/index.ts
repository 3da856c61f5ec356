/** Letterslot's core: the rules of e-mail for agents, behind ports. */

export { Approval, ApprovalReview } from "./approvals/schema.ts";
export { Attachment, type Download, type TextKind } from "./attachments/schema.ts";
export type { Caller, KeyCaller, PublicCaller } from "./caller.ts";
export type { Parts } from "./context.ts";
export { Draft } from "./drafts/schema.ts";
export {
  type ErrorCode,
  type ErrorDetails,
  type ErrorKind,
  errorCatalogue,
  fail,
  isErrorCode,
  LetterslotError,
} from "./errors.ts";
export { type EventType, eventTypes } from "./events.ts";
export type { Extraction } from "./extraction/extract.ts";
export { Event } from "./feed/schema.ts";
export type { StreamItem } from "./feed/stream.ts";
export { type CallOptions, failureOf } from "./gate.ts";
export { isId } from "./ids.ts";
export { parseMail } from "./inbound/parse.ts";
export type { MailAddress, MailHeader, ParsedAttachment, ParsedMail } from "./inbound/parsed-mail.ts";
export type { ReadingOptions, ReadMail, StatedFields } from "./inbound/read-mail.ts";
export {
  acceptsRecipient,
  type ReceivedMail,
  type ReceiveReport,
  type RecipientReport,
} from "./inbound/receive.ts";
export { Inbox } from "./inboxes/schema.ts";
export { Key } from "./keys/schema.ts";
export {
  type BoundOperations,
  createLetterslot,
  type Letterslot,
  type LetterslotConfig,
  operationNamed,
} from "./letterslot.ts";
export { limits } from "./limits.ts";
export { createLoadGauge } from "./local/load-gauge.ts";
export { createLocalQueue } from "./local/local-queue.ts";
export { createLocalSignals } from "./local/local-signals.ts";
export { Message } from "./messages/schema.ts";
export type { Operation, Scope } from "./operation.ts";
export { type OperationName, type Operations, operations } from "./operations.ts";
export { defaultOptions, durableRetries, interfaceRetries, type Options } from "./options.ts";
export { Owner, type OwnerPreferences } from "./owners/schema.ts";
export { type Permission, permissionNames } from "./permissions.ts";
export type * from "./ports/blobs.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type * from "./ports/dns.ts";
export { type Log, silentLog } from "./ports/log.ts";
export type * from "./ports/mail-parser.ts";
export type * from "./ports/queue.ts";
export type * from "./ports/sender-auth.ts";
export type * from "./ports/signals.ts";
export type * from "./ports/storage.ts";
export type * from "./ports/text-extraction.ts";
export type * from "./ports/transport.ts";
export type * from "./ports/webhook-http.ts";
export type { QuestionReview } from "./questions/schema.ts";
export { sameSecret } from "./secrets.ts";
export { type Column, columnsOf, type RecordOf, type Table, type TableName, tables } from "./tables.ts";
export { Task } from "./tasks/schema.ts";
export {
  type Store,
  type TransferProgress,
  type TransferReport,
  transferStore,
} from "./transfer/transfer.ts";
export { Update } from "./updates/schema.ts";
export { Webhook } from "./webhooks/schema.ts";
