import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountContext } from "../../kernel/context.ts";
import type { EventRecord } from "../../model/feed.ts";
import type { Transaction } from "../../ports/storage.ts";
import { type FeedFilter, type Start, startOf } from "./rules.ts";

type Reader = Pick<AccountContext, "storage" | "account_id">;

/**
 * An event's time is that of its call's start, its sequence that of the commit: times may be out of order by
 * this much.
 */
const MAX_CLOCK_SKEW_MS = 60_000;
const EVENTS_PER_STEP = 500;

/** The sequence of the newest event, 0 if there is none. */
export async function newestSequence({ storage, account_id }: Reader): Promise<number> {
  return (await storage.get("accounts", account_id))?.event_sequence ?? 0;
}

/** The sequence up to which events have expired, 0 if none has. */
export async function floorOf({ storage, account_id }: Reader): Promise<number> {
  return (await storage.get("event_floors", account_id))?.sequence ?? 0;
}

/**
 * The sequence after which a reader of these inboxes (undefined: of the account) starts; without `start`, before the
 * oldest event kept. Fails with `invalid_cursor` for a cursor that was never issued, and with `cursor_expired` when
 * the events right after it are no longer kept.
 */
export async function resolveStart(
  ctx: AccountContext,
  start: Start | undefined,
  { inbox_ids }: Pick<FeedFilter, "inbox_ids">,
  param = "after",
): Promise<number> {
  if (start === undefined) return floorOf(ctx);
  if ("after" in start) return sequenceAt(ctx, start.after, param);
  const newest = await newestSequence(ctx);
  if (start.sequence > newest) throw fail("invalid_cursor", { param });
  const floor = await floorOf(ctx);
  if (start.sequence < floor) throw fail("cursor_expired", { param });
  if (inbox_ids === undefined && start.sequence < newest)
    await checkNotPurged(ctx, start.sequence, { floor, newest }, param);
  return start.sequence;
}

/** The sequence in a Last-Event-ID header. Fails as `resolveStart` does. */
export async function resolveLastEventId(
  ctx: AccountContext,
  last_event_id: string,
  filter: Pick<FeedFilter, "inbox_ids">,
): Promise<number> {
  const param = "Last-Event-ID";
  const start = startOf(last_event_id);
  if (start === undefined || "after" in start) throw fail("invalid_cursor", { param });
  return resolveStart(ctx, start, filter, param);
}

/** Fails with `cursor_expired` when events after the sequence have expired. */
export async function checkKept(reader: Reader, sequence: number, param: string): Promise<void> {
  if (sequence < (await floorOf(reader))) throw fail("cursor_expired", { param });
}

/**
 * Fails with `cursor_expired` for a cursor before the oldest event that an account has left: deleted inboxes took
 * theirs along. A reader of other inboxes misses nothing by that.
 */
async function checkNotPurged(
  reader: Reader,
  sequence: number,
  { floor, newest }: { floor: number; newest: number },
  param: string,
): Promise<void> {
  const [oldest] = await eventsAfter(reader, floor, 1);
  if (sequence < (oldest?.sequence ?? newest + 1) - 1) throw fail("cursor_expired", { param });
}

/** The sequence before the first event after a time. */
async function sequenceAt(ctx: AccountContext, time: Date, param: string): Promise<number> {
  const [floor, newest] = await Promise.all([floorOf(ctx), newestSequence(ctx)]);
  const kept_since = ctx.now.getTime() - LIMITS.events_kept_ms;
  if (floor > 0 && time.getTime() < kept_since) throw fail("cursor_expired", { param });

  const early = new Date(time.getTime() - MAX_CLOCK_SKEW_MS).toISOString();
  let low = floor;
  let high = newest;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next] = await eventsAfter(ctx, middle, 1);
    if (next === undefined || next.created_at > early) high = middle;
    else low = next.sequence;
  }
  return beforeFirstLater(ctx, low, newest, time.toISOString());
}

/** Scans from the binary search's result to the first event that is really later; only a few precede it. */
async function beforeFirstLater(
  ctx: AccountContext,
  from: number,
  newest: number,
  time: string,
): Promise<number> {
  let before = from;
  for (;;) {
    const events = await eventsAfter(ctx, before, EVENTS_PER_STEP);
    const later = events.findIndex(({ created_at }) => created_at > time);
    if (later === 0) return before;
    if (later > 0) return events[later - 1]?.sequence ?? before;
    if (events.length < EVENTS_PER_STEP) return Math.max(newest, events.at(-1)?.sequence ?? before);
    before = events.at(-1)?.sequence ?? before;
  }
}

function eventsAfter(
  { storage, account_id }: Reader,
  sequence: number,
  limit: number,
): Promise<EventRecord[]> {
  return storage.find("events", {
    where: { account_id, sequence: { gt: sequence } },
    order: { by: "sequence", direction: "asc" },
    limit,
  });
}

/** Records up to which sequence an account's events have expired, in the transaction that deletes them. */
export async function raiseFloor(tx: Transaction, account_id: string, sequence: number): Promise<void> {
  const { inserted } = await tx.insert("event_floors", { account_id, sequence });
  if (!inserted) await tx.update("event_floors", { account_id, sequence: { lt: sequence } }, { sequence });
}
