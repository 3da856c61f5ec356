import { z } from "zod";
import { idFloor } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { showMessages } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { Overview } from "../../model/overview.ts";
import { TimeZone } from "../../model/times.ts";
import { approvalFor, readsAs } from "../../owners/approvals/index.ts";
import { withDeliveries } from "../../owners/updates/index.ts";
import { readAgents } from "./agents.ts";
import { ailingDomains, disabledWebhooks, frequentRefusals } from "./faults.ts";
import { startOfDay } from "./rules.ts";
import { type FoundWaiting, findWaiting, NONE_WAITING } from "./waiting.ts";

const NEWEST = { by: "id", direction: "desc" } as const;

/** The account at a glance. */
export const overview = {
  get: operation({
    summary:
      "Shows what waits for a person in the account, and what its agents did today. Parts that the caller may not read are empty.",
    when: "Begin a page for people: what needs them, in one call.",
    example: { time_zone: "Europe/Berlin" },
    scope: "filtered",
    effect: "read",
    allow: "any",
    input: z.object({
      time_zone: TimeZone.default("UTC").describe(
        "Whose day today is: a time zone by its IANA name, such as Europe/Berlin; UTC by default.",
      ),
    }),
    output: Overview,
    async run(ctx, { time_zone }) {
      const { storage, caller, options } = ctx;
      const day_start = startOfDay(ctx.now, time_zone);
      const reads = (object: keyof typeof READ_PERMISSIONS) =>
        holdsAny(caller.permissions, READ_PERMISSIONS[object]);
      const [approvals, questions, held, failed, webhooks, domains, refusals, { agents, more }] =
        await Promise.all([
          reads("approval") ? pendingApprovals(ctx) : NONE_WAITING,
          reads("update") ? openQuestions(ctx) : NONE_WAITING,
          reads("message") ? messagesWith(ctx, "held", LIMITS.overview_held_ms) : NONE_WAITING,
          reads("message") ? messagesWith(ctx, "failed", LIMITS.overview_failed_ms) : NONE_WAITING,
          reads("webhook") ? disabledWebhooks(ctx) : [],
          reads("domain") ? ailingDomains(ctx) : [],
          reads("refusal") ? frequentRefusals(ctx) : [],
          reads("inbox") ? readAgents(ctx, day_start) : { agents: [], more: false },
        ]);
      const summaries = ({ found }: FoundWaiting<"messages">) =>
        showMessages(
          storage,
          found.map(({ record }) => record),
          "summary",
          options,
        );
      const updates = await withDeliveries(
        storage,
        questions.found.map(({ record }) => record),
      );
      return {
        day_start: iso(day_start),
        approvals: approvals.found.map(({ record }) => approvalFor(record, readsAs(caller))),
        questions: questions.found.flatMap(({ inbox }, index) => {
          const update = updates[index];
          return update === undefined ? [] : [{ inbox_id: inbox.id, inbox_email: inbox.email, update }];
        }),
        held: await summaries(held),
        failed: await summaries(failed),
        webhooks: webhooks.slice(0, LIMITS.overview_items),
        domains: domains.slice(0, LIMITS.overview_items),
        refusals: refusals.slice(0, LIMITS.overview_refusals),
        agents,
        more: {
          approvals: approvals.more,
          questions: questions.more,
          held: held.more,
          failed: failed.more,
          webhooks: webhooks.length > LIMITS.overview_items,
          domains: domains.length > LIMITS.overview_items,
          refusals: refusals.length > LIMITS.overview_refusals,
          agents: more,
        },
      };
    },
  }),
};

// Approvals expire in the order in which they were requested.
const pendingApprovals = (ctx: AccountContext): Promise<FoundWaiting<"approvals">> =>
  findWaiting(ctx, "approvals", { where: { status: "pending" }, order: { by: "id", direction: "asc" } });

const openQuestions = (ctx: AccountContext): Promise<FoundWaiting<"updates">> =>
  findWaiting(ctx, "updates", { where: {}, order: { by: "waiting_id", direction: "desc" } });

function messagesWith(
  ctx: AccountContext,
  attention: MessageRecord["attention"],
  back_ms: number,
): Promise<FoundWaiting<"messages">> {
  const from = idFloor("msg", new Date(ctx.now.getTime() - back_ms));
  return findWaiting(ctx, "messages", { where: { attention }, from, order: NEWEST });
}
