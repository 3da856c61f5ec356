/**
 * The types of the records that callers are shown, by name. Core's published declarations have them as plain TypeScript,
 * with a sentence on each field: `scripts/client-types.ts` prints them, as it does for the client.
 */

export type { Me, Onboarding } from "./accounts.ts";
export type { AllowlistEntry } from "./allowlist.ts";
export type { Approval, ApprovalReview } from "./approvals.ts";
export type { Grant } from "./apps.ts";
export type { Attachment } from "./attachments.ts";
export type { Canary, NewCanary } from "./canaries.ts";
export type { Consumer } from "./consumers.ts";
export type { Contact } from "./contacts.ts";
export type { DigestFlush } from "./digests.ts";
export type { DnsRecord, DomainWarning } from "./domain-records.ts";
export type { DomainReport } from "./domain-reports.ts";
export type { Domain } from "./domains.ts";
export type { Draft } from "./drafts.ts";
export type { EventData } from "./events.ts";
export type { Expectation } from "./expectations.ts";
export type { AccountExport } from "./exports.ts";
export type { Event } from "./feed.ts";
export type { FileLink, MessageView } from "./file-links.ts";
export type { Forwarding, ForwardingConfirmation } from "./forwardings.ts";
export type { InboxRule } from "./inbox-rules.ts";
export type { Inbox } from "./inboxes.ts";
export type { Key, NewKey } from "./keys.ts";
export type { LifecycleSubscription } from "./lifecycle.ts";
export type { ListEntry } from "./lists.ts";
export type { DeliveryEvent, MessageAuth } from "./message-facts.ts";
export type { Message, MessageSummary } from "./messages.ts";
export type { EventMetrics, RateMetrics, UsageMetrics } from "./metrics.ts";
export type { Overview } from "./overview.ts";
export type { OwnerMessage } from "./owner-messages.ts";
export type { Owner, OwnerConfirmation, OwnerPreferences, OwnerSubscription } from "./owners.ts";
export type { NewPairing, Paired, Pairing } from "./pairings.ts";
export type { DecisionStatement, Passkey, PasskeyOptions } from "./passkeys.ts";
export type { Authority, Session, SessionStart, SessionSummary } from "./people.ts";
export type { AvailablePhoneNumber, PhoneNumber } from "./phone-numbers.ts";
export type { Question, QuestionReview } from "./questions.ts";
export type { ApprovalReceipt } from "./receipts.ts";
export type { RecoveredKey, Recovery, RecoveryReview } from "./recovery.ts";
export type { Refusal } from "./refusals.ts";
export type { Replayed } from "./replayed.ts";
export type { Safety } from "./screening.ts";
export type { SearchHit } from "./search.ts";
export type { SendCheck } from "./send-checks.ts";
export type { Suppression } from "./suppressions.ts";
export type { Task, TaskClaim } from "./tasks.ts";
export type { Thread } from "./threads.ts";
export type { Update, UpdateDelivery } from "./updates.ts";
export type { NewUpload, Upload } from "./uploads.ts";
export type { Delivery, Webhook } from "./webhooks.ts";
export type { Workspace } from "./workspaces.ts";
