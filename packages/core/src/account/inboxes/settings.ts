import { z } from "zod";
import { LIMITS } from "../../catalogue/limits.ts";
import { ClientId, withFewKeys } from "../../model/fields.ts";
import { DisplayName, type InboxRecord } from "../../model/inboxes.ts";
import { OutboundInput, SendMode } from "../../model/outbound.ts";
import { checkUsername, mergeMetadata } from "./rules.ts";

/** The labels of an inbox as input, each once. */
export const InboxLabels = z
  .array(z.string().regex(/^[a-z0-9:_-]{1,64}$/, { error: "invalid_label" }))
  .max(LIMITS.labels, { error: "invalid_label" })
  .transform((labels) => [...new Set(labels)]);

const MetadataValue = z.union([z.string(), z.number(), z.boolean()], { error: "invalid_metadata" });
/** The metadata of a new inbox as input. */
export const Metadata = withFewKeys(
  z.record(z.string(), MetadataValue, { error: "invalid_metadata" }),
  "invalid_metadata",
);
/** A change of metadata: null removes a key. */
export const MetadataChange = withFewKeys(
  z.record(z.string(), MetadataValue.nullable(), { error: "invalid_metadata" }),
  "invalid_metadata",
);

/** The greeting of voicemail as input. */
export const Greeting = z
  .string()
  .max(LIMITS.voicemail_greeting_chars)
  .refine((text) => text.trim() !== "" && !/\p{Cc}/u.test(text));

/** What an inbox does with outgoing mail, as input. */
export const outboundFields = {
  send_mode: SendMode.optional().describe(
    "Whether mail is sent at once (`direct`), at once unless something speaks against it (`guarded`), or always after an owner's approval.",
  ),
  outbound: OutboundInput.optional().describe(
    "What happens when something is found in mail that is to leave; the groups left out stay as they are, and null follows the send mode.",
  ),
};

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
