import { z } from "zod";
import { LIMITS } from "./limits.ts";

/** An id as input: any string of bounded length. The operation finds out whether it names something. */
export const IdInput = z.string().min(1).max(320);

/** Ids as input, by what they name. */
export const AccountId = IdInput.describe("The account's id.");
export const ApprovalId = IdInput.describe("The approval's id.");
export const AttachmentId = IdInput.describe("The attachment's id.");
export const AuthorityId = IdInput.describe("The authority's id.");
export const CanaryId = IdInput.describe("The canary's id.");
export const ConsumerId = IdInput.describe("The consumer's id.");
export const DeliveryId = IdInput.describe("The delivery's id.");
export const DomainId = IdInput.describe("The domain's id.");
export const DraftId = IdInput.describe("The draft's id.");
export const EntryName = IdInput.describe("The entry, by its id, or by the address or domain that it has.");
export const ExpectationId = IdInput.describe("The expectation's id.");
export const ExportId = IdInput.describe("The export's id.");
export const ForwardingId = IdInput.describe("The forwarding's id.");
export const GrantName = z
  .string()
  .min(1)
  .max(LIMITS.oauth_client_id_chars)
  .describe("The app's client id, or the id of one of its grants; URL-encoded in a path.");
export const InboxId = IdInput.describe(
  "The inbox's id; in the path of a GET, its username or address works too.",
);
/** A filter of a list. */
export const OnlyInboxId = IdInput.optional().describe("Only what belongs to this inbox; all by default.");
export const KeyId = IdInput.describe("The key's id.");
export const MessageId = IdInput.describe("The message's id.");
export const OwnerId = IdInput.describe("The owner's id.");
export const PairingId = IdInput.describe("The pairing's id.");
export const RuleId = IdInput.describe("The rule's id.");
export const SessionId = IdInput.describe("The session's id.");
export const TaskId = IdInput.describe("The task's id.");
export const ThreadId = IdInput.describe("The thread's id.");
export const UpdateId = IdInput.describe("The update's id.");
export const UploadId = IdInput.describe("The upload's id.");
export const WebhookId = IdInput.describe("The webhook's id.");
export const WorkspaceId = IdInput.describe("The workspace's id.");
