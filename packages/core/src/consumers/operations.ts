import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import {
  AfterInput,
  FeedWait,
  newestSequence,
  resolveStart,
  showPage,
  TypesInput,
  waitForFeed,
} from "../feed/index.ts";
import type { AccountContext } from "../kernel/context.ts";
import { checkInbox } from "../kernel/inbox/check.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { Consumer, type ConsumerRecord } from "../model/consumers.ts";
import { EventPage } from "../model/feed.ts";
import { ClientId, CursorInput, Deleted, iso, Limit, listOf } from "../model/fields.ts";
import { findConsumer, visible } from "./find.ts";
import { showConsumer } from "./show.ts";

const allow = ["event_read"] as const;

/**
 * Readers of the feed whose place is kept for them: reading never advances it, committing does (decisions,
 * section 9).
 */
export const consumers = {
  create: operation({
    summary:
      "Adds a consumer that begins now or after a cursor or a time; the same client_id answers the first one.",
    scope: "filtered",
    allow,
    input: z.object({
      client_id: ClientId,
      types: TypesInput,
      inbox_id: IdInput.optional(),
      after: AfterInput.optional(),
    }),
    output: Consumer,
    async replay(ctx, { client_id }) {
      const where = { account_id: ctx.account_id, client_id };
      const [first] = await ctx.storage.find("consumers", { where, limit: 1 });
      return first && shownAgain(ctx, first);
    },
    async run(ctx, { client_id, types, inbox_id = ctx.caller.inbox_id ?? undefined, after }) {
      await checkInbox(ctx, inbox_id);
      const record: ConsumerRecord = {
        id: ctx.makeId("evc"),
        account_id: ctx.account_id,
        client_id,
        types,
        inbox_id: inbox_id ?? null,
        position: after === undefined ? await newestSequence(ctx) : await resolveStart(ctx, after),
        created_at: iso(ctx.now),
        committed_at: null,
      };
      return ctx.transaction(async (work) => {
        const { record: stored, inserted } = await work.insert("consumers", record);
        if (!inserted) return { ...shownAgain(ctx, stored), idempotent: true };
        const most = limits.consumers_per_account;
        const count = await work.count("consumers", { account_id: ctx.account_id }, most + 1);
        if (count > most) throw fail("consumer_limit");
        return showConsumer(stored);
      });
    },
  }),

  list: operation({
    summary: "Lists the consumers, newest first; a key held to an inbox sees those of its inbox.",
    scope: "filtered",
    allow,
    input: z.object({ limit: Limit(limits.list_default, limits.list_max), cursor: CursorInput.optional() }),
    output: listOf(Consumer),
    async run(ctx, { limit, cursor }) {
      const { account_id, storage } = ctx;
      const page = await pageOf<ConsumerRecord>({
        filter: { list: "consumers", account_id, inbox_id: ctx.caller.inbox_id },
        limit,
        cursor,
        read: async (after, count) => {
          const where = after === undefined ? { account_id } : { account_id, id: { lt: after } };
          // An account has at most 100 of them, so what a scoped key may not see is left out here rather than
          // by an index.
          const order = { by: "id", direction: "desc" } as const;
          const all = await storage.find("consumers", { where, order, limit: limits.consumers_per_account });
          return all.filter((consumer) => visible(ctx, consumer)).slice(0, count);
        },
        position: ({ id }) => id,
      });
      return { ...page, data: page.data.map(showConsumer) };
    },
  }),

  get: operation({
    summary: "One consumer and its cursor.",
    scope: "filtered",
    allow,
    input: z.object({ consumer_id: IdInput }),
    output: Consumer,
    run: async (ctx, { consumer_id }) => showConsumer(await findConsumer(ctx, consumer_id)),
  }),

  poll: operation({
    summary:
      "Lists what happened after the consumer's cursor, which stays where it is; with wait it answers as soon as something did.",
    scope: "filtered",
    allow,
    input: z.object({
      consumer_id: IdInput,
      limit: Limit(limits.list_default, limits.list_max),
      wait: FeedWait,
    }),
    output: EventPage,
    async run(ctx, { consumer_id, limit, wait }) {
      const { types, inbox_id, position } = await findConsumer(ctx, consumer_id);
      return showPage(
        ctx,
        await waitForFeed(ctx, { types, inbox_id: inbox_id ?? undefined }, position, {
          limit,
          seconds: wait,
        }),
      );
    },
  }),

  commit: operation({
    summary: "Moves the consumer's cursor on; an older cursor changes nothing.",
    scope: "filtered",
    allow,
    input: z.object({
      consumer_id: IdInput,
      cursor: z.string().regex(/^\d{1,15}$/, { error: "invalid_cursor" }),
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
    scope: "filtered",
    allow,
    input: z.object({ consumer_id: IdInput }),
    output: Deleted("event_consumer"),
    async run(ctx, { consumer_id }) {
      const { id } = await findConsumer(ctx, consumer_id);
      await ctx.storage.delete("consumers", { id });
      return { id };
    },
  }),
};

/**
 * What an earlier call with the same client_id made; a key that may not see it is told no more than of any
 * other.
 */
function shownAgain(ctx: AccountContext, consumer: ConsumerRecord): Consumer {
  if (!visible(ctx, consumer)) throw fail("consumer_not_found", { param: "client_id" });
  return showConsumer(consumer);
}
