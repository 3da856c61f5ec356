import { hash } from "node:crypto";
import { LetterslotError } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { isHeld, queueOutgoing, readBodies } from "../../mailbox/messages/index.ts";
import { isAddressOf } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRuleRecord } from "../../model/inbox-rules.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import { withSkipped } from "../forwarding/index.ts";
import { checkStillJudged, passGate } from "../gate/index.ts";
import { replyTo } from "../sending/index.ts";
import { ruleFaults } from "./makers.ts";
import { disableRules } from "./meet.ts";
import { replyTarget } from "./rules.ts";

interface Replying {
  rule: InboxRuleRecord;
  inbox: InboxRecord;
  message: MessageRecord;
  body: MessageBodyRecord;
}

/**
 * Sends the automatic reply of a rule to a mail, once. What would be held, refused or over its budget isn't sent: the mail's
 * history says why. It never asks anybody.
 */
export async function sendAutoReply(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const now = clock.now();
  const found = await lookUp(services, job);
  if (found === undefined) return endJob(storage, job);
  const { rule, inbox } = found;
  const transaction = (run: (work: Work) => Promise<void>) =>
    unitOfWork(services, inbox.account_id, now, async (work) => {
      await endJob(work, job);
      await run(work);
    });
  const last_error = (await ruleFaults(storage, [rule], now)).get(rule.id);
  if (last_error !== undefined) return transaction((work) => disableRules(work, [{ rule, last_error }]));
  const skip = (reason: string) => transaction((work) => noteSkipped(work, found, reason));
  const return_path = job.payload["return_path"] as string | null;
  const target = targetOf(found, return_path);
  if ("reason" in target) return skip(target.reason);
  try {
    const reply = await prepare(services, found, target.to, now);
    if ("reason" in reply) return await skip(reply.reason);
    await transaction(async (work) => {
      if (!(await takeTurn(work, found, target.to, now))) return noteSkipped(work, found, "cooldown");
      const current = await work.get("inboxes", inbox.id);
      if (current === undefined) return;
      checkStillJudged(inbox, current);
      await reply.queue(work, current);
    });
  } catch (error) {
    if (!(error instanceof LetterslotError) || passesByItself(error)) throw error;
    await skip(error.code);
  }
}

/** Whether the reply may be sent when the job comes again. It doesn't wait for the next day of a budget. */
const passesByItself = ({ code, retryable, resets_at }: LetterslotError): boolean =>
  code === "draft_changed" || (retryable && resets_at === undefined);

async function lookUp(
  { storage }: Services,
  { subject_id, payload }: JobRecord,
): Promise<Replying | undefined> {
  const [rule, message, body] = await Promise.all([
    storage.get("inbox_rules", String(payload["rule_id"])),
    storage.get("messages", subject_id),
    storage.get("message_bodies", subject_id),
  ]);
  const inbox = message && (await storage.get("inboxes", message.inbox_id));
  if (rule?.enabled !== true || rule.actions.auto_reply === undefined || inbox === undefined)
    return undefined;
  if (message === undefined || body === undefined || isHeld(message)) return undefined;
  return { rule, inbox, message, body };
}

function targetOf({ inbox, message, body }: Replying, return_path: string | null) {
  const { strong, weak } = body.decisions?.automatic ?? { strong: null, weak: null };
  const { from, to, cc, labels, authenticated } = message;
  return replyTarget({
    ...{ from, return_path, authenticated, recipients: [...to, ...cc] },
    injected: labels.includes("injected"),
    automatic: strong !== null || weak !== null || "list-id" in body.headers,
    isOwn: (address) => isAddressOf(inbox.email, address),
  });
}

/** Judges the reply, and reads it for being queued. Fails as sending does, or says why it would be held. */
async function prepare(
  services: Services,
  { rule, inbox, message }: Replying,
  to: string,
  now: Date,
): Promise<{ reason: string } | { queue: (work: Work, inbox: InboxRecord) => Promise<unknown> }> {
  const text = rule.actions.auto_reply?.text ?? "";
  const headers = { "Auto-Submitted": "auto-replied" };
  const request = { ...replyTo(message, inbox.email, { text }, false), to: [to], cc: [], bcc: [], headers };
  const { asks, findings } = await passGate({ ...services, inbox, now }, { ...request, way: "mail" });
  if (asks) return { reason: "approval_required" };
  const outgoing = { ...request, text, html: null, labels: [], client_id: null, attachments: [] };
  const read = await readBodies(services, outgoing);
  const how = { asked_by: rule.key_id, findings };
  return { queue: (work, present) => queueOutgoing(services, work, present, outgoing, read, now, how) };
}

const HOUR_MS = 3600_000;

/** Takes the one automatic reply that a person gets from a rule within its time; false where they had it. */
async function takeTurn(work: Work, { rule }: Replying, to: string, now: Date): Promise<boolean> {
  const hours = rule.actions.auto_reply?.cooldown_hours ?? LIMITS.auto_reply_default_hours;
  const name = `auto-reply:${rule.id}:${hash("sha256", to, "base64url").slice(0, 22)}`;
  const expires_at = iso(new Date(now.getTime() + hours * HOUR_MS));
  if ((await work.insert("counters", { name, count: 1, expires_at })).inserted) return true;
  const over = { name, expires_at: { lte: iso(now) } };
  return (await work.update("counters", over, { expires_at })).length > 0;
}

/** Notes with the mail why the rule's reply wasn't sent. */
async function noteSkipped(work: Work, { rule, message }: Replying, reason: string): Promise<void> {
  const body = await work.get("message_bodies", message.id);
  if (body?.decisions == null) return;
  const skipped = { action: "auto_reply", reason };
  const decisions = withSkipped(body.decisions, rule.id, skipped);
  await work.update("message_bodies", { message_id: message.id }, { decisions });
}
