import type { AccountContext } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import type { ConsumerRecord } from "../model/consumers.ts";

/**
 * The caller's consumer, or `consumer_not_found`: another account's, or one of more than the key's inbox, is
 * not there.
 */
export async function findConsumer(ctx: AccountContext, id: string): Promise<ConsumerRecord> {
  const consumer = await ctx.storage.get("consumers", id);
  if (consumer === undefined || !visible(ctx, consumer)) throw notFound("consumer_not_found", "evc", id);
  return consumer;
}

/** Whether the caller may know of the consumer. */
export function visible({ account_id, caller }: AccountContext, consumer: ConsumerRecord): boolean {
  return (
    consumer.account_id === account_id && (caller.inbox_id === null || caller.inbox_id === consumer.inbox_id)
  );
}
