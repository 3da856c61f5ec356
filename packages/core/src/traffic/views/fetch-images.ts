import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import type { FetchedImage } from "../../model/file-links.ts";
import type { WebhookHttp } from "../../ports/webhook-http.ts";
import { pictureType } from "./rules.ts";

/**
 * Fetches the remote images of a mail for a person who wants to see them, within the limits of a view; those that don't
 * come in time, or are none, stay away. What is fetched is kept for an hour. Nothing is fetched with what must never
 * leave: fails with `own_secret`, `canary_leaked` or `rate_limited`.
 */
export async function fetchImages(ctx: InboxContext, urls: readonly string[]): Promise<FetchedImage[]> {
  if (urls.length === 0) return [];
  const { storage, blobs, webhookHttp, clock, inbox, account_id, caller, now } = ctx;
  const who = caller.type === "owner" ? caller.email : "";
  const name = `views-with-pictures:${account_id}:${who}`;
  await countOrFail(storage, { name, max: LIMITS.views_with_pictures_per_minute, window_ms: 60_000 }, now);
  const texts = urls.flatMap((url) => [url, decoded(url)]);
  await checkUpdate(ctx, inbox, texts, now);
  const end = clock.now().getTime() + LIMITS.view_pictures_ms;
  const waiting = [...urls];
  const fetched: FetchedImage[] = [];
  let room = LIMITS.view_pictures_bytes;
  const fetchNext = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const timeout_ms = end - clock.now().getTime();
      if (timeout_ms <= 0) return;
      const most = Math.min(room, LIMITS.view_picture_bytes);
      const bytes = await readImage(webhookHttp, { url, timeout_ms }, most);
      // Others may have come meanwhile.
      if (bytes === undefined || bytes.length > room) continue;
      room -= bytes.length;
      fetched.push({ url, hash: await blobs.put(bytes), size_bytes: bytes.length });
    }
  };
  await Promise.all(Array.from({ length: LIMITS.view_pictures_at_once }, fetchNext));
  await ctx.transaction(async (work) => {
    const hashes = fetched.map(({ hash }) => hash);
    scheduleBlobCollection(work, hashes, now);
  });
  return fetched;
}

/** An image of at most `most` bytes; undefined if it can't be had, or isn't one. */
async function readImage(
  http: WebhookHttp,
  request: { url: string; timeout_ms: number },
  most: number,
): Promise<Uint8Array | undefined> {
  const answer = await http.file(request);
  if (answer.error !== null) return undefined;
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of answer.bytes) {
      size += piece.byteLength;
      if (size > most) return undefined;
      pieces.push(piece);
    }
  } catch {
    return undefined;
  }
  const bytes = Buffer.concat(pieces);
  return pictureType(bytes) === undefined ? undefined : bytes;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
