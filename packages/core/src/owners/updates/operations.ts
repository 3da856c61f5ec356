import { z } from "zod";
import { InboxId, UpdateId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { AGENTS } from "../../kernel/access/caller.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { CursorInput, Limit, listOf } from "../../model/fields.ts";
import { ReportInput, Update } from "../../model/updates.ts";
import { replayReport, report } from "./report.ts";
import { withDeliveries } from "./show.ts";

/** The operations on updates to the owners. */
export const updates = {
  create: operation({
    summary:
      "Sends an update or a question to every verified owner of the inbox, now or in their daily digest.",
    when: "Tell the owners how the work goes, or ask them something; answers come back as tasks and as owner.reply.",
    example: {
      kind: "needs_input",
      title: "Which paper should I order?",
      text: "Both are in stock.",
      task_id: "printer",
      question: { type: "choice", options: ["Recycled", "White"] },
    },
    errors: ["inbox_paused", "inbox_expired", "account_unclaimed", "canary_leaked", "own_secret"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    allow: ["update_send"],
    idempotent: true,
    tool: [
      {
        name: "post_update",
        description: "Tell your owners how the work goes.",
        hints: { open_world: true },
        without: ["question"],
        fields: {
          kind: "",
          text: "One short sentence",
          title: "5 to 8 plain words",
          status: "",
          task_id: "Same text: same mail thread",
          links: "",
          label: "",
          url: "",
        },
      },
      {
        name: "ask_owner",
        description:
          "Ask your owners a question by mail. The answer comes as a task with an answer: wait_for_task.",
        hints: { open_world: true },
        without: ["status", "links"],
        sets: { kind: "needs_input" },
        needs: ["question"],
        fields: {
          text: "The question",
          title: "5 to 8 plain words",
          task_id: "Same text: same mail thread",
          question: "",
          type: "",
          options: "For choice",
          default: "Counts if nobody answers",
          expires_at: "",
        },
      },
    ],
    input: ReportInput,
    output: Update,
    replay: (ctx, { client_id }) => replayReport(ctx, client_id),
    run: report,
  }),

  notify: operation({
    summary: "The same as updates.create, with the inbox in the path.",
    when: "The same for a key that works with paths below one inbox.",
    example: {
      kind: "done",
      title: "Paper is ordered",
      text: "Two boxes arrive on Friday.",
      task_id: "printer",
    },
    errors: ["inbox_paused", "inbox_expired", "account_unclaimed", "canary_leaked", "own_secret"],
    scope: "inbox",
    callers: AGENTS,
    effect: "write",
    allow: ["update_send"],
    idempotent: true,
    input: ReportInput,
    output: Update,
    replay: (ctx, { client_id }) => replayReport(ctx, client_id),
    run: report,
  }),

  get: operation({
    summary: "Shows an update, with its question and answer, and its delivery to each owner.",
    when: "Look whether a question was answered, and what became of one update.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["owner_read"],
    input: z.object({ inbox_id: InboxId, update_id: UpdateId }),
    output: Update,
    async run(ctx, { update_id }) {
      const update = await ctx.storage.get("updates", update_id);
      const [shown] = await withDeliveries(ctx.storage, update?.inbox_id === ctx.inbox.id ? [update] : []);
      if (shown === undefined) throw notFound("update_not_found", "upd", update_id);
      return shown;
    },
  }),

  list: operation({
    summary: "Lists the updates of an inbox, newest first, with their delivery to each owner.",
    when: "See what the owners were told, and whether it reached them.",
    scope: "inbox",
    effect: "read",
    pages: true,
    allow: ["owner_read"],
    tool: {
      name: "list_updates",
      description: "List your updates and questions to owners, with their answers.",
    },
    input: z.object({
      inbox_id: InboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Update),
    async run(ctx, { limit, cursor }) {
      const inbox_id = ctx.inbox.id;
      const page = await newestFirst(ctx.storage, "updates", { where: { inbox_id }, limit, cursor });
      return { ...page, data: await withDeliveries(ctx.storage, page.data) };
    },
  }),
};
