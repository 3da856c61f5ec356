import type { InboxContext } from "../../kernel/context.ts";
import type { GivenFile } from "../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import type { CallMode } from "../../model/message-facts.ts";
import type { StorageReader } from "../../ports/storage.ts";
import type { Words } from "./rules.ts";

/** The inbox that would send, and its context. */
export type Sender = Pick<InboxContext, "inbox" | "now" | "options"> & { storage: StorageReader };

/** Something that is to leave. */
export type Leaving = Words & {
  subject?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  names?: Readonly<Record<string, string>> | undefined;
  reply_to?: string | null | undefined;
  /** The Message-ID of the mail that it answers. */
  in_reply_to?: string | null | undefined;
  references?: readonly string[] | undefined;
  thread_id?: string | null | undefined;
  /** Attachments that the caller brings. */
  uploads?: readonly GivenFile[] | undefined;
  /** Attachments that are stored. */
  stored?: readonly StoredAttachment[] | undefined;
} & ({ way: "mail" | "sms" } | { way: "call"; call_mode: CallMode });
