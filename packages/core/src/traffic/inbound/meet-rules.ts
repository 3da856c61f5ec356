import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { term } from "../../mailbox/messages/index.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageBodyRecord, MessageRecord } from "../../model/messages.ts";
import { type RuledMail, tryRules } from "../rules/meet.ts";
import type { RuleFacts } from "../rules/rules.ts";
import type { MailDecision } from "./decide.ts";
import type { Evidence } from "./evidence.ts";
import { isHuman } from "./rules.ts";
import { type Author, addressOf } from "./sender/look-up-sender.ts";

/**
 * Tries the rules of an inbox on a mail that was screened and decided about: they hold it, take its task, or label it. Held
 * mail meets them when it is released; letters of ours and old mail never do. `released`: it is a copy of a mail that somebody
 * released.
 */
export async function meetRules(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  { decided, author, released = false }: { decided: MailDecision; author: Author; released?: boolean },
  now: Date,
): Promise<MailDecision> {
  const { facts } = decided;
  if (!inbox.has_rules || facts.imported || facts.held || evidence.stub !== undefined) return decided;
  const isWord = async () =>
    decided.owner !== undefined ||
    decided.word !== undefined ||
    (isHuman(facts) && author.vouched) ||
    (isHuman(facts) && (await isInCharge(services, inbox, addressOf(evidence.mail))));
  const rules = await tryRules(
    services,
    inbox,
    () => factsOfMail(inbox, evidence, decided, author),
    { isWord, released },
    now,
  );
  return withRules(decided, rules);
}

/** Whether an address is that of somebody with authority over an inbox. */
export async function isInCharge(services: Services, inbox: InboxRecord, address: string): Promise<boolean> {
  const { account_id, id: inbox_id } = inbox;
  const all = await authoritiesOver(services, services.storage, { account_id, inbox_id });
  return all.some(({ email }) => addressKey(email) === address);
}

/** The facts of a mail that is about to be stored. */
export function factsOfMail(
  inbox: Pick<InboxRecord, "email">,
  { mail, came_to = inbox.email }: Pick<Evidence, "mail" | "came_to">,
  { facts, safety }: Pick<MailDecision, "facts" | "safety">,
  author: Pick<Author, "known">,
): RuleFacts {
  const { to, cc, subject, text, extraction, attachments, headers } = mail;
  return {
    from: addressOf(mail),
    recipients: [...to, ...cc].map(({ address }) => addressKey(address)).concat(addressKey(came_to)),
    ...{ subject, text: text || extraction.extracted_text },
    authenticated: facts.authenticated,
    score: safety.score,
    has_attachment: attachments.length > 0,
    list: headers.some(({ name }) => name === "list-id"),
    suspicious: safety.verdict === "suspicious",
    new_sender: !author.known,
  };
}

/** The facts of a stored message; `new_sender` as of when it came. */
export const factsOfStored = (
  message: MessageRecord,
  body: Pick<MessageBodyRecord, "text" | "headers">,
  new_sender: boolean,
): RuleFacts => ({
  from: addressKey(message.from),
  recipients: [
    ...message.to,
    ...message.cc,
    ...(message.envelope_to === null ? [] : [message.envelope_to]),
  ].map(addressKey),
  ...{ subject: message.subject, text: body.text || message.extracted_text },
  authenticated: message.authenticated,
  score: message.safety?.score ?? 0,
  has_attachment: message.attachments.length > 0,
  list: "list-id" in body.headers,
  suspicious: message.safety?.verdict === "suspicious",
  new_sender,
});

/** Whether an inbox had no mail from or to an address before a message. */
export async function wasNew(
  { storage }: Pick<Services, "storage">,
  inbox_id: string,
  { id, from }: Pick<MessageRecord, "id" | "from">,
): Promise<boolean> {
  const address = addressKey(from);
  for (const word of [term.from(address), term.to(address)]) {
    const where = { inbox_id, term: word, message_id: { lt: id } };
    if ((await storage.find("message_terms", { where, limit: 1 })).length > 0) return false;
  }
  return true;
}

/** Takes from a decision what rules take. The rules' own labels come last, as far as there is room. */
export function withRules(decided: MailDecision, rules: RuledMail): MailDecision {
  const ruled: MailDecision = { ...decided, rules };
  const labels = new Set(decided.labels);
  for (const effect of rules.effects) {
    if (effect.verb === "mark_read" && labels.delete("unread")) labels.add("read");
    if (effect.verb === "no_task") ruled.task = NO_TASK;
    if (effect.verb === "hold") labels.add("held");
  }
  if (rules.effects.some(({ verb }) => verb === "hold"))
    Object.assign(ruled, { ...UNSAID, facts: { ...ruled.facts, held: true }, task: HELD });
  return { ...ruled, labels: [...labels, ...ownLabels(rules, [...labels])] };
}

/** The labels of their own that rules add to those of a mail, as far as there is room. */
const ownLabels = ({ effects }: RuledMail, labels: readonly string[]): string[] => {
  const own = effects.flatMap((effect) => (effect.verb === "label" ? effect.labels : []));
  const more = [...new Set(own)].filter((label) => !labels.includes(label));
  return more.slice(0, Math.max(0, LIMITS.labels - labels.length));
};

/** The labels that rules add to a stored mail which is held no more, and remove. */
export function labelsOfRules(
  rules: RuledMail,
  { labels }: Pick<MessageRecord, "labels">,
): { add: string[]; remove: string[] } {
  const reads = labels.includes("unread") && rules.effects.some(({ verb }) => verb === "mark_read");
  return { add: [...(reads ? ["read"] : []), ...ownLabels(rules, labels)], remove: reads ? ["unread"] : [] };
}

const NO = { made: false, trusted: false, untrusted_reason: null };
const NO_TASK = { ...NO, reason: "rule: a rule of the inbox makes no task of it" };
const HELD = { ...NO, reason: "held: a rule of the inbox holds it; release it to deliver it" };
/** Held mail says nothing for its author. */
const UNSAID = { owner: undefined, approval_reply: undefined, answers: undefined, unsubscribes: false };
