import { newLetterWord } from "../../catalogue/letter-words.ts";
import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import { sendLetter } from "../../mailbox/messages/index.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { addressToOwner, type OwnerRecord } from "../../model/owners.ts";
import type { UpdateDeliveryRecord, UpdateRecord, UpdateThreadRecord } from "../../model/updates.ts";
import { headlineOf, subjectOf } from "../notifications/headline.ts";
import { newOwnerPages, unsubscribeHeaders } from "../notifications/owner-pages.ts";
import { updateLetters } from "../notifications/update.ts";
import { showsWhole } from "../notifications/whole.ts";
import { effectiveStyle } from "../owners/rules.ts";
import { withinCaps } from "./caps.ts";
import { queueDigest } from "./digests/send-job.ts";
import { addUpdateLetters, answerPage, answerSecrets } from "./questions/answer-token.ts";
import { planFor, RATE_LIMITED } from "./rules.ts";

/** An update with its inbox and account. */
export interface Report {
  update: UpdateRecord;
  inbox: InboxRecord;
  account: AccountRecord;
  now: Date;
}

/**
 * Delivers an update to one owner: by letter now, in the digest, or not at all. Returns the stored delivery.
 */
export async function deliverUpdate(
  services: Services,
  work: Work,
  report: Report,
  owner: OwnerRecord,
): Promise<UpdateDeliveryRecord> {
  const planned = planFor(owner, report.update.question !== null);
  const plan = planned === "send" && !(await withinCaps(work, owner, report.now)) ? RATE_LIMITED : planned;
  const letter = plan === "send" ? await sendReport(services, work, report, owner) : undefined;
  const delivery: UpdateDeliveryRecord = {
    id: services.makeId("upd"),
    update_id: report.update.id,
    account_id: owner.account_id,
    inbox_id: owner.inbox_id,
    owner_id: owner.id,
    email: addressToOwner(owner),
    created_at: iso(report.now),
    ...(plan === "send" ? { mode: "immediate", status: "sent", reason: null } : plan),
    message_id: letter?.id ?? null,
  };
  work.append("update_deliveries", [delivery]);
  if (delivery.status === "queued") await queueDigest(work, owner.id, report.now);
  return delivery;
}

async function sendReport(
  services: Services,
  work: Work,
  { update, inbox, account, now }: Report,
  owner: OwnerRecord,
): Promise<MessageRecord> {
  const thread = await updateThread(work, update, owner);
  const token = update.question === null ? null : newLetterWord();
  const pages = newOwnerPages(services);
  const { style } = effectiveStyle(owner, account);
  const letters = updateLetters({
    subject: subjectOf(update, thread !== undefined),
    update,
    style,
    inbox_email: inbox.email,
    display_name: inbox.display_name,
    ...pages,
    answer_url: token === null ? null : answerPage(services, token),
  });
  const letter = await sendLetter(services, work, {
    kind: "update",
    inbox,
    to: addressToOwner(owner),
    ...letters,
    sealed_headers: unsubscribeHeaders(pages),
    owner_id: owner.id,
    secrets: [...pages.secrets, ...answerSecrets([{ update, token }])],
    thread: thread === undefined ? null : { thread_id: thread.thread_id, answers: thread.last_message_id },
    update_task_id: update.task_id,
    now,
  });
  addUpdateLetters(work, letter, owner, [{ update, token, whole: showsWhole(update, style) }]);
  await keepThread(work, update, owner, letter);
  return letter;
}

async function updateThread(
  work: Work,
  { inbox_id, task_id }: UpdateRecord,
  owner: OwnerRecord,
): Promise<UpdateThreadRecord | undefined> {
  if (task_id === null) return undefined;
  const [thread] = await work.find("update_threads", {
    where: { inbox_id, task_id, owner_id: owner.id },
    limit: 1,
  });
  return thread;
}

/** Stores the letter that the next update with this task_id replies to. */
async function keepThread(
  work: Work,
  update: UpdateRecord,
  { id: owner_id }: OwnerRecord,
  letter: MessageRecord,
): Promise<void> {
  const { inbox_id, task_id } = update;
  if (task_id === null) return;
  const newest = { thread_id: letter.thread_id, last_message_id: letter.id };
  const { inserted } = await work.insert("update_threads", {
    inbox_id,
    task_id,
    owner_id,
    subject: headlineOf(update),
    ...newest,
  });
  if (!inserted) await work.update("update_threads", { inbox_id, task_id, owner_id }, newest);
}
