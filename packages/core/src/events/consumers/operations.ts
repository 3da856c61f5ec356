import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ConsumerId, InboxId, OnlyInboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { reaches } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { inPlace } from "../../kernel/waiting.ts";
import { Consumer, type ConsumerRecord } from "../../model/consumers.ts";
import { EventPage } from "../../model/feed.ts";
import { ClientId, CursorInput, Deleted, iso, Limit, listOf, shownBy } from "../../model/fields.ts";
import { waitForFeed } from "../feed/read.ts";
import { AfterInput, FeedWait, TypesInput } from "../feed/rules.ts";
import { showPage } from "../feed/show.ts";
import { newestSequence, resolveStart } from "../feed/start.ts";

const allow = ["event_read"] as const;

/** Feed readers with a stored cursor: only committing moves it, polling doesn't. */
export const consumers = {
  create: operation({
    summary:
      "Adds a consumer that starts now, after a cursor or at a time. Repeating a client_id returns the first one.",
    when: "Read the event feed from several processes, or across restarts, without keeping a cursor yourself.",
    example: { client_id: "crm-sync", types: ["message.received"] },
    errors: ["consumer_limit", "consumer_not_found", "cursor_expired"],
    scope: "filtered",
    effect: "write",
    allow,
    idempotent: true,
    input: z.object({
      client_id: ClientId.describe("Your own name for the consumer, unique in the account."),
      types: TypesInput,
      inbox_id: InboxId.optional().describe("Only this inbox's events; all by default."),
      after: AfterInput.optional(),
    }),
    output: Consumer,
    async replay(ctx, { client_id }) {
      const where = { account_id: ctx.account_id, client_id };
      const [first] = await ctx.storage.find("consumers", { where, limit: 1 });
      return first && shownAgain(ctx, first);
    },
    async run(ctx, { client_id, types, inbox_id = onlyInbox(ctx.caller), after }) {
      await checkInbox(ctx, inbox_id);
      const inbox_ids = inbox_id === undefined ? undefined : [inbox_id];
      const record: ConsumerRecord = {
        id: ctx.makeId("evc"),
        account_id: ctx.account_id,
        client_id,
        types,
        inbox_id: inbox_id ?? null,
        position:
          after === undefined ? await newestSequence(ctx) : await resolveStart(ctx, after, { inbox_ids }),
        created_at: iso(ctx.now),
        committed_at: null,
      };
      return answerInTransaction(ctx, async (work) => {
        const { record: stored, inserted } = await work.insert("consumers", record);
        if (!inserted) return { ...shownAgain(ctx, stored), idempotent: true };
        const most = LIMITS.consumers_per_account;
        const count = await work.count("consumers", { account_id: ctx.account_id }, most + 1);
        if (count > most) throw fail("consumer_limit");
        return showConsumer(stored);
      });
    },
  }),

  list: operation({
    summary: "Lists the consumers, newest first. A key limited to an inbox sees that inbox's consumers.",
    when: "See which readers exist and how far they are.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow,
    input: z.object({
      inbox_id: OnlyInboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Consumer),
    async run(ctx, { inbox_id, limit, cursor }) {
      const { account_id, storage } = ctx;
      await checkInbox(ctx, inbox_id);
      const page = await newestFirst(storage, "consumers", {
        where: { account_id },
        limit,
        cursor,
        filter: { account_id, inbox_ids: ctx.caller.inbox_ids, inbox_id },
        // An account has at most 100 consumers, so those of an inbox are filtered here instead of by an index.
        only: {
          among: LIMITS.consumers_per_account,
          keep: (consumer) =>
            reaches(ctx.caller, consumer) && (inbox_id === undefined || consumer.inbox_id === inbox_id),
        },
      });
      return { ...page, data: page.data.map(showConsumer) };
    },
  }),

  get: operation({
    summary: "Shows a consumer and its cursor.",
    when: "See how far a reader is.",
    scope: "filtered",
    effect: "read",
    allow,
    input: z.object({ consumer_id: ConsumerId }),
    output: Consumer,
    run: async (ctx, { consumer_id }) => showConsumer(await findConsumer(ctx, consumer_id)),
  }),

  poll: operation({
    summary: "Lists the events after the consumer's cursor, without moving it. With wait it waits for one.",
    when: "Get the next events; commit the cursor when they are worked through.",
    example: { wait: 20 },
    errors: ["cursor_expired"],
    scope: "filtered",
    effect: "read",
    allow,
    input: z.object({
      consumer_id: ConsumerId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      wait: FeedWait,
    }),
    output: EventPage,
    already_shown: true,
    async run(ctx, { consumer_id, limit, wait }) {
      const { types, inbox_id, position } = await findConsumer(ctx, consumer_id);
      const filter = { types, inbox_ids: inbox_id === null ? undefined : [inbox_id] };
      const look = () => waitForFeed(ctx, filter, position, { limit, seconds: wait });
      return showPage(ctx, await inPlace(ctx, wait, look));
    },
  }),

  commit: operation({
    summary: "Moves the consumer's cursor forward. An older cursor changes nothing.",
    when: "Say that everything up to a cursor is worked through, so that no poll returns it again.",
    example: { cursor: "41" },
    scope: "filtered",
    effect: "write",
    allow,
    input: z.object({
      consumer_id: ConsumerId,
      cursor: z
        .string()
        .regex(/^\d{1,15}$/, { error: "invalid_cursor" })
        .describe("The `next_cursor` of the poll that is worked through."),
    }),
    output: Consumer,
    async run(ctx, { consumer_id, cursor }) {
      const { id } = await findConsumer(ctx, consumer_id);
      const position = Number(cursor);
      if (position > (await newestSequence(ctx))) throw fail("invalid_cursor", { param: "cursor" });
      const change = { position, committed_at: iso(ctx.now) };
      const [moved] = await ctx.storage.update("consumers", { id, position: { lt: position } }, change);
      return showConsumer(moved ?? (await findConsumer(ctx, id)));
    },
  }),

  delete: operation({
    summary: "Deletes a consumer.",
    when: "Remove a reader that is no longer used.",
    scope: "filtered",
    effect: "delete",
    allow,
    input: z.object({ consumer_id: ConsumerId }),
    output: Deleted("event_consumer"),
    async run(ctx, { consumer_id }) {
      const { id } = await findConsumer(ctx, consumer_id);
      await ctx.storage.delete("consumers", { id });
      return { id };
    },
  }),
};

/**
 * The consumer of an earlier call with the same client_id. A key that may not see it gets
 * `consumer_not_found`.
 */
function shownAgain(ctx: AccountContext, consumer: ConsumerRecord): Consumer {
  if (!reaches(ctx.caller, consumer)) throw fail("consumer_not_found", { param: "client_id" });
  return showConsumer(consumer);
}

/** The inbox of a new consumer when none is named. A caller limited to several inboxes must name one. */
function onlyInbox({ inbox_ids }: AccountContext["caller"]): string | undefined {
  if (inbox_ids === null) return undefined;
  if (inbox_ids.length === 1) return inbox_ids[0];
  throw fail("invalid_request", {
    param: "inbox_id",
    message: "Name the inbox, as the caller is limited to several.",
  });
}

/** A consumer that the caller may see. Fails with `consumer_not_found`. */
async function findConsumer(ctx: AccountContext, id: string): Promise<ConsumerRecord> {
  const consumer = await ctx.storage.get("consumers", id);
  if (!reaches(ctx.caller, consumer) || consumer === undefined)
    throw notFound("consumer_not_found", "evc", id);
  return consumer;
}

/** A consumer as shown to callers; its position is shown as its cursor. */
const showConsumer = ({ position, ...consumer }: ConsumerRecord): Consumer => ({
  ...shown(consumer),
  object: "event_consumer",
  cursor: String(position),
  idempotent: false,
});

const shown = shownBy(Consumer.omit({ object: true, cursor: true, idempotent: true }));
