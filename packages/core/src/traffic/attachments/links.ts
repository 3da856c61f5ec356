import { fail } from "../../catalogue/errors.ts";
import { newFileLinkWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { type AccountCaller, reachesInbox } from "../../kernel/access/caller.ts";
import { checkNotSuspended } from "../../kernel/access/suspended.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { downloadHeaders } from "../../mail/attachments.ts";
import { findMessage, rawMail } from "../../mailbox/messages/index.ts";
import type { Download, StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import type { FileLink, FileLinkRecord } from "../../model/file-links.ts";
import { findFile } from "./find.ts";

/** Makes a link to a file that its caller may read. */
export async function linkTo(
  { storage, inbox, caller, options, now }: InboxContext,
  file: Pick<FileLinkRecord, "message_id" | "attachment_id">,
): Promise<Omit<FileLink, "object">> {
  const word = newFileLinkWord();
  const expires_at = iso(new Date(now.getTime() + LIMITS.file_link_ms));
  await storage.insert("file_links", {
    ...{ hash: hashSecret(word), account_id: inbox.account_id, inbox_id: inbox.id, ...file },
    ...{ made_by: caller.type, maker_id: makerOf(caller), expires_at },
  });
  return { url: `${options.baseUrl}/api/v1/files?word=${word}`, expires_at };
}

function makerOf(caller: AccountCaller): string | null {
  if (caller.type === "key") return caller.key.id;
  return caller.type === "app" ? caller.grant_id : caller.session_id;
}

/**
 * The file of a link, for whoever has its word. It ends after 5 minutes and with the right of whoever made it. Fails with
 * `file_link_not_found`, `account_suspended`, `message_held` or `attachment_not_found`.
 */
export async function openFileLink(services: Services, word: string): Promise<Download> {
  const { storage, clock } = services;
  const link = await storage.get("file_links", hashSecret(word));
  if (link === undefined || link.expires_at <= iso(clock.now()) || !(await mayStill(services, link)))
    throw fail("file_link_not_found");
  await checkNotSuspended(services, link.account_id);
  const { inbox_id, message_id, attachment_id } = link;
  if ((await storage.get("inboxes", inbox_id)) === undefined) throw fail("file_link_not_found");
  const file =
    attachment_id === null
      ? await rawMail(services, await findMessage(storage, inbox_id, message_id))
      : await fileOf(services, (await findFile(storage, inbox_id, message_id, attachment_id)).attachment);
  return { ...file, headers: { ...file.headers, "Cache-Control": "no-store" } };
}

async function fileOf({ blobs }: Services, attachment: StoredAttachment): Promise<Download> {
  const bytes = await blobs.get(attachment.hash);
  if (bytes === undefined) throw fail("attachment_not_found");
  return { bytes, headers: downloadHeaders(attachment, true) };
}

/** Whether whoever made a link may still read what it gives. */
async function mayStill({ storage, clock }: Services, link: FileLinkRecord): Promise<boolean> {
  const { made_by, maker_id, inbox_id } = link;
  if (maker_id === null) return made_by === "owner";
  const now = iso(clock.now());
  if (made_by === "owner") {
    const session = await storage.get("sessions", maker_id);
    return session !== undefined && session.expires_at > now;
  }
  if (made_by === "app") {
    const grant = await storage.get("oauth_grants", maker_id);
    return grant !== undefined && (grant.inbox_id === null || grant.inbox_id === inbox_id);
  }
  const key = await storage.get("keys", maker_id);
  if (key === undefined || key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now))
    return false;
  const inbox_ids = key.inbox_id === null ? null : [key.inbox_id];
  return holdsAny(key.permissions, ["message_read"]) && reachesInbox({ inbox_ids }, inbox_id);
}
