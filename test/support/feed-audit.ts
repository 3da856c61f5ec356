import type { Client } from "@letterslot/client";
import { parseEvents } from "./crash-audit.ts";
import type { Delivered } from "./webhook-receiver.ts";

/** An event of the feed. */
export type FeedEvent = Awaited<ReturnType<Client["events"]["list"]>>["data"][number];

/** The feed as followed live, as read afterwards, and as delivered to the webhook. */
export interface SeenFeeds {
  followed: readonly FeedEvent[];
  feed: readonly FeedEvent[];
  delivered: Delivered[];
}

/** Compares the three: one line for each gap, event out of order or difference. */
export function auditFeed({ followed, feed, delivered }: SeenFeeds): { lost: string[]; torn: string[] } {
  const [lost, torn]: [string[], string[]] = [[], []];
  feed.forEach(({ sequence }, index) => {
    if (sequence !== index + 1) torn.push(`the feed's event ${index + 1} is number ${sequence}`);
  });
  const names = (events: readonly FeedEvent[]) => events.map(({ sequence, id }) => `${sequence} ${id}`);
  const [live, kept] = [names(followed), names(feed)];
  const differs = kept.findIndex((name, index) => live[index] !== name);
  if (differs >= 0 || live.length !== kept.length) {
    torn.push(
      `followed ${live.length} of ${kept.length} events; at ${differs}: ${live[differs]} instead of ${kept[differs]}`,
    );
  }
  const posted = parseEvents(delivered);
  const first = Math.min(...posted.map(({ sequence }) => sequence));
  const got = new Set(posted.map(({ sequence, id }) => `${sequence} ${id}`));
  for (const { sequence, id } of feed) {
    if (sequence >= first && !got.has(`${sequence} ${id}`)) lost.push(`delivery of event ${sequence}`);
  }
  return { lost, torn };
}
