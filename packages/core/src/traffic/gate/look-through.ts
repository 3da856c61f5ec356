import type { Services } from "../../kernel/context.ts";
import { workOnContent } from "../../mail/content-tasks.ts";
import type { OwnWords } from "../../mail/own-words.ts";
import type { Leaving } from "./leaving.ts";

/** What is in something that leaves, once it was looked through: our words, and the hashes of its uploads. */
export type LookedThrough = OwnWords & { hashes: string[] };

/** Looks through everything that readers would get. */
export async function lookThrough(
  { blobs, contentWorker }: Pick<Services, "blobs" | "contentWorker">,
  leaving: Leaving,
): Promise<LookedThrough> {
  const { subject = "", text, html, headers = {}, names = {}, uploads = [], stored = [] } = leaving;
  const files = await Promise.all(stored.map(({ hash }) => blobs.get(hash)));
  const texts = [
    ...[subject, text ?? "", html ?? ""],
    ...[...Object.entries(headers), ...Object.entries(names)].flat(),
    ...[...leaving.to, ...leaving.cc, ...leaving.bcc, leaving.reply_to ?? ""],
    ...[...uploads, ...stored].map(({ filename }) => filename),
  ];
  return workOnContent(contentWorker, "ownWords", {
    texts,
    uploads: uploads.map(({ content_base64 }) => content_base64),
    files: files.filter((each) => each !== undefined),
  });
}
