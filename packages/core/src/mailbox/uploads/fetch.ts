import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { checkClaimed } from "../../kernel/access/claimed.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { askingKey, lineageOf } from "../../limits/budgets/index.ts";
import { sendingHealth } from "../../limits/health/index.ts";
import type { ReceivedBlob } from "../../ports/blobs.ts";
import { checkUpdate } from "../canaries/index.ts";
import { scheduleBlobCollection } from "../messages/index.ts";
import { fetchableUrl } from "./rules.ts";

/** A URL that a file is attached from, and the field that has it. */
export interface Wanted {
  url: string;
  param: string;
}

/** A file that was fetched: its bytes are stored. */
export interface Fetched extends ReceivedBlob {
  /** As it was asked for. */
  url: string;
  /** What its server says, if it says something. */
  content_type: string | null;
}

/** Who attaches files to what, in which inbox. */
export type Attaching = Services & Pick<InboxContext, "inbox" | "caller" | "now">;

/**
 * Fetches files, of together at most `room` bytes. Nothing is fetched unless all may be; what no mail uses goes when its
 * hour is over. Fails with `attachment_url_refused`, `attachment_fetch_failed`, `message_too_large`, `account_unclaimed`
 * and, for what must never leave, with `own_secret` or `canary_leaked`.
 */
export async function fetchFiles(
  ctx: Attaching,
  wanted: readonly Wanted[],
  room: number,
): Promise<Fetched[]> {
  if (wanted.length === 0) return [];
  const allowed = await allowedUrls(ctx, wanted);
  const end = ctx.clock.now().getTime() + LIMITS.attachment_fetch_ms;
  const fetched: Fetched[] = [];
  try {
    let left = room;
    for (const { url, param } of allowed) {
      const timeout_ms = end - ctx.clock.now().getTime();
      if (timeout_ms <= 0) throw fail("attachment_fetch_failed", { param, message: TOO_LATE });
      const file = await fetchFile(ctx, { url, param }, { room: left, timeout_ms });
      fetched.push(file);
      left -= file.size_bytes;
    }
    return fetched;
  } finally {
    const hashes = fetched.map(({ hash }) => hash);
    if (hashes.length > 0)
      await unitOfWork(ctx, ctx.inbox.account_id, ctx.now, async (work) =>
        scheduleBlobCollection(work, hashes, ctx.now),
      );
  }
}

const TOO_LATE = "The files of this mail took too long.";

/** The URLs as they are asked for. A fetch is a way out: all that keeps mail from leaving keeps it too. */
async function allowedUrls(ctx: Attaching, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const { storage, inbox, caller, options, now } = ctx;
  const [root, health, lineage] = await Promise.all([
    rootAccount(storage, inbox.account_id),
    sendingHealth(storage, inbox.account_id, now),
    lineageOf(storage, askingKey(caller)),
  ]);
  if (root === undefined) throw fail("account_deleted");
  checkClaimed(root, options.onboarding);
  const stopped =
    inbox.status === "paused" || inbox.sending_paused_at !== null || stateOf(inbox, now) === "expired";
  const sends = !stopped && health.state !== "paused";
  const may_send = holdsAny(caller.permissions, ["message_send"]);
  const has_budget = lineage.some(({ budget }) => budget !== null);
  const asked = { ...inbox, sends, may_send, has_budget };
  const allowed = wanted.map(({ url, param }) => ({
    url: withParam(param, () => fetchableUrl(url, asked, options.attachmentUrls)),
    param,
  }));
  const texts = allowed.flatMap(({ url }) => [url, decoded(url)]);
  await checkUpdate(ctx, inbox, texts, now);
  return allowed;
}

function withParam<T>(param: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof LetterslotError ? Object.assign(error, { param }) : error;
  }
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

async function fetchFile(
  { webhookHttp, blobs }: Pick<Services, "webhookHttp" | "blobs">,
  { url, param }: Wanted,
  { room, timeout_ms }: { room: number; timeout_ms: number },
): Promise<Fetched> {
  const answer = await webhookHttp.file({ url, timeout_ms });
  if (answer.error !== null) {
    const code = answer.refused ? "attachment_url_refused" : "attachment_fetch_failed";
    throw fail(code, { param, message: `The file couldn't be fetched: ${answer.error}.` });
  }
  try {
    const stored = await blobs.putStream(atMost(answer.bytes, room, param));
    return { url, content_type: answer.content_type, ...stored };
  } catch (error) {
    if (error instanceof LetterslotError) throw error;
    throw fail("attachment_fetch_failed", { param, cause: error });
  } finally {
    await answer.bytes.return(undefined);
  }
}

async function* atMost(
  bytes: AsyncIterable<Uint8Array>,
  room: number,
  param: string,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > room) throw fail("message_too_large", { param });
    yield piece;
  }
}
