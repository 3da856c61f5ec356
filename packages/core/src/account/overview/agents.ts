import { idFloor, timeOfId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { term } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OverviewAgent } from "../../model/overview.ts";
import { byNewestMail, receivedAndSent } from "./rules.ts";

/** The inboxes of an overview with what happened there since the day began, and whether there are more. */
export async function readAgents(
  ctx: AccountContext,
  day_start: Date,
): Promise<{ agents: OverviewAgent[]; more: boolean }> {
  const inboxes = await chooseInboxes(ctx, day_start);
  const shown = inboxes.slice(0, LIMITS.overview_agents);
  const agents = await Promise.all(shown.map((inbox) => readAgent(ctx, inbox, day_start)));
  return { agents: agents.sort(byNewestMail), more: inboxes.length > shown.length };
}

/** The inboxes to show, and one more if there are more: those with mail today, then the newest. */
async function chooseInboxes(
  { storage, account_id, caller: { inbox_ids } }: AccountContext,
  day_start: Date,
): Promise<InboxRecord[]> {
  const order = { by: "id", direction: "desc" } as const;
  if (inbox_ids !== null)
    return storage.find("inboxes", { where: { id: { in: inbox_ids } }, order, limit: inbox_ids.length });
  const limit = LIMITS.overview_agents + 1;
  const newest = await storage.find("inboxes", { where: { account_id }, order, limit });
  if (newest.length < limit) return newest;
  const threads = await storage.find("threads", {
    where: { account_id, last_message_id: { gte: idFloor("msg", day_start) } },
    order: { by: "last_message_id", direction: "desc" },
    limit: LIMITS.overview_threads_read,
  });
  const active_ids = [...new Set(threads.map(({ inbox_id }) => inbox_id))].slice(0, limit);
  const active =
    active_ids.length === 0
      ? []
      : await storage.find("inboxes", { where: { id: { in: active_ids } }, limit: active_ids.length });
  return [...active, ...newest.filter(({ id }) => !active_ids.includes(id))].slice(0, limit);
}

async function readAgent(ctx: AccountContext, inbox: InboxRecord, day_start: Date): Promise<OverviewAgent> {
  const { id: inbox_id, email, display_name } = inbox;
  const [mail, tasks] = await Promise.all([
    readMail(ctx, inbox_id, day_start),
    countTasks(ctx, inbox_id, day_start),
  ]);
  return { inbox_id, email, display_name, ...mail, ...tasks };
}

type Mail = Pick<OverviewAgent, "received" | "sent" | "last_at">;

async function readMail({ storage, caller }: AccountContext, inbox_id: string, since: Date): Promise<Mail> {
  if (!holdsAny(caller.permissions, READ_PERMISSIONS.message))
    return { received: null, sent: null, last_at: null };
  const first = idFloor("msg", since);
  const [[thread], all, sent] = await Promise.all([
    storage.find("threads", {
      where: { inbox_id },
      order: { by: "last_message_id", direction: "desc" },
      limit: 1,
    }),
    storage.count("messages", { inbox_id, id: { gte: first } }, 2 * LIMITS.overview_counted_to),
    storage.count(
      "message_terms",
      { inbox_id, term: term.direction("outbound"), message_id: { gte: first } },
      LIMITS.overview_counted_to,
    ),
  ]);
  const last_at = thread === undefined ? null : iso(timeOfId(thread.last_message_id));
  return { ...receivedAndSent(all, sent), last_at };
}

async function countTasks(
  { storage, caller }: AccountContext,
  inbox_id: string,
  since: Date,
): Promise<Pick<OverviewAgent, "tasks_open" | "tasks_done">> {
  if (!holdsAny(caller.permissions, READ_PERMISSIONS.task)) return { tasks_open: null, tasks_done: null };
  const [tasks_open, tasks_done] = await Promise.all([
    storage.count(
      "tasks",
      { inbox_id, status: { in: ["pending", "in_progress"] } },
      LIMITS.overview_counted_to,
    ),
    storage.count("tasks", { inbox_id, done_at: { gte: iso(since) } }, LIMITS.overview_counted_to),
  ]);
  return { tasks_open, tasks_done };
}
