import type { Services } from "../../kernel/context.ts";
import { attachedUrl } from "../../mail/rendered-html/rules.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import { findBody } from "../../mailbox/messages/index.ts";
import type { FetchedImage } from "../../model/file-links.ts";
import type { MessageRecord } from "../../model/messages.ts";

/** A mail as a page, with the hashes of the pictures whose places are marked in it. */
export interface Page {
  page: string;
  /** The remote images that it names and doesn't show. */
  remote: string[];
  hashes: string[];
}

/** The parts of a mail that are rendered. */
type Mail = Pick<MessageRecord, "subject" | "attachments"> & { text: string; html: string | null };

/** Renders a message with the pictures that came with it and those that were fetched. */
export async function renderMessage(
  services: Pick<Services, "storage" | "contentWorker">,
  message: MessageRecord,
  images: readonly FetchedImage[],
): Promise<Page> {
  const { text, html } = await findBody(services.storage, message);
  return renderMail(services, { ...message, text: text ?? message.extracted_text, html }, images);
}

/** Renders a mail with the pictures that are attached to it and those that were fetched. */
export async function renderMail(
  { contentWorker }: Pick<Services, "contentWorker">,
  { subject, text, html, attachments }: Mail,
  images: readonly FetchedImage[],
): Promise<Page> {
  const attached = attachments.flatMap(({ content_id, size_bytes, hash }) =>
    content_id === null ? [] : [{ url: attachedUrl(content_id), size_bytes, hash }],
  );
  const known = [...attached, ...images];
  const shown = await workOnContent(contentWorker, "showMail", {
    ...{ subject, text, html },
    pictures: known.map(({ url, size_bytes }) => ({ url, size_bytes })),
  });
  return { ...shown, hashes: known.map(({ hash }) => hash) };
}
