import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { count, countOrFail } from "../../kernel/rate.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import { makeRoom, scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import type { FetchedImage } from "../../model/file-links.ts";
import type { WebhookHttp } from "../../ports/webhook-http.ts";
import { pictureType } from "./rules.ts";

/**
 * Fetches the remote images of a mail for a person who wants to see them, within the limits of a view; those that don't
 * come in time, or are none, stay away. What is fetched is kept for an hour. Nothing is fetched with what must never
 * leave: fails with `own_secret`, `canary_leaked`, `rate_limited` or, without room in the plan's storage,
 * `plan_limit_exceeded`.
 */
export async function fetchImages(ctx: InboxContext, urls: readonly string[]): Promise<FetchedImage[]> {
  if (urls.length === 0) return [];
  const { storage, inbox, account_id, caller, now } = ctx;
  const who = caller.type === "owner" ? caller.email : "";
  const name = `views-with-pictures:${account_id}:${who}`;
  await countOrFail(storage, { name, max: LIMITS.views_with_pictures_per_minute, window_ms: 60_000 }, now);
  const texts = urls.flatMap((url) => [url, decoded(url)]);
  await checkUpdate(ctx, inbox, texts, now);
  await makeRoom(ctx, account_id, 0, now);
  return withinHour(ctx, () => storeImages(ctx, urls));
}

/** The result of the fetches: all that was stored, and why they ended early, if they did. */
interface Stored {
  fetched: FetchedImage[];
  failure: PromiseRejectedResult | undefined;
}

/** Runs while the most that a view stores fits into the hour, then counts what it stored. Fails with `rate_limited`. */
async function withinHour(
  { storage, account_id, now }: InboxContext,
  run: () => Promise<Stored>,
): Promise<FetchedImage[]> {
  const root_id = (await rootAccount(storage, account_id))?.id ?? account_id;
  const cap = { name: `view-bytes:${root_id}`, max: LIMITS.view_bytes_per_hour, window_ms: 3600_000 };
  const { within, retry_after_seconds, give_back } = await count(
    storage,
    cap,
    now,
    LIMITS.view_pictures_bytes,
  );
  if (!within) {
    await give_back();
    throw fail("rate_limited", { retry_after_seconds, message: TOO_MANY_BYTES });
  }
  const { fetched, failure } = await run();
  const stored = fetched.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  await count(storage, cap, now, stored);
  await give_back();
  if (failure !== undefined) throw failure.reason;
  return fetched;
}

const TOO_MANY_BYTES = "The remote images that were shown in this hour are as many bytes as one may have.";

/** Fetches and stores images, which go when their hour is over, whatever fails. */
async function storeImages(ctx: InboxContext, urls: readonly string[]): Promise<Stored> {
  const { blobs, webhookHttp, clock, account_id, now } = ctx;
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
      await makeRoom(ctx, account_id, bytes.length, now);
      fetched.push({ url, hash: await blobs.put(bytes), size_bytes: bytes.length });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: LIMITS.view_pictures_at_once }, fetchNext));
  const hashes = fetched.map(({ hash }) => hash);
  if (hashes.length > 0) await ctx.transaction(async (work) => scheduleBlobCollection(work, hashes, now));
  return { fetched, failure: ended.find((each) => each.status === "rejected") };
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
