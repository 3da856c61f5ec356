import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { cleanFilename } from "../../mail/attachments.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import { mediaTypeText, readMediaType } from "../../model/media-type.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import { type AttachmentInput, type GivenAttachment, isHeld, mediaTypeOf } from "../messages/index.ts";
import { sourceOf } from "./rules.ts";

/** What a mail's `attachments` stand for. */
export interface Attached {
  /** In the order in which they were given. */
  given: GivenAttachment[];
  /** The uploads among them. */
  upload_ids: string[];
}

/** Messages and drafts with one attachment that are looked at: a forward has the attachments of its original. */
const MAX_PLACES = 100;

/** What is needed to find attachments: the inbox, and who asks. */
export type Attaching = Pick<InboxContext, "storage" | "blobs" | "makeId" | "inbox" | "caller" | "now">;

/**
 * Finds what attachments refer to. Nothing is copied or moved: the same bytes are used again. `param` is the field that
 * has them. Fails with `invalid_attachment`, `too_many_attachments`, `upload_not_found`, `upload_not_ready`,
 * `attachment_not_found` or `message_held`.
 */
export async function attachedBy(
  ctx: Attaching,
  inputs: readonly AttachmentInput[],
  { param = "attachments", besides = 0 }: { param?: string; besides?: number } = {},
): Promise<Attached> {
  if (inputs.length > 0 && inputs.length + besides > LIMITS.attachments)
    throw fail("too_many_attachments", { param });
  const sources = inputs.map((input, index) => sourceOf(input, `${param}[${index}]`));
  const given: GivenAttachment[] = [];
  const upload_ids: string[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = `${param}[${index}]`;
    const { filename = "", content_base64 = "", upload_id = "", attachment_id = "" } = input;
    if (sources[index] === "content_base64") {
      const { content_type, content_id } = input;
      given.push({ filename, content_base64, content_type, content_id });
    } else if (sources[index] === "upload_id") {
      const upload = await readyUpload(ctx, upload_id, at);
      upload_ids.push(upload.id);
      given.push(await asAttached(ctx, input, fromUpload(upload)));
    } else {
      given.push(await asAttached(ctx, input, await storedAttachment(ctx, attachment_id, at)));
    }
  }
  return { given, upload_ids };
}

/** What an attachment is before the caller's own words about it. */
interface Origin {
  filename: string;
  /** With its parameters. */
  content_type: string;
  size_bytes: number;
  hash: string;
}

async function readyUpload(
  { storage, inbox, now }: Attaching,
  id: string,
  param: string,
): Promise<UploadRecord> {
  const upload = await storage.get("uploads", id);
  if (upload?.inbox_id !== inbox.id || upload.expires_at <= iso(now))
    throw withParam(notFound("upload_not_found", "upl", id), param);
  if (upload.status !== "ready") throw fail("upload_not_ready", { param });
  return upload;
}

const fromUpload = ({ filename, content_type, size_bytes, sha256 }: UploadRecord): Origin => ({
  ...{ filename, content_type, size_bytes: size_bytes ?? 0, hash: sha256 ?? "" },
});

/** An attachment of a message or draft of this inbox that the caller may read. */
async function storedAttachment(
  { storage, inbox, caller }: Attaching,
  id: string,
  param: string,
): Promise<Origin> {
  const places = await storage.find("attachment_places", {
    where: { attachment_id: id },
    limit: MAX_PLACES,
  });
  const ids = places.map(({ message_id }) => message_id);
  const [messages, drafts] =
    ids.length === 0
      ? [[], []]
      : await Promise.all([
          storage.find("messages", { where: { id: { in: ids } }, limit: ids.length }),
          storage.find("drafts", { where: { id: { in: ids } }, limit: ids.length }),
        ]);
  const may = (kind: "message" | "draft") => holdsAny(caller.permissions, READ_PERMISSIONS[kind]);
  const here = [...(may("message") ? messages : []), ...(may("draft") ? drafts : [])].filter(
    (each) => each.inbox_id === inbox.id,
  );
  const open = here.filter((each) => !isHeld(each));
  if (open.length === 0 && here.length > 0) throw fail("message_held", { param });
  const found = open.flatMap(({ attachments }) => attachments).find((each) => each.id === id);
  if (found === undefined) throw withParam(notFound("attachment_not_found", "att", id), param);
  const { filename, content_type: type, parameters = {}, size_bytes, hash } = found;
  return { filename, content_type: mediaTypeText({ type, parameters }), size_bytes, hash };
}

/** A calendar file's parameters follow from what is in it; of others nothing is read. */
async function asAttached(
  { blobs, makeId }: Attaching,
  { filename, content_type, content_id }: AttachmentInput,
  origin: Origin,
): Promise<StoredAttachment> {
  const { size_bytes, hash } = origin;
  const words = { filename: filename ?? origin.filename, content_type: content_type ?? origin.content_type };
  const calendar = readMediaType(words.content_type)?.type === "text/calendar";
  const bytes = calendar ? await blobs.get(hash) : undefined;
  return {
    id: makeId("att"),
    filename: cleanFilename(words.filename),
    ...mediaTypeOf(words, bytes ?? new Uint8Array()),
    content_id: content_id?.replace(/^<|>$/g, "") ?? null,
    disposition: content_id === undefined ? "attachment" : "inline",
    ...{ size_bytes, hash },
  };
}

function withParam(error: Error, param: string): Error {
  return Object.assign(error, { param });
}
