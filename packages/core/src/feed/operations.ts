import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import { checkInbox } from "../kernel/inbox/check.ts";
import { operation } from "../kernel/operation.ts";
import { EventPage } from "../model/feed.ts";
import { Limit } from "../model/fields.ts";
import { waitForFeed } from "./read.ts";
import { AfterInput, FeedWait, TypesInput } from "./rules.ts";
import { showPage } from "./show.ts";
import { resolveStart } from "./start.ts";
import { EventStream, streamEvents } from "./stream.ts";

const FeedInput = {
  after: AfterInput.optional(),
  types: TypesInput,
  limit: Limit(limits.list_default, limits.list_max),
  wait: FeedWait,
};

/** Reading what happened, in the order in which it did (decisions, section 9). */
export const events = {
  list: operation({
    summary:
      "Lists events, oldest first, after a cursor or a time; with wait it answers as soon as there is one.",
    scope: "filtered",
    allow: ["event_read"],
    input: z.object({ ...FeedInput, inbox_id: IdInput.optional() }),
    output: EventPage,
    async run(ctx, { after, types, inbox_id = ctx.caller.inbox_id ?? undefined, limit, wait }) {
      await checkInbox(ctx, inbox_id);
      const from = await resolveStart(ctx, after);
      return showPage(ctx, await waitForFeed(ctx, { types, inbox_id }, from, { limit, seconds: wait }));
    },
  }),

  listInbox: operation({
    summary: "Lists the events of one inbox, oldest first; with wait it answers as soon as there is one.",
    scope: "inbox",
    allow: ["event_read"],
    input: z.object({ ...FeedInput, inbox_id: IdInput }),
    output: EventPage,
    async run(ctx, { after, types, limit, wait }) {
      const from = await resolveStart(ctx, after);
      return showPage(
        ctx,
        await waitForFeed(ctx, { types, inbox_id: ctx.inbox.id }, from, { limit, seconds: wait }),
      );
    },
  }),

  stream: operation({
    summary: "Streams events for 25 seconds, from now, from after or from Last-Event-ID on.",
    scope: "filtered",
    allow: ["event_read"],
    answers: "stream",
    input: z.object({
      after: AfterInput.optional(),
      types: TypesInput,
      inbox_id: IdInput.optional(),
      last_event_id: z.string().max(100).optional(),
    }),
    output: EventStream,
    async run(ctx, { after, types, inbox_id, last_event_id }) {
      await checkInbox(ctx, inbox_id);
      return streamEvents(ctx, { types, inbox_id, after, cursor: last_event_id });
    },
  }),
};
