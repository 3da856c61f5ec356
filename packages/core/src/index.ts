/**
 * Letterslot's core: the rules of e-mail for agents, behind ports. This entrance is for programs that run a service; what
 * an adapter needs is at `@letterslot/core/ports`.
 */

export type { Operator } from "./account/accounts/index.ts";
export {
  createSigningKeys,
  type SigningKey,
  type SigningKeys,
  type SigningKeysOptions,
} from "./account/domains/index.ts";
export {
  ERROR_CATALOGUE,
  type ErrorCode,
  type ErrorDetails,
  type ErrorKind,
  LetterslotError,
} from "./catalogue/errors.ts";
export { EVENT_TYPES, type EventType } from "./catalogue/events.ts";
export { LIMITS } from "./catalogue/limits.ts";
export { DEFAULT_OPTIONS, DURABLE_RETRIES, INTERFACE_RETRIES, type Options } from "./catalogue/options.ts";
export { PERMISSION_NAMES, type Permission } from "./catalogue/permissions.ts";
export { Plans } from "./catalogue/plans.ts";
export type { StreamItem } from "./events/feed/index.ts";
export type {
  AccountCaller,
  AppCaller,
  Caller,
  KeyCaller,
  OwnerCaller,
  PublicCaller,
} from "./kernel/access/caller.ts";
export type { Services } from "./kernel/context.ts";
export type { CallOptions } from "./kernel/gate.ts";
export {
  type BoundOperations,
  createLetterslot,
  type Letterslot,
  type LetterslotConfig,
  type RunningLetterslot,
  startLetterslot,
} from "./letterslot.ts";
export type { Explanation, InboxCode } from "./mailbox/messages/index.ts";
export type { GrantRecord } from "./model/apps.ts";
export type { Download, ExtractedText, StreamedDownload } from "./model/attachments.ts";
export type {
  AccountExport,
  AllowlistEntry,
  Approval,
  ApprovalReceipt,
  ApprovalReview,
  Attachment,
  Authority,
  AvailablePhoneNumber,
  Canary,
  Consumer,
  Contact,
  DecisionStatement,
  Delivery,
  DeliveryEvent,
  DigestFlush,
  DnsRecord,
  Domain,
  DomainReport,
  DomainWarning,
  Draft,
  Event,
  EventData,
  EventMetrics,
  Expectation,
  FileLink,
  Forwarding,
  ForwardingConfirmation,
  Grant,
  Inbox,
  InboxRule,
  Key,
  LifecycleSubscription,
  ListEntry,
  Me,
  Message,
  MessageAuth,
  MessageSummary,
  MessageView,
  NewCanary,
  NewKey,
  NewPairing,
  NewUpload,
  Onboarding,
  Overview,
  Owner,
  OwnerConfirmation,
  OwnerMessage,
  OwnerPreferences,
  OwnerSubscription,
  Paired,
  Pairing,
  Passkey,
  PasskeyOptions,
  PhoneNumber,
  Question,
  QuestionReview,
  RateMetrics,
  RecoveredKey,
  Recovery,
  RecoveryReview,
  Refusal,
  Replayed,
  Safety,
  SearchHit,
  SendCheck,
  Session,
  SessionStart,
  SessionSummary,
  Suppression,
  Task,
  TaskClaim,
  Thread,
  Update,
  UpdateDelivery,
  Upload,
  UsageMetrics,
  Webhook,
  Workspace,
} from "./model/shown.ts";
export type { Calls, OperationName } from "./operations.ts";
export type { GrantRequest, Resource } from "./owners/oauth-grants/index.ts";
export type { AccountChoice, Choices, Person, Place, StartRequest } from "./owners/sessions/index.ts";
export { startSweeping } from "./sweep.ts";
export type {
  ReceivedCallback,
  ReceivedMail,
  ReceiveReport,
  RecipientReport,
} from "./traffic/inbound/index.ts";
