import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { PICTURE_MARK } from "../../mail/rendered-html/pictures.ts";
import { findMessage, isHeld } from "../../mailbox/messages/index.ts";
import type { StreamedDownload } from "../../model/attachments.ts";
import type { FetchedImage, FileLinkRecord } from "../../model/file-links.ts";
import { mailAsRead } from "../../owners/approvals/index.ts";
import type { Blobs } from "../../ports/blobs.ts";
import { liveLink } from "../attachments/index.ts";
import { type Page, renderMail, renderMessage } from "./render-message.ts";
import { pictureType, SIGNATURE_BYTES, viewHeaders } from "./rules.ts";

/** The placeholder for a picture that is missing, or is none. */
const NO_PICTURE = "data:,";

/**
 * The page that shows a mail, for whoever has the word of its view. It ends after 5 minutes and with the right of whoever
 * made it. Fails with `view_not_found`, `account_suspended`, `message_not_found` or `message_held`; of a mail that waits for
 * approval with `approval_changed` or `draft_not_found`.
 */
export async function openView(services: Services, word: string): Promise<StreamedDownload> {
  const link = await liveLink(services, word);
  if (link === undefined || link.view === null) throw fail("view_not_found");
  const { images, approval } = link.view;
  const { page, hashes, links_open } =
    approval === undefined ? await messagePage(services, link, images) : await askedPage(services, approval);
  return { stream: written(services.blobs, page, hashes), headers: viewHeaders({ links_open }) };
}

type LinkedPage = Page & { links_open: boolean };

/** A message as a page; the links of suspicious mail open nothing. */
async function messagePage(
  services: Services,
  { inbox_id, message_id }: FileLinkRecord,
  images: readonly FetchedImage[],
): Promise<LinkedPage> {
  const message = await findMessage(services.storage, inbox_id, message_id);
  if (isHeld(message)) throw fail("message_held");
  const page = await renderMessage(services, message, images);
  return { ...page, links_open: !message.labels.includes("suspicious") };
}

/** A mail that waits for approval as a page. Nobody has vouched for it yet: its links open nothing. */
async function askedPage(
  services: Services,
  { id, digest }: { id: string; digest: string },
): Promise<LinkedPage> {
  const approval = await services.storage.get("approvals", id);
  if (approval === undefined) throw fail("view_not_found");
  const draft = await mailAsRead(services, approval, digest);
  return { ...(await renderMail(services, { ...draft, text: draft.text ?? "" }, [])), links_open: false };
}

/** A page as bytes, with its pictures in their places, each read as it is sent. */
async function* written(
  blobs: Pick<Blobs, "getStream">,
  page: string,
  hashes: readonly string[],
): AsyncGenerator<Uint8Array> {
  for (const [index, part] of page.split(PICTURE_MARK).entries()) {
    if (index % 2 === 0) yield Buffer.from(part);
    else yield* dataUrl(blobs, hashes[Number(part)] ?? "");
  }
}

async function* dataUrl(blobs: Pick<Blobs, "getStream">, hash: string): AsyncGenerator<Uint8Array> {
  const stored = await blobs.getStream(hash);
  if (stored === undefined) return yield Buffer.from(NO_PICTURE);
  let kept = Buffer.alloc(0);
  let type: string | undefined;
  for await (const piece of stored.bytes) {
    kept = Buffer.concat([kept, piece]);
    if (kept.length < SIGNATURE_BYTES) continue;
    if (type === undefined) {
      type = pictureType(kept);
      if (type === undefined) break;
      yield Buffer.from(`data:${type};base64,`);
    }
    // Three bytes are four characters, whatever comes next.
    const whole = kept.length - (kept.length % 3);
    yield Buffer.from(kept.toString("base64", 0, whole));
    kept = kept.subarray(whole);
  }
  yield Buffer.from(type === undefined ? NO_PICTURE : kept.toString("base64"));
}
