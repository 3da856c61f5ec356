import type { AccountContext } from "./context.ts";
import { keepAnswer } from "./idempotency.ts";
import type { Work } from "./work.ts";

/**
 * Stores an idempotent operation's answer in the transaction of its effect. Without an Idempotency-Key there
 * is nothing to store.
 */
export async function recordIdempotentAnswer(
  ctx: AccountContext,
  work: Work,
  answer: Record<string, unknown>,
): Promise<void> {
  if (ctx.keyed !== undefined) await keepAnswer(work, ctx.keyed, answer, ctx.now);
}
