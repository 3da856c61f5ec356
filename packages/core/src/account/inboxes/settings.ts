import { z } from "zod";
import { LIMITS } from "../../catalogue/limits.ts";
import { Metadata, mergeMetadata } from "../../kernel/input/metadata.ts";
import { ClientId } from "../../model/fields.ts";
import { DisplayName, type InboxRecord } from "../../model/inboxes.ts";
import { ApproveWith } from "../../model/outbound.ts";
import { ReleaseBy, ScreeningMode } from "../../model/screening.ts";
import { checkUsername, type Security } from "./rules.ts";

/** The labels of an inbox as input, each once. */
export const InboxLabels = z
  .array(z.string().regex(/^[a-z0-9:_-]{1,64}$/, { error: "invalid_label" }))
  .max(LIMITS.labels, { error: "invalid_label" })
  .transform((labels) => [...new Set(labels)]);

/** The greeting of voicemail as input. */
export const Greeting = z
  .string()
  .max(LIMITS.voicemail_greeting_chars)
  .refine((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));

const Settings = z.object({
  display_name: DisplayName.nullable(),
  labels: InboxLabels,
  metadata: Metadata,
  client_id: ClientId.nullable(),
  voicemail_greeting: Greeting.nullable(),
});

/**
 * Checks that an inbox could be created as it is: its username, name, labels, metadata, greeting and client_id. Fails
 * as a creation does, or with a ZodError that names the field.
 */
export function checkInbox(inbox: InboxRecord): void {
  checkUsername(inbox.username);
  Settings.parse(inbox);
  mergeMetadata({}, inbox.metadata);
}

/** The settings in an unchecked input that decide how strictly mail is checked. */
export function securityAsked({
  screening,
  require_sender_auth,
  sms_tasks,
  release_by,
  approve_with,
}: Record<string, unknown>): Partial<Security> {
  const mode = ScreeningMode.safeParse(screening);
  const release = ReleaseBy.safeParse(release_by);
  const approval = ApproveWith.safeParse(approve_with);
  return {
    ...(release.success ? { release_by: release.data } : {}),
    ...(approval.success ? { approve_with: approval.data } : {}),
    ...(mode.success ? { screening: mode.data } : {}),
    ...(typeof require_sender_auth === "boolean" ? { require_sender_auth } : {}),
    ...(typeof sms_tasks === "boolean" ? { sms_tasks } : {}),
  };
}

/** The event that copies for those in charge ended. */
export function copiesEnded({ id: inbox_id, owner_copy }: Pick<InboxRecord, "id" | "owner_copy">) {
  const data = { inbox_id, owner_copy: "off" as const, previous: { owner_copy } };
  return { type: "inbox.security_changed", inbox_id, data } as const;
}
