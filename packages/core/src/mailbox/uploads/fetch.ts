import { fail, LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import { checkClaimed } from "../../kernel/access/claimed.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { freeSlot, takeSlot } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { askingKey, lineageOf } from "../../limits/budgets/index.ts";
import { sendingHealth } from "../../limits/health/index.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import type { ReceivedBlob } from "../../ports/blobs.ts";
import { checkUpdate } from "../canaries/index.ts";
import { makeRoom, scheduleBlobCollection } from "../messages/index.ts";
import { checkedPieces } from "./pieces.ts";
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

/** The context of an attaching call: its caller, inbox and time. */
export type Attaching = Services & Pick<InboxContext, "inbox" | "caller" | "now">;

/**
 * Fetches files, of together at most `room` bytes. Nothing is fetched unless all may be; what no mail uses goes when its
 * hour is over. Fails with `attachment_url_refused`, `attachment_fetch_failed`, `message_too_large`, `account_unclaimed`,
 * `plan_limit_exceeded`, `rate_limited` and, for what must never leave, with `own_secret` or `canary_leaked`.
 */
export async function fetchFiles(
  ctx: Attaching,
  wanted: readonly Wanted[],
  room: number,
): Promise<Fetched[]> {
  if (wanted.length === 0) return [];
  const { allowed, root } = await allowedUrls(ctx, wanted);
  return withinSlot(ctx, root.id, () => fetchAllowed(ctx, allowed, room));
}

async function fetchAllowed(ctx: Attaching, allowed: readonly Wanted[], room: number): Promise<Fetched[]> {
  await makeRoom(ctx, ctx.inbox.account_id, 0, ctx.now);
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

/** The time for storing the bytes, after that for the fetches. */
const GRACE_MS = 15_000;
const TOO_MANY = `${LIMITS.attachment_fetches_at_once} mails of this account have files fetched now, which is the limit.`;
const TOO_LATE = "The files of this mail took too long.";

/** Runs while few others of the same root account do. Fails with `rate_limited`. */
async function withinSlot<T>(ctx: Attaching, root_id: string, run: () => Promise<T>): Promise<T> {
  const holder = ctx.makeId("req");
  const lease_ms = LIMITS.attachment_fetch_ms + GRACE_MS;
  const wanted = { name: `fetch:${root_id}`, slots: LIMITS.attachment_fetches_at_once, holder, lease_ms };
  const slot = await takeSlot(ctx.storage, wanted, ctx.clock.now());
  if (slot === undefined) throw fail("rate_limited", { retry_after_seconds: 1, message: TOO_MANY });
  try {
    return await run();
  } finally {
    await freeSlot(ctx.storage, slot, holder);
  }
}

/** The URLs as they are asked for, and the root account. A fetch is a way out: all that keeps mail from leaving keeps it too. */
async function allowedUrls(
  ctx: Attaching,
  wanted: readonly Wanted[],
): Promise<{ allowed: Wanted[]; root: AccountRecord }> {
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
  const allowed = wanted.map((each) => ({
    url: fetchableUrl(each, asked, options.attachmentUrls),
    param: each.param,
  }));
  const texts = allowed.flatMap(({ url }) => [url, decoded(url)]);
  await checkUpdate(ctx, inbox, texts, now);
  return { allowed, root };
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

async function fetchFile(
  ctx: Attaching,
  { url, param }: Wanted,
  { room, timeout_ms }: { room: number; timeout_ms: number },
): Promise<Fetched> {
  const answer = await ctx.webhookHttp.file({ url, timeout_ms });
  if (answer.error !== null) {
    const code = answer.refused ? "attachment_url_refused" : "attachment_fetch_failed";
    throw fail(code, { param, message: `The file couldn't be fetched: ${answer.error}.` });
  }
  try {
    const stored = await ctx.blobs.putStream(allOf(ctx, answer.bytes, room, param));
    return { url, content_type: answer.content_type, ...stored };
  } catch (error) {
    if (error instanceof LetterslotError) throw error;
    throw fail("attachment_fetch_failed", { param, cause: error });
  } finally {
    await answer.bytes.return(undefined);
  }
}

/** The bytes, with all that can be refused once they have come: a source that fails stores nothing. */
async function* allOf(
  ctx: Attaching,
  bytes: AsyncIterable<Uint8Array>,
  room: number,
  param: string,
): AsyncGenerator<Uint8Array> {
  const size = yield* checkedPieces(bytes, (so_far) => {
    if (so_far > room) throw fail("message_too_large", { param });
  });
  await makeRoom(ctx, ctx.inbox.account_id, size, ctx.now);
}
