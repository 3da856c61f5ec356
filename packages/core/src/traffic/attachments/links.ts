import { type ErrorKind, fail, LetterslotError } from "../../catalogue/errors.ts";
import { newFileLinkWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { type AccountCaller, reaches, signedIn } from "../../kernel/access/caller.ts";
import { checkNotSuspended } from "../../kernel/access/suspended.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { downloadOf, findMessage, rawMail } from "../../mailbox/messages/index.ts";
import type { StreamedDownload } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import type { FileLink, FileLinkRecord } from "../../model/file-links.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { approvalOfPerson } from "../../owners/approvals/index.ts";
import { checkSession } from "../../owners/sessions/index.ts";
import { findFile } from "./find.ts";

/** A caller that can't be renewed for such a reason has no right any more. */
const ENDED: ReadonlySet<ErrorKind> = new Set(["unauthenticated", "not_found"]);

/** Makes a link to a file that its caller may read. */
export async function linkTo(
  ctx: InboxContext,
  file: Pick<FileLinkRecord, "message_id" | "attachment_id">,
): Promise<Omit<FileLink, "object">> {
  const { word, expires_at } = await newLink(ctx, { ...file, view: null }, LIMITS.file_link_ms);
  return { url: `${ctx.options.baseUrl}/api/v1/files?word=${word}`, expires_at };
}

/** Stores a link to what its caller may read, and returns its word. */
export async function newLink(
  {
    storage,
    inbox,
    caller,
    now,
  }: Pick<InboxContext, "storage" | "caller" | "now"> & {
    inbox: Pick<InboxRecord, "id" | "account_id">;
  },
  what: Pick<FileLinkRecord, "message_id" | "attachment_id" | "view">,
  valid_ms: number,
): Promise<{ word: string; expires_at: string }> {
  const word = newFileLinkWord();
  const expires_at = iso(new Date(now.getTime() + valid_ms));
  await storage.insert("file_links", {
    ...{ hash: hashSecret(word), account_id: inbox.account_id, inbox_id: inbox.id, ...what },
    ...{ ...madeBy(caller), expires_at },
  });
  return { word, expires_at };
}

/** The maker of a link, as it keeps them to check their rights again. */
function madeBy(caller: AccountCaller): Pick<FileLinkRecord, "made_by" | "maker_id"> {
  if (caller.type === "key") return { made_by: "key", maker_id: caller.key.id };
  if (caller.type === "app") return { made_by: "app", maker_id: caller.token_hash };
  const { session_id, email } = caller;
  return session_id === null
    ? { made_by: "person", maker_id: email }
    : { made_by: "owner", maker_id: session_id };
}

/**
 * The file of a link, for whoever has its word. It ends after 5 minutes and with the right of whoever made it. Fails with
 * `file_link_not_found`, `account_suspended`, `message_held` or `attachment_not_found`.
 */
export async function openFileLink(services: Services, word: string): Promise<StreamedDownload> {
  const { storage } = services;
  const link = await liveLink(services, word);
  if (link === undefined || link.view !== null) throw fail("file_link_not_found");
  const { inbox_id, message_id, attachment_id } = link;
  const file =
    attachment_id === null
      ? await rawMail(services, await findMessage(storage, inbox_id, message_id))
      : await downloadOf(
          services,
          (await findFile(storage, inbox_id, message_id, attachment_id)).attachment,
          true,
        );
  return { ...file, headers: { ...file.headers, "Cache-Control": "no-store" } };
}

/**
 * The link that a word stands for, as long as it is live: its time isn't over, whoever made it may still read what it
 * gives, and its inbox is there. Fails with `account_suspended`.
 */
export async function liveLink(services: Services, word: string): Promise<FileLinkRecord | undefined> {
  const { storage, clock } = services;
  const link = await storage.get("file_links", hashSecret(word));
  if (link === undefined || link.expires_at <= iso(clock.now()) || !(await mayStill(services, link)))
    return undefined;
  await checkNotSuspended(services, link.account_id);
  return (await storage.get("inboxes", link.inbox_id)) === undefined ? undefined : link;
}

/** Whether whoever made a link may still read what it gives, by the rights that a call of theirs would have now. */
async function mayStill(services: Services, link: FileLinkRecord): Promise<boolean> {
  const maker = await makerOf(services, link);
  if (maker === undefined) return false;
  const approval = link.view?.approval;
  const may =
    approval === undefined ? mayRead(services, maker, link) : mayDecide(services, maker, approval.id);
  return may.catch((error: unknown) => {
    if (error instanceof LetterslotError && ENDED.has(error.kind)) return false;
    throw error;
  });
}

async function mayRead(services: Services, maker: AccountCaller, link: FileLinkRecord): Promise<boolean> {
  const renewed = await services.renewCaller(services, maker);
  return holdsAny(renewed.permissions, ["message_read"]) && reaches(renewed, link);
}

/** Whoever decides until somebody has charge has no rights in the account: only their session is renewed. */
async function mayDecide(services: Services, maker: AccountCaller, approval_id: string): Promise<boolean> {
  await checkSession(services, signedIn(maker));
  return (await approvalOfPerson(services, maker, approval_id)).decides;
}

/** Whoever made a link, as a caller without rights until it is renewed; undefined when their key or session is gone. */
async function makerOf(
  { storage }: Services,
  { made_by, maker_id, account_id }: FileLinkRecord,
): Promise<AccountCaller | undefined> {
  if (maker_id === null) return undefined;
  const without = { account_id, permissions: [], inbox_ids: [], ip: null };
  if (made_by === "key") {
    const key = await storage.get("keys", maker_id);
    return key && { ...without, type: "key", key };
  }
  if (made_by === "app")
    return { ...without, type: "app", grant_id: "", client_id: "", token_hash: maker_id };
  const owner = { ...without, type: "owner", account_owner: false } as const;
  if (made_by === "person") return { ...owner, email: maker_id, session_id: null };
  const session = await storage.get("sessions", maker_id);
  return session && { ...owner, email: session.email, session_id: session.id };
}
