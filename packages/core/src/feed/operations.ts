import { z } from "zod";
import { IdInput } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { inboxesWithinReach } from "../kernel/caller.ts";
import { checkInbox } from "../kernel/inbox/check.ts";
import { operation } from "../kernel/operation.ts";
import { inPlace } from "../kernel/waiting.ts";
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
  limit: Limit(LIMITS.list_default, LIMITS.list_max),
  wait: FeedWait,
};

/** The operations on the event feed (decisions, section 9). */
export const events = {
  list: operation({
    summary: "Lists events, oldest first, after a cursor or a time. With wait it waits for one.",
    scope: "filtered",
    effect: "read",
    allow: ["event_read"],
    input: z.object({ ...FeedInput, inbox_id: IdInput.optional() }),
    output: EventPage,
    already_shown: true,
    async run(ctx, { after, types, inbox_id, limit, wait }) {
      await checkInbox(ctx, inbox_id);
      const from = await resolveStart(ctx, after);
      const filter = { types, inbox_ids: inboxesWithinReach(ctx.caller, inbox_id) };
      const look = () => waitForFeed(ctx, filter, from, { limit, seconds: wait });
      return showPage(ctx, await inPlace(ctx, wait, look));
    },
  }),

  listInbox: operation({
    summary: "Lists the events of one inbox, oldest first. With wait it waits for one.",
    scope: "inbox",
    effect: "read",
    allow: ["event_read"],
    input: z.object({ ...FeedInput, inbox_id: IdInput }),
    output: EventPage,
    already_shown: true,
    async run(ctx, { after, types, limit, wait }) {
      const from = await resolveStart(ctx, after);
      const filter = { types, inbox_ids: [ctx.inbox.id] };
      const look = () => waitForFeed(ctx, filter, from, { limit, seconds: wait });
      return showPage(ctx, await inPlace(ctx, wait, look));
    },
  }),

  stream: operation({
    summary: "Streams events for 25 seconds, starting now, at after, or at Last-Event-ID.",
    scope: "filtered",
    effect: "read",
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

/** The stream of task events. */
export const taskStream = {
  stream: operation({
    summary: "Streams task events for 25 seconds, starting now or at Last-Event-ID.",
    scope: "filtered",
    effect: "read",
    allow: ["task_read"],
    answers: "stream",
    input: z.object({ last_event_id: z.string().max(100).optional() }),
    output: EventStream,
    run: (ctx, { last_event_id }) =>
      streamEvents(ctx, { types: ["task.received", "task.updated"], cursor: last_event_id }),
  }),
};
