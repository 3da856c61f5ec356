import type { AccountContext } from "../../kernel/context.ts";
import { waitFor } from "../../kernel/waiting.ts";
import { channels } from "../../kernel/work.ts";
import type { EventRecord } from "../../model/feed.ts";
import { type FeedFilter, shows } from "./rules.ts";
import { checkKept, newestSequence } from "./start.ts";

/** A page of the feed. */
export interface FeedPage {
  events: EventRecord[];
  /** The last sequence examined: reading on after it neither skips nor repeats an event. */
  examined: number;
  /** There are more events to examine now. */
  more: boolean;
}

/** Events per step of a filtered read, and steps per read. */
const EVENTS_PER_STEP = 500;
const STEPS_PER_READ = 20;

/**
 * Reads up to `limit` events that match the filter, after a sequence. It examines a limited number of events,
 * so a page can be empty and still have more. Fails with `cursor_expired` when events after `from` have
 * expired.
 */
export async function readFeed(
  ctx: Pick<AccountContext, "storage" | "account_id">,
  filter: FeedFilter,
  from: number,
  limit: number,
): Promise<FeedPage> {
  // Read first: everything committed up to here is found below, so it counts as examined.
  const newest = await newestSequence(ctx);
  const page = await examine(ctx, filter, from, limit);
  // Checked last, to notice what the sweep deleted meanwhile.
  await checkKept(ctx, from, "after");
  return page.more ? page : { ...page, examined: Math.max(page.examined, newest) };
}

async function examine(
  { storage, account_id }: Pick<AccountContext, "storage" | "account_id">,
  filter: FeedFilter,
  from: number,
  limit: number,
): Promise<FeedPage> {
  const [inbox_id, ...others] = filter.inbox_ids ?? [];
  const scope = inbox_id === undefined || others.length > 0 ? { account_id } : { inbox_id };
  const step = filter.types.length === 0 ? limit + 1 : EVENTS_PER_STEP;
  const events: EventRecord[] = [];
  let examined = from;
  for (let taken = 0; taken < STEPS_PER_READ; taken++) {
    const found = await storage.find("events", {
      where: { ...scope, sequence: { gt: examined } },
      order: { by: "sequence", direction: "asc" },
      limit: step,
    });
    for (const event of found) {
      if (events.length === limit) return { events, examined, more: true };
      examined = event.sequence;
      if (shows(filter, event)) events.push(event);
    }
    if (found.length < step) return { events, examined, more: false };
  }
  return { events, examined, more: true };
}

/**
 * Like `readFeed`, but waits up to `seconds` for a matching event. The caller has taken a place for it (see
 * `takePlace`).
 */
export async function waitForFeed(
  ctx: AccountContext,
  filter: FeedFilter,
  from: number,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<FeedPage> {
  let last: FeedPage = { events: [], examined: from, more: false };
  const look = async () => {
    last = await readFeed(ctx, filter, last.examined, limit);
    return last.events.length > 0 || last.more ? last : undefined;
  };
  const scopes = filter.inbox_ids ?? [ctx.account_id];
  await waitFor(ctx, { channels: scopes.map(channels.events), seconds, look });
  return last;
}
