import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import { notFound } from "../../kernel/gate.ts";
import { cleanFilename } from "../../mail/attachments.ts";
import { typeByName } from "../../mail/mime/media-types.ts";
import type { StoredAttachment } from "../../model/attachments.ts";
import { iso } from "../../model/fields.ts";
import { mediaTypeText, readMediaType } from "../../model/media-type.ts";
import type { UploadRecord } from "../../model/uploads.ts";
import {
  type AttachmentInput,
  type GivenAttachment,
  isHeld,
  isInline,
  mediaTypeOf,
} from "../messages/index.ts";
import { type Attaching, type Fetched, fetchFiles, type Wanted } from "./fetch.ts";
import { nameInUrl, sourceOf } from "./rules.ts";

/** The files that a mail's `attachments` stand for. */
export interface Attached {
  /** In the order in which they were given. */
  given: GivenAttachment[];
  /** The uploads among them. */
  upload_ids: string[];
}

const MAX_NAME_CHARS = 255;

const NOT_TRIED = "A dry run fetches nothing: try it with an upload.";

/** Places of attachments that are read at a time: a forward has the attachments of its original, so there may be many. */
const PLACES_AT_ONCE = 200;

/**
 * Finds what attachments refer to, and fetches what they give the URL of, but never for a dry run. Nothing is copied or
 * moved: the same bytes are used again. `param` is the field that has them. Fails with `invalid_attachment`, `too_many_attachments`, `upload_not_found`, `upload_not_ready`,
 * `attachment_not_found` or `message_held`, and as `fetchFiles` does.
 */
export async function attachedBy(
  ctx: Attaching,
  inputs: readonly AttachmentInput[],
  {
    param = "attachments",
    besides = 0,
    dry_run = false,
  }: { param?: string; besides?: number; dry_run?: boolean } = {},
): Promise<Attached> {
  if (inputs.length > 0 && inputs.length + besides > LIMITS.attachments)
    throw fail("too_many_attachments", { param });
  const sources = inputs.map((input, index) => sourceOf(input, `${param}[${index}]`));
  const idsOf = (name: "upload_id" | "attachment_id") =>
    inputs.flatMap((input, index) => (sources[index] === name ? (input[name] ?? []) : []));
  const [uploads, stored] = await Promise.all([
    uploadsOf(ctx, idsOf("upload_id")),
    storedAttachments(ctx, idsOf("attachment_id")),
  ]);
  const found: (GivenAttachment | undefined)[] = [];
  const upload_ids: string[] = [];
  const wanted: Wanted[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = `${param}[${index}]`;
    const { content_base64: bytes, upload_id = "", attachment_id = "", url = "" } = input;
    if (bytes !== undefined) {
      const { filename = "", content_type, content_id } = input;
      found.push({ filename, bytes, content_type, content_id });
    } else if (sources[index] === "upload_id") {
      const upload = readyUpload(ctx, uploads, upload_id, at);
      upload_ids.push(upload.id);
      found.push(await asAttached(ctx, input, fromUpload(upload)));
    } else if (sources[index] === "attachment_id") {
      found.push(await asAttached(ctx, input, storedAttachment(stored, attachment_id, at)));
    } else if (dry_run) {
      throw fail("attachment_url_refused", { param: `${at}.url`, message: NOT_TRIED });
    } else {
      wanted.push({ url, param: `${at}.url` });
      found.push(undefined);
    }
  }
  // Last: nothing is fetched where another attachment is wrong.
  const files = (await fetchFiles(ctx, wanted, roomBeside(found))).values();
  const given: GivenAttachment[] = [];
  for (const [index, input] of inputs.entries()) {
    const here = found[index] ?? files.next().value;
    if (here !== undefined) given.push("url" in here ? await asAttached(ctx, input, fromFile(here)) : here);
  }
  return { given, upload_ids };
}

/** The bytes that a mail has left beside these attachments. */
function roomBeside(found: readonly (GivenAttachment | undefined)[]): number {
  const bytes = (each: GivenAttachment) => (isInline(each) ? each.bytes.length : each.size_bytes);
  return found.reduce((left, each) => left - (each === undefined ? 0 : bytes(each)), LIMITS.message_bytes);
}

/** The attachment as its source describes it, before the caller's own words. */
interface Origin {
  filename: string;
  /** With its parameters. */
  content_type: string;
  size_bytes: number;
  hash: string;
}

async function uploadsOf(
  { storage }: Attaching,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UploadRecord>> {
  if (ids.length === 0) return new Map();
  const unique = [...new Set(ids)];
  const found = await storage.find("uploads", { where: { id: { in: unique } }, limit: unique.length });
  return new Map(found.map((upload) => [upload.id, upload]));
}

function readyUpload(
  { inbox, now }: Attaching,
  uploads: ReadonlyMap<string, UploadRecord>,
  id: string,
  param: string,
): UploadRecord {
  const upload = uploads.get(id);
  if (upload?.inbox_id !== inbox.id || upload.expires_at <= iso(now))
    throw withParam(notFound("upload_not_found", "upl", id), param);
  if (upload.status !== "ready") throw fail("upload_not_ready", { param });
  return upload;
}

const fromUpload = ({ filename, content_type, size_bytes, sha256 }: UploadRecord): Origin => ({
  ...{ filename, content_type, size_bytes: size_bytes ?? 0, hash: sha256 ?? "" },
});

function fromFile({ url, content_type, size_bytes, hash }: Fetched): Origin {
  const filename = cleanFilename(nameInUrl(url)).slice(0, MAX_NAME_CHARS).toWellFormed();
  const type = content_type !== null && readMediaType(content_type) !== undefined ? content_type : undefined;
  return {
    ...{ filename, content_type: type ?? typeByName(filename) ?? "application/octet-stream" },
    ...{ size_bytes, hash },
  };
}

/** Attachments of this inbox's messages and drafts that the caller may read, by their ids. */
interface Stored {
  open: ReadonlyMap<string, StoredAttachment>;
  /** Those of held messages. */
  held: ReadonlySet<string>;
}

async function storedAttachments(
  { storage, inbox, caller }: Attaching,
  wanted: readonly string[],
): Promise<Stored> {
  const open = new Map<string, StoredAttachment>();
  const held = new Set<string>();
  const ids = new Set(wanted);
  const may = (kind: "message" | "draft") => holdsAny(caller.permissions, READ_PERMISSIONS[kind]);
  let after = "";
  for (let more = ids.size > 0; more && open.size < ids.size; ) {
    const places = await storage.find("attachment_places", {
      where: { attachment_id: { in: [...ids] }, message_id: { gt: after } },
      order: { by: "message_id", direction: "asc" },
      limit: PLACES_AT_ONCE,
    });
    // A message beyond the end of a page is read with all its attachments.
    after = places.at(-1)?.message_id ?? after;
    more = places.length === PLACES_AT_ONCE;
    const there = [...new Set(places.map(({ message_id }) => message_id))];
    const query = { where: { id: { in: there }, inbox_id: inbox.id }, limit: there.length };
    const [messages, drafts] = await Promise.all([
      there.length > 0 && may("message") ? storage.find("messages", query) : [],
      there.length > 0 && may("draft") ? storage.find("drafts", query) : [],
    ]);
    for (const each of [...messages, ...drafts])
      for (const attachment of each.attachments) {
        if (!ids.has(attachment.id)) continue;
        if (isHeld(each)) held.add(attachment.id);
        else open.set(attachment.id, attachment);
      }
  }
  return { open, held };
}

function storedAttachment({ open, held }: Stored, id: string, param: string): Origin {
  const found = open.get(id);
  if (found === undefined && held.has(id)) throw fail("message_held", { param });
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
