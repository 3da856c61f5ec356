import type { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { checkClaimed } from "../../kernel/access/claimed.ts";
import { rootOf } from "../../kernel/access/root-account.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import { iso } from "../../model/fields.ts";
import type { ReportInput, Update, UpdateRecord } from "../../model/updates.ts";
import { deliverUpdate } from "./deliver.ts";
import { questionOf } from "./questions/rules.ts";
import { withDeliveries } from "./show.ts";

/** The earlier update with this client_id, if any. */
export async function replayReport(
  { storage, inbox }: Pick<InboxContext, "storage" | "inbox">,
  client_id: string | undefined,
): Promise<z.input<typeof Update> | undefined> {
  if (client_id === undefined) return undefined;
  const [earlier] = await storage.find("updates", { where: { inbox_id: inbox.id, client_id }, limit: 1 });
  return earlier === undefined ? undefined : (await withDeliveries(storage, [earlier]))[0];
}

/**
 * Stores an update and delivers it to every verified owner of the inbox, in one transaction. Fails with
 * `account_unclaimed`, `inbox_paused`, `inbox_expired` or `invalid_question`, and as `checkUpdate` does.
 */
export async function report(
  ctx: InboxContext,
  input: z.output<typeof ReportInput>,
): Promise<z.input<typeof Update>> {
  const {
    inbox_id: named,
    title = null,
    status = null,
    task_id = null,
    client_id = null,
    question: asked,
    ...rest
  } = input;
  const question = questionOf(input.kind, asked, ctx.now);
  const account = await ctx.storage.get("accounts", ctx.account_id);
  if (account === undefined) throw fail("invalid_api_key");
  checkClaimed(await rootOf(ctx.storage, account), ctx.options.onboarding);
  const texts = [JSON.stringify({ title, status, asked, ...rest })];
  await checkUpdate(ctx, ctx.inbox, texts, ctx.now);
  return answerInTransaction(ctx, async (work) => {
    const inbox = await work.get("inboxes", ctx.inbox.id);
    if (inbox === undefined) throw notFound("inbox_not_found", "inb", named);
    const state = stateOf(inbox, ctx.now);
    if (state === "paused") throw fail("inbox_paused");
    if (state === "expired") throw fail("inbox_expired");

    const id = ctx.makeId("upd");
    const wanted: UpdateRecord = {
      ...rest,
      ...{ title, status, task_id, client_id, question },
      id,
      waiting_id: question === null ? null : id,
      inbox_id: inbox.id,
      account_id: inbox.account_id,
      answer: null,
      answered_at: null,
      created_at: iso(ctx.now),
    };
    const { record: update, inserted } = await work.insert("updates", wanted);
    if (!inserted)
      return { deliveries: [], ...update, ...(await withDeliveries(work, [update]))[0], idempotent: true };

    const owners = await work.find("owners", {
      where: { inbox_id: inbox.id },
      order: { by: "id", direction: "asc" },
      limit: LIMITS.owners_per_inbox,
    });
    const deliveries = [];
    for (const owner of owners.filter((candidate) => candidate.status === "verified")) {
      deliveries.push(await deliverUpdate(ctx, work, { update, inbox, account, now: ctx.now }, owner));
    }
    if (question?.expires_at != null)
      work.job({ kind: "question.expire", subject_id: update.id, due_at: new Date(question.expires_at) });
    return { ...update, deliveries };
  });
}
