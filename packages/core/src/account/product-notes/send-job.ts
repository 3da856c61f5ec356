import { addressAt } from "../../kernel/addresses/mail-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { postponeJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { addToThread, storeMessage } from "../../mailbox/messages/index.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { WHATS_NEW } from "../accounts/whats-new.ts";
import { getsNote, nextNoteTime, weekOf } from "./rules.ts";
import { lifecycleToken } from "./token.ts";

/** The tips of the weekly notes, one each week in turn. */
const TIPS: readonly { title: string; text: string }[] = [
  {
    title: "Ask your owner a typed question",
    text: 'An update of kind needs_input can carry a question: {"type": "yes_no"}, or choice, number, date, text. The owner answers with a button or by replying in their own language, and you get a task with the value.',
  },
  {
    title: "Wait instead of polling",
    text: "GET /api/v1/tasks?wait=25 and GET /api/v1/inboxes/:id/wait answer as soon as something arrives, and cost nothing until then.",
  },
  {
    title: "Share work between workers",
    text: "POST /api/v1/tasks/claim gives each pending task to exactly one worker. Report with heartbeat, complete or fail; if a worker dies, its task becomes pending again.",
  },
  {
    title: "Make retries safe",
    text: "Add a client_id or an Idempotency-Key to every send. Repeating it returns the first result instead of sending twice.",
  },
  {
    title: "Keep updates on one job in one thread",
    text: "Updates with the same task_id stay in one email thread for the owner, and their replies come back with that task_id.",
  },
  {
    title: "See why an email created no task",
    text: "GET /api/v1/inboxes/:id/messages/:message_id/explain shows what was found about the sender and what was decided.",
  },
  {
    title: "Let an owner approve what you send",
    text: "With send_mode approval, every outgoing email waits until an owner approves it.",
  },
  {
    title: "Hold suspicious email",
    text: "With screening hold, suspicious email is held and its text withheld until you release it.",
  },
];

const ACCOUNTS_PER_RUN = 100;

/**
 * Stores the week's product note in the first inbox of each account that wants it, a hundred accounts per
 * run. The note is stored as read and without an event, so it wakes nobody. A repeated run stores no second
 * note.
 */
export async function sendNotes(services: Services, job: JobRecord): Promise<void> {
  const now = services.clock.now();
  const after = typeof job.payload["after"] === "string" ? job.payload["after"] : "";
  const week = typeof job.payload["week"] === "number" ? job.payload["week"] : weekOf(now);
  const accounts = await services.storage.find("accounts", {
    where: { id: { gt: after } },
    order: { by: "id", direction: "asc" },
    limit: ACCOUNTS_PER_RUN,
  });
  for (const account of accounts.filter((each) => getsNote(each, now)))
    await storeNote(services, account, week, now);
  const last = accounts.at(-1);
  if (last === undefined || accounts.length < ACCOUNTS_PER_RUN)
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
  const tip = TIPS[week % TIPS.length] ?? { title: "", text: "" };
  const today = iso(now).slice(0, 10);
  const news = WHATS_NEW.filter(({ date }) => date <= today).map(({ date, title }) => `- ${date}: ${title}`);
  const { baseUrl: base_url } = services.options;
  const text = [
    tip.title,
    tip.text,
    ...(news.length === 0 ? [] : [`What's new:\n${news.join("\n")}`]),
    `Documentation: ${base_url}/docs`,
    `-- \nYou get this note once a week. To stop it: PATCH /api/v1/me {"lifecycle_emails": "off"}, or open\n${base_url}/api/v1/lifecycle/unsubscribe?token=${lifecycleToken(services, account.id)}`,
  ].join("\n\n");
  return {
    id: services.makeId("msg"),
    account_id: account.id,
    inbox_id: inbox.id,
    thread_id: services.makeId("thr"),
    direction: "inbound",
    channel: "email",
    from: addressAt(services, "noreply"),
    from_name: "Letterslot",
    to: [inbox.email],
    cc: [],
    bcc: [],
    names: {},
    subject: `Tip of the week: ${tip.title}`,
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
    outbound_findings: null,
    safety: null,
    size_bytes: text.length,
    redacted: false,
    authenticated: false,
    dedupe_key: `lifecycle:${week}`,
    raw_hash: null,
    unaddressed: [],
    envelope_to: null,
    more_reply_to: [],
    owner_copies: [],
    phone: null,
    attention: null,
  };
}

/** The id of the one job for all accounts and processes. */
const JOB_ID = "job_lifecycle_notes";

/** Creates the job of the weekly notes if there is none. The job reschedules itself every week. */
export async function scheduleNotes({ storage, clock }: Pick<Services, "storage" | "clock">): Promise<void> {
  const now = clock.now();
  await storage.insert("jobs", {
    id: JOB_ID,
    kind: "lifecycle.notes",
    due_at: iso(nextNoteTime(now)),
    subject_id: JOB_ID,
    payload: {},
    attempts: 0,
    lease: null,
    created_at: iso(now),
  });
}
