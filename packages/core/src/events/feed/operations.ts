import { z } from "zod";
import { InboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { inboxesWithinReach } from "../../kernel/access/caller.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { inPlace } from "../../kernel/waiting.ts";
import { EventPage } from "../../model/feed.ts";
import { Limit } from "../../model/fields.ts";
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

/** The operations on the event feed. */
export const events = {
  list: operation({
    summary: "Lists events, oldest first, after a cursor or a time. With wait it waits for one.",
    when: "Follow everything that happens in the account, in order, without a webhook: keep next_cursor and ask again.",
    example: { after: "41", types: "message.received,task.received", wait: 20 },
    errors: ["cursor_expired"],
    scope: "filtered",
    effect: "read",
    allow: ["event_read"],
    input: z.object({
      ...FeedInput,
      inbox_id: InboxId.optional().describe("Only this inbox's events; all by default."),
    }),
    output: EventPage,
    already_shown: true,
    async run(ctx, { after, types, inbox_id, limit, wait }) {
      await checkInbox(ctx, inbox_id);
      const filter = { types, inbox_ids: inboxesWithinReach(ctx.caller, inbox_id) };
      const from = await resolveStart(ctx, after, filter);
      const look = () => waitForFeed(ctx, filter, from, { limit, seconds: wait });
      return showPage(ctx, await inPlace(ctx, wait, look));
    },
  }),

  listInbox: operation({
    summary: "Lists the events of one inbox, oldest first. With wait it waits for one.",
    when: "Follow what happens in one inbox.",
    example: { after: "2026-11-20T08:00:00Z", wait: 20 },
    errors: ["cursor_expired"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["event_read"],
    input: z.object({ ...FeedInput, inbox_id: InboxId }),
    output: EventPage,
    already_shown: true,
    async run(ctx, { after, types, limit, wait }) {
      const filter = { types, inbox_ids: [ctx.inbox.id] };
      const from = await resolveStart(ctx, after, filter);
      const look = () => waitForFeed(ctx, filter, from, { limit, seconds: wait });
      return showPage(ctx, await inPlace(ctx, wait, look));
    },
  }),

  stream: operation({
    summary: "Streams events for 25 seconds, starting now, at after, or at Last-Event-ID.",
    when: "Get events as they happen, over server-sent events; connect again with Last-Event-ID.",
    example: { types: "message.received" },
    errors: ["invalid_cursor", "cursor_expired"],
    scope: "filtered",
    effect: "read",
    allow: ["event_read"],
    answers: "stream",
    input: z.object({
      after: AfterInput.optional(),
      types: TypesInput,
      inbox_id: InboxId.optional().describe("Only this inbox's events; all by default."),
      last_event_id: z
        .string()
        .max(100)
        .optional()
        .describe("The cursor to continue after, as browsers send it after a lost connection."),
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
    when: "Get tasks as they come, over server-sent events; connect again with Last-Event-ID.",
    errors: ["invalid_cursor", "cursor_expired"],
    scope: "filtered",
    effect: "read",
    allow: ["task_read"],
    answers: "stream",
    input: z.object({
      last_event_id: z
        .string()
        .max(100)
        .optional()
        .describe("The cursor to continue after, as browsers send it after a lost connection."),
    }),
    output: EventStream,
    run: (ctx, { last_event_id }) =>
      streamEvents(ctx, { types: ["task.received", "task.updated"], cursor: last_event_id }),
  }),
};
