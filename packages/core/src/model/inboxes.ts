import { z } from "zod";
import { asciiLowerCase } from "./address.ts";
import { Line, Timestamp } from "./fields.ts";
import { ScreeningMode } from "./screening.ts";

/** How mail is sent: at once, or after an owner's approval. */
export const SendMode = z.enum(["direct", "approval"], { error: "invalid_send_mode" });

/** The local part of an address, in lower case; `rules.ts` decides whether it may be taken. */
export const Username = z.string().max(320, { error: "invalid_username" }).transform(asciiLowerCase);

/** A name for people; an empty one becomes null. */
export const DisplayName = Line(200).transform((name) => name.trim() || null);

/** An inbox as shown (interface, "Inbox"). */
export const Inbox = z.object({
  object: z.literal("inbox").default("inbox"),
  id: z.string(),
  username: z.string(),
  email: z.string(),
  display_name: z.string().nullable(),
  created_at: Timestamp,
  require_sender_auth: z.boolean(),
  labels: z.array(z.string()),
  expires_at: Timestamp.nullable(),
  status: z.enum(["active", "paused"]),
  paused_at: Timestamp.nullable(),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  client_id: z.string().nullable(),
  screening: ScreeningMode,
  send_mode: SendMode,
  /** True in a response that repeats an earlier create. */
  idempotent: z.boolean().default(false),
});
export type Inbox = z.infer<typeof Inbox>;

/** An inbox as stored. */
export const InboxRecord = Inbox.omit({ object: true, idempotent: true }).extend({
  account_id: z.string(),
  domain: z.string(),
});
export type InboxRecord = z.infer<typeof InboxRecord>;

/** Every address ever issued, so that none is given to another account. */
export const AddressRecord = z.object({
  address: z.string(),
  account_id: z.string(),
  /** The inbox that has it now; null once that inbox is deleted. */
  inbox_id: z.string().nullable(),
  created_at: Timestamp,
});
export type AddressRecord = z.infer<typeof AddressRecord>;
