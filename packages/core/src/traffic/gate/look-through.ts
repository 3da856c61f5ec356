import type { Services } from "../../kernel/context.ts";
import type { OwnWords } from "../../mail/own-words.ts";
import { workOnContent } from "../../mail/work-on-content.ts";
import type { Leaving, Sender } from "./leaving.ts";

/** What is in something that leaves, once it was looked through: our words, and the hashes of its uploads. */
export type LookedThrough = OwnWords & {
  hashes: string[];
  /** The bytes of its stored files, by their hash. */
  files: Map<string, Uint8Array>;
};

/** Looks through everything that readers would get. */
export async function lookThrough(
  { blobs, contentWorker, inbox }: Pick<Services, "blobs" | "contentWorker"> & Pick<Sender, "inbox">,
  leaving: Leaving,
): Promise<LookedThrough> {
  const { subject = "", text, html, headers = {}, names = {}, uploads = [], stored = [] } = leaving;
  const files = new Map<string, Uint8Array>();
  for (const hash of new Set(stored.map((file) => file.hash))) {
    const bytes = await blobs.get(hash);
    if (bytes !== undefined) files.set(hash, bytes);
  }
  const texts = [
    ...[inbox.display_name ?? "", subject, text ?? "", html ?? ""],
    ...[...Object.entries(headers), ...Object.entries(names)].flat(),
    ...[...leaving.to, ...leaving.cc, ...leaving.bcc, leaving.reply_to ?? "", leaving.in_reply_to ?? ""],
    ...[...uploads, ...stored].flatMap(({ filename, content_id }) => [filename, content_id ?? ""]),
  ];
  const found = await workOnContent(contentWorker, "ownWords", {
    texts,
    uploads: uploads.map(({ content_base64 }) => content_base64),
    files: [...files.values()],
  });
  return { ...found, files };
}
