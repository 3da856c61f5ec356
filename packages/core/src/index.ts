/** Letterslot's core: the rules of e-mail for agents, behind ports. */

export type { Operator } from "./accounts/index.ts";
export {
  askedPermissions,
  authorityBehind,
  authorizationServerMetadata,
  endGrants,
  type GrantRequest,
  OAUTH_DEFAULT_SCOPE,
  OAUTH_PATHS,
  OAUTH_RESOURCES,
  oauthHash,
  protectedResourceMetadata,
  protectedResourceUrl,
  type Resource,
} from "./apps/index.ts";
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
export {
  APP_DEFAULT_PERMISSIONS,
  APP_PERMISSIONS,
  holdsAny,
  PERMISSION_NAMES,
  type Permission,
} from "./catalogue/permissions.ts";
export { Plans } from "./catalogue/plans.ts";
export {
  createSigningKeys,
  examineOwnDomain,
  type OwnDomain,
  type SigningKey,
  type SigningKeys,
  type SigningKeysOptions,
} from "./domains/index.ts";
export {
  type AccountArchive,
  type Archive,
  ArchiveError,
  type ArchiveFile,
  type ExportProgress,
  exportAccount,
  type Imported,
  type ImportOptions,
  importAccount,
  mboxEntry,
  openArchive,
  type ReadFile,
  type ZipOptions,
  type ZippedFile,
  zipOf,
} from "./export/index.ts";
export type { StreamItem } from "./feed/index.ts";
export {
  acceptsRecipient,
  type ReceivedCallback,
  type ReceivedMail,
  type ReceiveReport,
  type RecipientReport,
} from "./inbound/index.ts";
export { inboxesAtServiceAddresses } from "./inboxes/index.ts";
export {
  type AppCaller,
  type Caller,
  callerId,
  type KeyCaller,
  type OwnerCaller,
  type PublicCaller,
} from "./kernel/caller.ts";
export { addressGroup, isLoopbackClient } from "./kernel/client-address.ts";
export type { Services } from "./kernel/context.ts";
export { type CallOptions, failureOf, mayCall } from "./kernel/gate.ts";
export { isLongJson, jsonTexts } from "./kernel/json-texts.ts";
export { type Operation, type Scope, type Tool, toolsOfOperation } from "./kernel/operation.ts";
export { type Cap, count } from "./kernel/rate.ts";
export { sameSecret } from "./kernel/secrets.ts";
export {
  type BoundOperations,
  createLetterslot,
  type Letterslot,
  type LetterslotConfig,
  operationNamed,
  type RunningLetterslot,
  startLetterslot,
} from "./letterslot.ts";
export { parseMail } from "./mail/parse.ts";
export type { Explanation, InboxCode } from "./messages/index.ts";
export type { Me, Onboarding } from "./model/accounts.ts";
export { addressKey } from "./model/address.ts";
export type { AllowlistEntry } from "./model/allowlist.ts";
export { Approval, ApprovalReview } from "./model/approvals.ts";
export type { Grant, GrantRecord, OAuthClientRecord, OAuthRecord } from "./model/apps.ts";
export type { ExtractedText } from "./model/attachments.ts";
export { Attachment, type Download, type StreamedDownload, type TextKind } from "./model/attachments.ts";
export type { Consumer } from "./model/consumers.ts";
export type { DigestFlush } from "./model/digests.ts";
export { type DnsAccess, DnsProviderInput } from "./model/dns-access.ts";
export type { DnsRecord, DomainWarning } from "./model/domain-records.ts";
export { Domain } from "./model/domains.ts";
export { Draft } from "./model/drafts.ts";
export type { EventData } from "./model/events.ts";
export type { AccountExport } from "./model/exports.ts";
export { Event } from "./model/feed.ts";
export { iso } from "./model/fields.ts";
export { Inbox } from "./model/inboxes.ts";
export { Key, type NewKey } from "./model/keys.ts";
export type { LifecycleSubscription } from "./model/lifecycle.ts";
export type { ListEntry } from "./model/lists.ts";
export { type DeliveryEvent, Message, type MessageAuth, type MessageSummary } from "./model/messages.ts";
export type { EventMetrics, RateMetrics, UsageMetrics } from "./model/metrics.ts";
export { isInNetworks, isPublicAddress, type Networks, networkList } from "./model/networks.ts";
export {
  Owner,
  type OwnerConfirmation,
  type OwnerPreferences,
  type OwnerSubscription,
} from "./model/owners.ts";
export type { MailAddress, MailHeader, ParsedAttachment, ParsedMail } from "./model/parsed-mail.ts";
export type { Authority, AuthorityRecord, Session, SessionStart, SessionSummary } from "./model/people.ts";
export type { AvailablePhoneNumber, PhoneNumber } from "./model/phone-numbers.ts";
export type { Question, QuestionReview } from "./model/questions.ts";
export type { Extraction, ReadingOptions, ReadMail, StatedFields } from "./model/read-mail.ts";
export type { RecoveredKey, Recovery, RecoveryReview } from "./model/recovery.ts";
export type { Safety } from "./model/screening.ts";
export type { SearchHit } from "./model/search.ts";
export type * from "./model/sender-facts.ts";
export type { Suppression } from "./model/suppressions.ts";
export { type Column, columnsOf, type RecordOf, type Table, type TableName, tables } from "./model/tables.ts";
export { Task, type TaskClaim } from "./model/tasks.ts";
export type { Thread } from "./model/threads.ts";
export { Update, type UpdateDelivery } from "./model/updates.ts";
export { type Delivery, Webhook } from "./model/webhooks.ts";
export type { Workspace } from "./model/workspaces.ts";
export { isSameRecord, type ZoneRecord } from "./model/zone-record.ts";
export { type Calls, type OperationName, type Operations, operations } from "./operations.ts";
export type {
  AccountChoice,
  AuthorizationRequest,
  Choices,
  Consent,
  OAuth,
  Person,
  Place,
  StartRequest,
} from "./people/index.ts";
export type * from "./ports/blobs.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type * from "./ports/content-worker.ts";
export { type Dns, isAbsent } from "./ports/dns.ts";
export type * from "./ports/dns-zone.ts";
export { createEventLoopLoad } from "./ports/local/event-loop-load.ts";
export { createLocalQueue } from "./ports/local/local-queue.ts";
export { createLocalSignals } from "./ports/local/local-signals.ts";
export { type Log, silentLog } from "./ports/log.ts";
export type * from "./ports/mail-parser.ts";
export type * from "./ports/objects.ts";
export type * from "./ports/picture-codes.ts";
export type * from "./ports/queue.ts";
export type * from "./ports/sender-auth.ts";
export type * from "./ports/signals.ts";
export type * from "./ports/storage.ts";
export * from "./ports/telephony.ts";
export type * from "./ports/text-extraction.ts";
export type * from "./ports/transport.ts";
export type * from "./ports/webhook-http.ts";
export { startSweeping } from "./sweep.ts";
export {
  type Store,
  type TransferProgress,
  type TransferReport,
  transferStore,
} from "./transfer/index.ts";
export { signatureHeaders, signingKeysOf } from "./webhooks/index.ts";
