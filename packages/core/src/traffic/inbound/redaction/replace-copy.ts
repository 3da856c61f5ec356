import type { Services } from "../../../kernel/context.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { recountProven } from "../../../mailbox/contacts/index.ts";
import {
  isHeld,
  relabel,
  scheduleBlobCollection,
  snapshotOf,
  textWords,
} from "../../../mailbox/messages/index.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { actOnReply } from "../../../owners/approvals/index.ts";
import { leaveUpdates } from "../../../owners/owners/index.ts";
import { addTask, openTask, taskEvent } from "../../../owners/tasks/index.ts";
import { actOnAnswer } from "../../../owners/updates/index.ts";
import { meetExpectation } from "../../expectations/index.ts";
import { forwardAll } from "../../forwarding/index.ts";
import { carryOutRules, forwardedBy, holdsByRule, NO_RULES } from "../../rules/meet.ts";
import { followHold } from "../changed-hold.ts";
import { decide } from "../decide.ts";
import type { Evidence, Surroundings } from "../evidence.ts";
import { expectedFor } from "../expected.ts";
import { labelsOfRules, meetRules } from "../meet-rules.ts";
import { publishReceived } from "../publish-received.ts";
import { receivedBody, receivedMessage } from "../received-message.ts";
import { authenticationRank } from "../rules.ts";
import { recordSightings } from "../sender/seen-before.ts";

/** Labels that follow from how a mail is authenticated and screened. */
const JUDGED_LABELS = ["untrusted", "suspicious", "held"];

/**
 * Replaces a stored mail by a better authenticated copy: the message keeps its id, thread and the agent's changes,
 * and the consequences of the better copy (task, answer, decision) happen once. Does nothing when the copy is no
 * better.
 */
export async function replaceWorseCopy(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  { author, webhooks }: Surroundings,
  message_id: string,
  now: Date,
): Promise<void> {
  // The best rank that the copy can have: nearly all copies end here, without another decision.
  if (!evidence.authentication.passes && evidence.authentication.forwarded_by === null) return;
  const [found, body_before] = await Promise.all([
    services.storage.get("messages", message_id),
    services.storage.get("message_bodies", message_id),
  ]);
  if (found === undefined) return;
  const released_at = body_before?.decisions?.released_at;
  const released = released_at !== undefined;
  const screened = await decide(services, inbox, evidence, author, now, { replaces: true });
  const decided = await meetRules(services, inbox, evidence, { decided: screened, author, released }, now);
  const { facts, owner, answers, approval_reply, unsubscribes } = decided;
  const rank = authenticationRank(facts);
  const text_words =
    isHeld(found) && !decided.labels.includes("held")
      ? await textWords(services, body_before?.text ?? found.extracted_text)
      : undefined;
  // It counts as of when the mail came.
  const expected = await expectedFor(services, inbox, evidence, decided, now, found.created_at);
  const replaced = await unitOfWork(
    services,
    inbox.account_id,
    now,
    async (work) => {
      const stored = await work.get("messages", message_id);
      const body = await work.get("message_bodies", message_id);
      if (stored === undefined || body?.decisions == null) return true;
      const before = body.decisions;
      if (rank <= (before.rank ?? Number(stored.authenticated) * 2)) return true;
      if (before.released_at !== released_at) return false;
      const task_before = await work.find("tasks", { where: { message_id }, limit: 1 });

      const { id, thread_id, created_at } = stored;
      const better = receivedMessage(evidence, decided, { ...stored, inbox }, now);
      const { auth, authenticated, safety, raw_hash, size_bytes } = better;
      const changes = { auth, authenticated, safety, raw_hash, size_bytes };
      const guard = { id, raw_hash: stored.raw_hash, authenticated: stored.authenticated };
      const [updated] = await work.update("messages", guard, changes);
      if (updated === undefined) return true;
      work.countBytes(size_bytes - stored.size_bytes);
      if (authenticated && !stored.authenticated) await recountProven(work, updated);
      const judged = decided.labels.filter(
        (label) => JUDGED_LABELS.includes(label) && !(released && label === "held"),
      );
      const changes_hold = isHeld(stored) !== judged.includes("held");
      const ruled = changes_hold ? labelsOfRules(decided.rules, stored) : { add: [], remove: [] };
      const [message = updated] = await relabel(
        work,
        [updated],
        [...judged, ...ruled.add],
        [...JUDGED_LABELS.filter((label) => !judged.includes(label)), ...ruled.remove],
      );

      if (raw_hash !== null && raw_hash !== stored.raw_hash) {
        evidence.raw.put(work);
        work.append("blob_uses", [{ hash: raw_hash, message_id: id }]);
        if (stored.raw_hash !== null) {
          await work.delete("blob_uses", { hash: stored.raw_hash, message_id: id });
          scheduleBlobCollection(work, [stored.raw_hash], now);
        }
      }

      const thread = await work.get("threads", thread_id);
      const update_task_id = thread?.update_task_id ?? null;
      const [old_task] = task_before;
      const task =
        old_task === undefined && decided.task.made
          ? openTask(
              services.makeId,
              message,
              {
                trusted: decided.task.trusted,
                untrusted_reason: decided.task.untrusted_reason,
                owner_id: author.owner?.id ?? null,
                update_task_id: update_task_id ?? answers?.update.task_id ?? null,
                answers_update_id: answers?.update.id ?? null,
                answer: answers?.answer ?? null,
              },
              now,
            )
          : undefined;
      const counted = (before.rules ?? []).map(({ rule_id }) => rule_id);
      if (changes_hold && thread !== undefined) {
        const how = { now, return_path: evidence.mail_from };
        await carryOutRules(work, decided.rules, { message, thread, counted }, how);
      }
      // Rules that have met the mail aren't carried out again.
      const rules = changes_hold ? decided.rules : { ...NO_RULES, matched: before.rules ?? [] };
      const { decisions, headers } = receivedBody(
        evidence,
        { ...decided, rules },
        { message_id: id, task_id: task?.id ?? old_task?.id ?? null },
      );
      await work.update(
        "message_bodies",
        { message_id: id },
        {
          decisions: decisions && {
            ...decisions,
            ...(released ? { released_at } : {}),
            ...(before.forwarded_to === undefined ? {} : { forwarded_to: before.forwarded_to }),
          },
          headers,
        },
      );

      const meets = (await hasMet(work, inbox.id, id, expected)) ? [] : expected.meets;
      await meetExpectation(work, { ...expected, meets }, message, now);
      const held = isHeld(message);
      if (changes_hold) await followHold(work, message, body, text_words, now);
      if (changes_hold && !held && inbox.forwards_all)
        await forwardAll(work, message, forwardedBy(decided.rules));
      if (changes_hold)
        publishReceived(work, message, {
          held,
          held_by: holdsByRule(decided.rules) ? "rule" : "screening",
          owner: held && stored.authenticated ? undefined : owner,
          update_task_id,
          task_id: task?.id ?? null,
          answers,
        });
      else if (owner !== undefined && !stored.authenticated)
        work.publish({
          type: "owner.reply",
          inbox_id: inbox.id,
          message_id: id,
          data: {
            message: snapshotOf(message),
            owner_id: owner.id,
            task_id: task?.id ?? old_task?.id ?? null,
            answers_task_id: update_task_id,
            answers_update_id: answers?.update.id ?? null,
            answer: answers?.answer ?? null,
          },
        });
      const reply = { inbox, message: { ...message, created_at }, now };
      if (unsubscribes === true && owner !== undefined)
        await leaveUpdates(services, work, { ...reply, owner });
      if (owner !== undefined) await actOnAnswer(services, work, decided, { ...reply, owner });
      if (approval_reply !== undefined) await actOnReply(services, work, approval_reply, reply);
      if (task !== undefined) addTask(work, task);
      if (old_task !== undefined && !old_task.trusted && decided.task.made && decided.task.trusted) {
        const [trusted] = await work.update(
          "tasks",
          { id: old_task.id, trusted: false },
          { trusted: true, auth: auth ?? old_task.auth },
        );
        if (trusted !== undefined) work.publish(taskEvent("task.updated", trusted));
      }
      recordSightings(work, decided, now);
      return true;
    },
    { webhooks },
  );
  // It was released meanwhile, which happens once: it is judged again as released.
  if (!replaced) await replaceWorseCopy(services, inbox, evidence, { author, webhooks }, message_id, now);
}

/** Whether a mail that could meet an expectation has met one by its worse copy. */
async function hasMet(
  work: Work,
  inbox_id: string,
  message_id: string,
  { meets }: { meets: readonly unknown[] },
): Promise<boolean> {
  if (meets.length === 0) return false;
  const where = { inbox_id, status: "met", message_id } as const;
  return (await work.find("expectations", { where, limit: 1 })).length > 0;
}
