import type { AccountContext } from "../kernel/context.ts";
import { waitFor } from "../kernel/waiting.ts";
import { channels } from "../kernel/work.ts";
import type { EventRecord } from "../model/feed.ts";
import { type FeedFilter, shows } from "./rules.ts";
import { checkKept, newestSequence } from "./start.ts";

/** What was found after a place in the feed. */
export interface FeedPage {
  events: EventRecord[];
  /** The last sequence looked at: a reader that goes on after it misses nothing and sees nothing twice. */
  examined: number;
  /** There is more to look at already. */
  more: boolean;
}

/** Records that one step of a filtered read looks at, and the steps of one read. */
const stepRecords = 500;
const stepsPerRead = 20;

/**
 * Reads up to `limit` events that the filter shows, after a sequence. It looks at a bounded number of events:
 * a page can be empty and have more. Fails with `cursor_expired` when events after `from` are gone because of
 * their age.
 */
export async function readFeed(
  ctx: Pick<AccountContext, "storage" | "account_id">,
  filter: FeedFilter,
  from: number,
  limit: number,
): Promise<FeedPage> {
  // Read first: whatever was committed by then is in what is found below, so all up to here counts as looked
  // at.
  const newest = await newestSequence(ctx);
  const page = await examine(ctx, filter, from, limit);
  // Checked last: what the sweep took while we read is noticed too.
  await checkKept(ctx, from, "after");
  return page.more ? page : { ...page, examined: Math.max(page.examined, newest) };
}

async function examine(
  { storage, account_id }: Pick<AccountContext, "storage" | "account_id">,
  filter: FeedFilter,
  from: number,
  limit: number,
): Promise<FeedPage> {
  const scope = filter.inbox_id === undefined ? { account_id } : { inbox_id: filter.inbox_id };
  const step = filter.types.length === 0 ? limit + 1 : stepRecords;
  const events: EventRecord[] = [];
  let examined = from;
  for (let taken = 0; taken < stepsPerRead; taken++) {
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
 * The same, waiting up to so many seconds for there to be something; an event that the filter leaves out does
 * not end the wait.
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
  await waitFor(ctx, { channel: channels.events(ctx.account_id), seconds, look });
  return last;
}
