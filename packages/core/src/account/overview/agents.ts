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
  const { inboxes, newest_mail } = await chooseInboxes(ctx, day_start);
  const shown = inboxes.slice(0, LIMITS.overview_agents);
  const agents = await Promise.all(
    shown.map((inbox) => readAgent(ctx, inbox, { day_start, newest: newest_mail.get(inbox.id) })),
  );
  return { agents: agents.sort(byNewestMail), more: inboxes.length > shown.length };
}

/** Inboxes, and by their ids the newest message of those of which it was seen already. */
interface Chosen {
  inboxes: InboxRecord[];
  newest_mail: ReadonlyMap<string, string>;
}

/** The inboxes to show, and one more if there are more: those with mail today, then the newest. */
async function chooseInboxes(
  { storage, account_id, caller: { inbox_ids } }: AccountContext,
  day_start: Date,
): Promise<Chosen> {
  const order = { by: "id", direction: "desc" } as const;
  const newest_mail = new Map<string, string>();
  if (inbox_ids !== null) {
    const where = { id: { in: inbox_ids } };
    return { inboxes: await storage.find("inboxes", { where, order, limit: inbox_ids.length }), newest_mail };
  }
  const limit = LIMITS.overview_agents + 1;
  const newest = await storage.find("inboxes", { where: { account_id }, order, limit });
  if (newest.length < limit) return { inboxes: newest, newest_mail };
  const threads = await storage.find("threads", {
    where: { account_id, last_message_id: { gte: idFloor("msg", day_start) } },
    order: { by: "last_message_id", direction: "desc" },
    limit: LIMITS.overview_threads_read,
  });
  for (const { inbox_id, last_message_id } of threads)
    if (!newest_mail.has(inbox_id)) newest_mail.set(inbox_id, last_message_id);
  const active_ids = [...newest_mail.keys()].slice(0, limit);
  const active =
    active_ids.length === 0
      ? []
      : await storage.find("inboxes", { where: { id: { in: active_ids } }, limit: active_ids.length });
  const inboxes = [...active, ...newest.filter(({ id }) => !active_ids.includes(id))].slice(0, limit);
  return { inboxes, newest_mail };
}

async function readAgent(
  ctx: AccountContext,
  inbox: InboxRecord,
  { day_start, newest }: { day_start: Date; newest: string | undefined },
): Promise<OverviewAgent> {
  const { id: inbox_id, email, display_name } = inbox;
  const [mail, tasks] = await Promise.all([
    readMail(ctx, inbox_id, { since: day_start, newest }),
    countTasks(ctx, inbox_id, day_start),
  ]);
  return { inbox_id, email, display_name, ...mail, ...tasks };
}

type Mail = Pick<OverviewAgent, "received" | "sent" | "last_at">;

async function readMail(
  { storage, caller }: AccountContext,
  inbox_id: string,
  { since, newest }: { since: Date; newest: string | undefined },
): Promise<Mail> {
  if (!holdsAny(caller.permissions, READ_PERMISSIONS.message))
    return { received: null, sent: null, last_at: null };
  const first = idFloor("msg", since);
  const last = newest ?? (await newestMailOf(storage, inbox_id));
  if (last === undefined) return { received: 0, sent: 0, last_at: null };
  const last_at = iso(timeOfId(last));
  if (last < first) return { received: 0, sent: 0, last_at };
  const [all, sent] = await Promise.all([
    storage.count("messages", { inbox_id, id: { gte: first } }, 2 * LIMITS.overview_counted_to),
    storage.count(
      "message_terms",
      { inbox_id, term: term.direction("outbound"), message_id: { gte: first } },
      LIMITS.overview_counted_to,
    ),
  ]);
  return { ...receivedAndSent(all, sent), last_at };
}

async function newestMailOf(
  storage: AccountContext["storage"],
  inbox_id: string,
): Promise<string | undefined> {
  const order = { by: "last_message_id", direction: "desc" } as const;
  const [thread] = await storage.find("threads", { where: { inbox_id }, order, limit: 1 });
  return thread?.last_message_id;
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
