import { fail } from "../../catalogue/errors.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { findMessage, isHeld, relabel, textWords } from "../../mailbox/messages/index.ts";
import { addressKey } from "../../model/address.ts";
import type { Approval } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { Decisions } from "../../model/message-facts.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import { askAboutChange } from "../../owners/approvals/index.ts";
import { addTask, openTask } from "../../owners/tasks/index.ts";
import { actOnAnswer, matchAnswer, type ReadReply } from "../../owners/updates/index.ts";
import { keywordOf } from "../../phone/telephony/index.ts";
import { meetExpectation } from "../expectations/index.ts";
import { forwardAll } from "../forwarding/index.ts";
import { carryOutRules, forwardedBy, NO_RULES, type RuledMail, tryRules } from "../rules/meet.ts";
import { followHold } from "./changed-hold.ts";
import { expectedOnRelease } from "./expected.ts";
import { factsOfStored, isInCharge, labelsOfRules, wasNew } from "./meet-rules.ts";
import { lookUpNumber } from "./phone/admit-phone.ts";
import { publishReceived } from "./publish-received.ts";
import { decidePhoneTask, decideTask, isHuman, speaksForOwner, type TaskFacts } from "./rules.ts";
import { entryProof, lookUpSender, matchSender, type Sender } from "./sender/look-up-sender.ts";
import { proofOfStored } from "./sender/stored-proof.ts";

/** The inbox, and what its messages are released with. */
type Releasing = Services & Pick<InboxContext, "inbox" | "now" | "transaction">;

/** The releaser of a message, and what is written with it. */
interface Releaser {
  /** Whether they must ask a person first, by the inbox as it is in the transaction. */
  mustAsk: (inbox: InboxRecord) => boolean;
  also?: (work: Work, inbox: InboxRecord) => Promise<void>;
}

/**
 * Releases a held message: it stays `suspicious`, its body becomes visible and searchable, `message.received`
 * is published, and the task decision is made from the stored authentication. Fails
 * with `message_not_held`; of two concurrent callers one succeeds.
 */
export async function releaseMessage(
  ctx: Releasing,
  message: MessageRecord,
  body: MessageBodyRecord,
  { mustAsk, also = async () => {} }: Releaser,
): Promise<MessageRecord> {
  const { inbox, makeId, now } = ctx;
  const sender = await lookUpReleased(ctx, inbox, message, body);
  const reply = await replyOf(ctx, message, body, sender);
  const { answers } = reply;
  const text_words = await textWords(ctx, body.text ?? message.extracted_text);
  const expected = await expectedOnRelease(ctx, inbox, message, body, now);
  const rules = await rulesOnRelease(ctx, inbox, { message, body, sender }, now);
  return ctx.transaction(async (work) => {
    const current = await work.get("messages", message.id);
    if (current === undefined || !isHeld(current)) throw fail("message_not_held");
    const present = await work.get("inboxes", inbox.id);
    if (present === undefined || mustAsk(present)) throw fail("approval_required", RELEASED_BY_PEOPLE);
    const changes = labelsOfRules(rules, current);
    const [released] = await relabel(work, [current], changes.add, [...changes.remove, "held"]);
    if (released === undefined) throw fail("message_not_held");
    await followHold(work, released, body, text_words, now);
    await also(work, present);
    const thread = await work.get("threads", released.thread_id);

    await meetExpectation(work, expected, released, now);

    const { decisions } = body;
    if (decisions === null) return released;
    const facts = factsOf(inbox, released, decisions, sender);
    const decision = withoutTask(
      released.channel === "email" ? decideTask(facts) : decidePhoneTask(phoneFacts(inbox, released, sender)),
      rules,
    );
    const update_task_id = thread?.update_task_id ?? null;
    // A voicemail may have made its task before its words were known.
    const task =
      decision.made && decisions.task.task_id === null
        ? openTask(
            makeId,
            released,
            {
              ...decision,
              owner_id: sender.owner?.id ?? null,
              update_task_id: update_task_id ?? answers?.update.task_id ?? null,
              answers_update_id: answers?.update.id ?? null,
              answer: answers?.answer ?? null,
            },
            now,
          )
        : undefined;
    if (thread !== undefined)
      await carryOutRules(
        work,
        rules,
        { message: released, thread, counted: (decisions.rules ?? []).map(({ rule_id }) => rule_id) },
        { now, return_path: null },
      );
    if (present.forwards_all) await forwardAll(work, released, forwardedBy(rules));
    const updated = {
      ...decisions,
      ...(rules.matched.length === 0 ? {} : { rules: rules.matched }),
      released_at: iso(now),
      task: {
        made: decision.made,
        reason: `released; ${decision.reason}`,
        task_id: task?.id ?? decisions.task.task_id,
      },
    };
    await work.update("message_bodies", { message_id: released.id }, { decisions: updated });

    publishReceived(work, released, {
      held: false,
      owner: speaksForOwner(facts) ? sender.owner : undefined,
      update_task_id,
      task_id: task?.id ?? null,
      answers,
    });
    if (sender.owner !== undefined)
      await actOnAnswer(ctx, work, reply, { inbox, message: released, owner: sender.owner, now });
    if (task !== undefined) addTask(work, task);
    return released;
  });
}

/** Tries the rules of the inbox on a mail that is released. */
async function rulesOnRelease(
  ctx: Services,
  inbox: InboxRecord,
  { message, body, sender }: { message: MessageRecord; body: MessageBodyRecord; sender: Sender },
  now: Date,
): Promise<RuledMail> {
  const { decisions } = body;
  if (!inbox.has_rules || message.channel !== "email" || decisions === null) return NO_RULES;
  if (decisions.letter !== undefined || message.labels.includes("imported")) return NO_RULES;
  return tryRules(
    ctx,
    inbox,
    async (rules) => {
      const asks = rules.some(({ enabled, conditions }) => enabled && conditions.new_sender !== undefined);
      return factsOfStored(message, body, asks && (await wasNew(ctx, inbox.id, message)));
    },
    { isWord: () => isWord(ctx, inbox, { message, body, sender }), released: true },
    now,
  );
}

/** Whether a stored mail counts as the word of an owner or authority, or of somebody whom a person let in. */
export async function isWord(
  ctx: Services,
  inbox: InboxRecord,
  {
    message,
    body: { decisions },
    sender,
  }: { message: MessageRecord; body: MessageBodyRecord; sender: Sender },
): Promise<boolean> {
  if (decisions === null) return false;
  const facts = factsOf(inbox, message, decisions, sender);
  if (decisions.word !== undefined || speaksForOwner(facts)) return true;
  return isHuman(facts) && (sender.vouched || (await isInCharge(ctx, inbox, addressKey(message.from))));
}

const withoutTask = <D extends { made: boolean; trusted: boolean; reason: string }>(
  decision: D,
  { effects }: RuledMail,
): D =>
  effects.some(({ verb }) => verb === "no_task")
    ? { ...decision, made: false, trusted: false, reason: "rule: a rule of the inbox makes no task of it" }
    : decision;

const RELEASED_BY_PEOPLE = {
  message: "A person with authority releases held mail of this inbox.",
  fix: "Release it again: that asks them.",
};

/**
 * Asks the people with authority to release a held message, in the caller's transaction; asked again, it is the same
 * request. Fails with `message_not_held`, `owner_required`, or as asking does.
 */
export async function askToRelease(
  ctx: InboxContext,
  work: Work,
  message_id: string,
  reason: string | undefined,
): Promise<Approval> {
  const message = await findMessage(work, ctx.inbox.id, message_id);
  if (!isHeld(message)) throw fail("message_not_held");
  return askAboutChange(ctx, work, ctx.inbox, releaseOf(message, reason), ctx.now);
}

/** Describes a release as it is approved. */
export const releaseOf = ({ id, from }: MessageRecord, reason?: string) => ({
  subject_type: "message_release" as const,
  subject_id: id,
  change: { from, ...(reason === undefined ? {} : { reason }) },
});

/** Releases a message that a person approved to release. Does nothing when it is gone, or was released meanwhile. */
export async function releaseApproved(services: Services, job: JobRecord): Promise<void> {
  const { storage } = services;
  const message = await storage.get("messages", job.subject_id);
  const [inbox, body] = await Promise.all([
    message && storage.get("inboxes", message.inbox_id),
    message && storage.get("message_bodies", message.id),
  ]);
  if (message === undefined || inbox === undefined || body === undefined || !isHeld(message))
    return endJob(storage, job);
  const now = services.clock.now();
  const transaction = <T>(run: (work: Work) => Promise<T>) =>
    unitOfWork(services, inbox.account_id, now, run);
  const also = (work: Work) => endJob(work, job);
  await releaseMessage({ ...services, inbox, now, transaction }, message, body, {
    mustAsk: () => false,
    also,
  });
}

async function lookUpReleased(
  ctx: Releasing,
  inbox: InboxContext["inbox"],
  message: MessageRecord,
  { decisions }: MessageBodyRecord,
): Promise<Sender> {
  const { channel, from } = message;
  if (channel === "email")
    return matchSender(
      await lookUpSender(ctx, inbox, from),
      await entryProof(ctx, inbox, proofOfStored(message, decisions)),
    );
  const number = await lookUpNumber(ctx, inbox.id, from);
  return { ...number, organisation_known: false, owner: undefined, vouched: false, since: null };
}

/** The facts for the task decision on a released text or voicemail. */
const phoneFacts = (
  { sms_tasks }: InboxContext["inbox"],
  { extracted_text }: MessageRecord,
  { allowlisted }: Sender,
) => ({
  ...{ held: false, unheard: false, sms_tasks, allowlisted },
  keyword: keywordOf(extracted_text) !== undefined,
});

/** The facts for the task decision on a released message. */
function factsOf(
  { require_sender_auth }: InboxContext["inbox"],
  message: MessageRecord,
  decisions: Decisions,
  { owner, allowlisted }: Sender,
): TaskFacts {
  const { authenticated, labels } = message;
  const { origin, automatic, forwarded_by, doubt, untrusted_reason = null, replayed = false } = decisions;
  const proof = proofOfStored(message, decisions);
  const sender = {
    owner: owner !== undefined,
    allowlisted,
    authenticated,
    forwarded_by: forwarded_by ?? null,
  };
  return {
    origin,
    imported: labels.includes("imported"),
    held: false,
    marks: automatic,
    proof: proof.kind,
    ...sender,
    require_sender_auth,
    doubt: doubt ?? (proof.kind === "none" ? proof.reason : null),
    untrusted_reason,
    replayed,
  };
}

/** Reads the instruction about updates in an owner's mail, if it counted as their word when it arrived. */
async function replyOf(
  ctx: Releasing,
  message: MessageRecord,
  { decisions }: MessageBodyRecord,
  sender: Sender,
): Promise<ReadReply> {
  const { owner } = sender;
  if (decisions === null || owner === undefined) return {};
  const { word } = decisions;
  if (word === undefined || word.missing !== null) return {};
  if (!speaksForOwner(factsOf(ctx.inbox, message, decisions, sender))) return {};
  return matchAnswer(ctx, owner, word.letter_id, message.extracted_text, new Date(message.created_at));
}
