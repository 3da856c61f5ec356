import { whatsNew } from "../accounts/index.ts";
import type { Services } from "../kernel/context.ts";
import { postponeJob } from "../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { addToThread, storeMessage } from "../messages/index.ts";
import type { AccountRecord } from "../model/accounts.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { MessageRecord } from "../model/messages.ts";
import { getsNote, nextNoteTime, weekOf } from "./rules.ts";
import { tips } from "./tips.ts";
import { lifecycleToken } from "./token.ts";

const accountsPerTurn = 100;

/**
 * Stores the week's product note in the first inbox of each account that wants it, a hundred accounts a turn.
 * It arrives read and without an event: nobody who waits for mail is woken by it. A repeated turn finds the
 * week's note there and stores no second one.
 */
export async function sendNotes(services: Services, job: JobRecord): Promise<void> {
  const now = services.clock.now();
  const after = typeof job.payload["after"] === "string" ? job.payload["after"] : "";
  const week = typeof job.payload["week"] === "number" ? job.payload["week"] : weekOf(now);
  const accounts = await services.storage.find("accounts", {
    where: { id: { gt: after } },
    order: { by: "id", direction: "asc" },
    limit: accountsPerTurn,
  });
  for (const account of accounts.filter((each) => getsNote(each, now)))
    await storeNote(services, account, week, now);
  const last = accounts.at(-1);
  if (last === undefined || accounts.length < accountsPerTurn)
    return postponeJob(services.storage, job, nextNoteTime(now), {});
  await postponeJob(services.storage, job, now, { after: last.id, week });
  await services.queue.send(now);
}

async function storeNote(services: Services, account: AccountRecord, week: number, now: Date): Promise<void> {
  const [inbox] = await services.storage.find("inboxes", {
    where: { account_id: account.id },
    order: { by: "id", direction: "asc" },
    limit: 1,
  });
  if (inbox === undefined) return;
  const message = noteFor(services, account, inbox, week, now);
  await unitOfWork(services, account.id, now, async (work) => {
    if ((await work.get("inboxes", inbox.id)) === undefined) return;
    const empty = {
      text: null,
      html: null,
      extracted_html: null,
      headers: {},
      extraction: null,
      decisions: null,
    };
    const body = { message_id: message.id, ...empty };
    const { inserted } = await storeMessage(work, message, body);
    if (inserted) await addToThread(work, undefined, message, { human: false, trusted: true });
  });
}

function noteFor(
  services: Services,
  account: AccountRecord,
  inbox: InboxRecord,
  week: number,
  now: Date,
): MessageRecord {
  const tip = tips[week % tips.length] ?? { title: "", text: "" };
  const today = iso(now).slice(0, 10);
  const news = whatsNew.filter(({ date }) => date <= today).map(({ date, title }) => `- ${date}: ${title}`);
  const { base_url, mail_domain } = services.options;
  const text = [
    tip.title,
    tip.text,
    ...(news.length === 0 ? [] : [`New:\n${news.join("\n")}`]),
    `All of it: ${base_url}/docs`,
    `-- \nThis note is stored once a week. To end it: PATCH /api/v1/me {"lifecycle_emails": "off"}, or open\n${base_url}/api/v1/lifecycle/unsubscribe?token=${lifecycleToken(services, account.id)}`,
  ].join("\n\n");
  return {
    id: services.makeId("msg"),
    account_id: account.id,
    inbox_id: inbox.id,
    thread_id: services.makeId("thr"),
    direction: "inbound",
    channel: "email",
    from: `noreply@${mail_domain}`,
    from_name: "Letterslot",
    to: [inbox.email],
    cc: [],
    bcc: [],
    subject: `This week: ${tip.title}`,
    extracted_text: text,
    status: "received",
    reply_to: null,
    in_reply_to: null,
    references: [],
    message_id: null,
    labels: ["received", "read", "lifecycle"],
    provider: null,
    client_id: null,
    created_at: iso(now),
    attachments: [],
    delivery_events: [],
    auth: null,
    safety: null,
    size_bytes: text.length,
    authenticated: false,
    dedupe_key: `lifecycle:${week}`,
    raw_hash: null,
  };
}
