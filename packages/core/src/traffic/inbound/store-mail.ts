import { isHeardOf } from "../../kernel/addresses/reachable.ts";
import type { Services } from "../../kernel/context.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { findCanaries, spendCanaries } from "../../mailbox/canaries/index.ts";
import {
  addToThread,
  awaitReferences,
  findAwaitingThreads,
  findThread,
  joinThreads,
  stopLoop,
  storeNewMessage,
  textWords,
  threadIdFor,
} from "../../mailbox/messages/index.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import { actOnReply } from "../../owners/approvals/index.ts";
import { leaveUpdates } from "../../owners/owners/index.ts";
import { addTask, openTask } from "../../owners/tasks/index.ts";
import { actOnAnswer } from "../../owners/updates/index.ts";
import { meetExpectation } from "../expectations/index.ts";
import { forwardAll } from "../forwarding/index.ts";
import { mentionHashes, mentionRecords, notesMentions, outsideWordsOf } from "../gate/index.ts";
import { carryOutRules, forwardedBy, holdsByRule, NO_RULES } from "../rules/meet.ts";
import { decide, type MailDecision } from "./decide.ts";
import type { Evidence, StoreOutcome, Surroundings } from "./evidence.ts";
import { expectedFor } from "./expected.ts";
import { publishReceived } from "./publish-received.ts";
import { dedupeKey, receivedBody, receivedMessage, stageAttachments } from "./received-message.ts";
import { replaceWorseCopy } from "./redaction/replace-copy.ts";
import { isHuman } from "./rules.ts";
import type { Author } from "./sender/look-up-sender.ts";
import { recordSightings } from "./sender/seen-before.ts";

/** After hashing this many characters, a mail is stored in another turn of the event loop. */
const LONG_CHARS = 100_000;

/**
 * Stores a mail as was decided for its inbox: message, thread, events, task and jobs in one transaction.
 * The transaction does not wait for two checks, whether the inbox is still open and the mail is new: nearly
 * always both hold, and waiting would add a round trip to every mail. `work.require` awaits them before the
 * commit; a failed check throws `AbortWithOutcome`, which rolls back and becomes the result. `awaited`:
 * replies to the mail came before it.
 */
export async function storeMail(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  decided: MailDecision,
  { author, webhooks, awaited }: Surroundings & { awaited: boolean },
  now: Date,
): Promise<StoreOutcome> {
  const { mail, origin } = evidence;
  const { facts, owner, answers } = decided;
  const { attachments, staged } =
    mail.attachments.length === 0 ? { attachments: [], staged: [] } : await stageAttachments(services, mail);
  const text_words = await textWords(services, mail.text);
  const dedupe_key = dedupeKey(evidence, attachments);
  const trusted = evidence.proof.kind === "person" && (owner !== undefined || author.vouched);
  const hashes = (await notesMentions(services, inbox))
    ? await mentionHashes(services, inbox, outsideWordsOf(mail, trusted), {
        ...{ subject: mail.subject, text: mail.text, html: mail.html, attachments },
      })
    : [];
  if (mail.text.length + (mail.html?.length ?? 0) > LONG_CHARS) await services.yieldToEventLoop();

  const expected = await expectedFor(services, inbox, evidence, decided, now);
  const known_outside = await canariesIn(services, inbox, evidence);

  const store = async (work: Work): Promise<StoreOutcome> => {
    work.require(work.get("inboxes", inbox.id).then((current) => abortIf(closedOutcome(current, now))));
    const { thread, opens } =
      awaited || mail.in_reply_to !== null || mail.references.length > 0
        ? await threadOf(work, inbox, mail, awaited)
        : NEW_THREAD;
    const place = {
      id: services.makeId("msg"),
      inbox,
      thread_id: threadIdFor(thread, services.makeId),
      attachments,
      dedupe_key,
    };
    const message = receivedMessage(evidence, decided, place, now);
    const task = decided.task.made
      ? openTask(services.makeId, message, taskFacts(decided, author, thread), now)
      : undefined;
    const body = receivedBody(evidence, decided, { message_id: message.id, task_id: task?.id ?? null });
    const stored = storeNewMessage(work, message, body, {
      blobs: [evidence.raw, ...staged],
      text_words,
      inbox_address: inbox.email,
    });
    work.require(stored.then(({ record, inserted }) => abortIf(inserted ? undefined : duplicateOf(record))));

    await spendCanaries(work, known_outside, now);
    work.append("outside_mentions", mentionRecords(hashes, inbox, message.id, now));
    if (opens) awaitReferences(work, message);
    const joined = await addToThread(work, thread, message, {
      human: isHuman(facts),
      trusted: decided.task.trusted,
    });
    await meetExpectation(work, expected, { id: message.id, thread_id: joined.id }, now);
    if (!isHuman(facts) && !facts.imported)
      await stopLoop(work, joined, message, now, { internal: origin === "internal", ...facts.marks });
    const { rules } = decided;
    if (rules !== NO_RULES)
      await carryOutRules(work, rules, { message, thread: joined }, { now, return_path: evidence.mail_from });
    if (inbox.forwards_all && !facts.imported && !facts.held && evidence.stub === undefined)
      await forwardAll(work, message, forwardedBy(rules));
    if (!facts.imported)
      publishReceived(work, message, {
        held: facts.held,
        held_by: holdsByRule(rules) ? "rule" : "screening",
        owner,
        update_task_id: thread?.update_task_id ?? null,
        task_id: task?.id ?? null,
        answers,
      });
    if (instructs(decided)) await carryOut(services, work, decided, { inbox, message, now });
    if (task !== undefined) addTask(work, task);
    recordSightings(work, decided, now);
    await evidence.also?.(work, message, body);
    return { outcome: "stored", reason: null, message_id: message.id };
  };
  // What somebody's word brings about may depend on people, and on other accounts.
  const known = { webhooks, shares_commit: true, reads_own: !instructs(decided) };
  const outcome = await unitOfWork(services, inbox.account_id, now, store, known).catch(abortedOutcome);
  if (outcome.outcome !== "duplicate") return outcome;
  await replaceWorseCopy(services, inbox, evidence, { author, webhooks }, outcome.message_id, now);
  return outcome;
}

/**
 * The canaries in a mail from outside, which are no secrets any more. What an agent injects or sends to an inbox
 * here says nothing of outsiders.
 */
async function canariesIn(
  { storage }: Pick<Services, "storage">,
  { account_id }: InboxRecord,
  { mail, origin }: Evidence,
): Promise<CanaryRecord[]> {
  if (origin !== "smtp" && origin !== "internal_path") return [];
  const texts = [mail.subject, mail.text, mail.html ?? "", ...mail.headers.map(({ value }) => value)];
  const files = mail.attachments.flatMap(({ filename, bytes }) => [filename, bytes]);
  return findCanaries(storage, account_id, [...texts, ...files]);
}

/** The result of `threadOf` for a mail that references none and that no earlier reply waits for. */
const NEW_THREAD = { thread: undefined, opens: true };

/**
 * Finds the thread of a mail: that of the mails it follows, or of others that follow them too, joined by the threads of
 * replies that arrived before it. Undefined when it opens a thread; `opens` is also true for mail that arrives before
 * everything it follows.
 */
async function threadOf(
  work: Work,
  { id: inbox_id }: InboxRecord,
  mail: Evidence["mail"],
  awaited: boolean,
): Promise<{ thread: ThreadRecord | undefined; opens: boolean }> {
  const references = [...mail.references, mail.in_reply_to].filter((reference) => reference !== null);
  const { thread: found, follows } = await findThread(work, inbox_id, references);
  const awaiting = awaited ? await findAwaitingThreads(work, inbox_id, [mail.message_id ?? ""]) : [];
  let thread = found;
  for (const replies of awaiting) {
    if (thread === undefined) thread = replies;
    else if (thread.id !== replies.id) thread = await joinThreads(work, thread, replies);
  }
  return { thread, opens: !follows };
}

/**
 * Carries out the instruction in a mail to a letter's reply address without storing the mail: its inbox accepts none
 * now, or blocks the sender, but the letter is the service's own.
 */
export async function carryOutOnly(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  { author, webhooks }: Surroundings,
  now: Date,
): Promise<void> {
  const decided = await decide(services, inbox, evidence, author, now);
  await unitOfWork(
    services,
    inbox.account_id,
    now,
    async (work) => {
      const letter_id = evidence.letter?.record.message_id ?? "";
      const letter = await work.get("messages", letter_id);
      const thread_id = letter?.thread_id ?? services.makeId("thr");
      // It isn't stored, so nothing is a copy of it.
      const place = { id: letter_id, inbox, thread_id, attachments: [], dedupe_key: null };
      const message = receivedMessage(evidence, decided, place, now);
      await carryOut(services, work, decided, { inbox, message, now });
      recordSightings(work, decided, now);
    },
    { webhooks },
  );
}

/** Whether a mail may instruct the service to do something: it is an owner's, or answers an approval request. */
const instructs = ({ owner, approval_reply }: MailDecision): boolean =>
  owner !== undefined || approval_reply !== undefined;

async function carryOut(
  services: Services,
  work: Work,
  decided: MailDecision,
  { inbox, message, now }: { inbox: InboxRecord; message: MessageRecord; now: Date },
): Promise<void> {
  const { owner, approval_reply, unsubscribes } = decided;
  if (owner !== undefined && owner.hard_bounces > 0) await isHeardOf(work, owner.email);
  if (unsubscribes === true && owner !== undefined)
    await leaveUpdates(services, work, { inbox, owner, message, now });
  if (owner !== undefined) await actOnAnswer(services, work, decided, { inbox, message, owner, now });
  if (approval_reply !== undefined) await actOnReply(services, work, approval_reply, { inbox, message, now });
}

/** Rolls back the transaction; `outcome` is the result. */
class AbortWithOutcome extends Error {
  readonly outcome: StoreOutcome;
  constructor(outcome: StoreOutcome) {
    super("the mail is not stored");
    this.outcome = outcome;
  }
}

function abortIf(outcome: StoreOutcome | undefined): void {
  if (outcome !== undefined) throw new AbortWithOutcome(outcome);
}

function abortedOutcome(error: unknown): StoreOutcome {
  if (error instanceof AbortWithOutcome) return error.outcome;
  throw error;
}

const duplicateOf = ({ id }: MessageRecord): StoreOutcome => ({
  outcome: "duplicate",
  reason: null,
  message_id: id,
});

function taskFacts({ task, answers }: MailDecision, author: Author, thread: ThreadRecord | undefined) {
  return {
    trusted: task.trusted,
    untrusted_reason: task.untrusted_reason,
    owner_id: author.owner?.id ?? null,
    update_task_id: thread?.update_task_id ?? answers?.update.task_id ?? null,
    answers_update_id: answers?.update.id ?? null,
    answer: answers?.answer ?? null,
  };
}

/** The outcome when the inbox, as read in the transaction, receives no mail. */
function closedOutcome(inbox: InboxRecord | undefined, now: Date): StoreOutcome | undefined {
  if (inbox === undefined) return { outcome: "refused", reason: "unknown_recipient", message_id: null };
  const state = stateOf(inbox, now);
  if (state === "paused") return { outcome: "dropped", reason: "inbox_paused", message_id: null };
  return state === "expired" ? { outcome: "refused", reason: "inbox_expired", message_id: null } : undefined;
}
