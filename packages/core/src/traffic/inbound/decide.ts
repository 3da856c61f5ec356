import type { Services } from "../../kernel/context.ts";
import { replyToElsewhere } from "../../mail/screening/signals/reply-to.ts";
import { doubtOfDates, type OrderTimes } from "../../mail/sender/order-dates.ts";
import { doubtOfOrder, isNamed } from "../../mail/sender/proof.ts";
import { withoutTag } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { Safety } from "../../model/screening.ts";
import { type ApprovalReply, matchApprovalReply } from "../../owners/approvals/index.ts";
import { signaturesOf } from "../../owners/notifications/index.ts";
import { saysUnsubscribe } from "../../owners/owners/index.ts";
import { matchAnswer, type ReadReply } from "../../owners/updates/index.ts";
import { NO_RULES, type RuledMail } from "../rules/meet.ts";
import type { Evidence } from "./evidence.ts";
import { readAutomaticMarks } from "./reading/read-automatic-marks.ts";
import { screenMail } from "./reading/screen-mail.ts";
import {
  decideTask,
  isSenderBelieved,
  type Origin,
  sightingOf,
  speaksForOwner,
  type TaskFacts,
} from "./rules.ts";
import { type Author, impersonatedName, isKnown } from "./sender/look-up-sender.ts";
import { placeOfLetter, readWord, type Word } from "./sender/owner-word.ts";
import {
  lookUpSightings,
  type Marks,
  marksOf,
  type Place,
  type Sightings,
  UNSEEN,
  withoutPlaces,
} from "./sender/seen-before.ts";

/** The decisions about a mail for one inbox, made before it is stored. */
export interface MailDecision extends OwnerInstruction {
  facts: TaskFacts;
  safety: Safety;
  labels: string[];
  /** The owner, when the mail counts as written by one. */
  owner: OwnerRecord | undefined;
  task: ReturnType<typeof decideTask>;
  /** Set when the mail is about one of our letters. */
  word: Word | undefined;
  marks: Marks;
  /** The places where its signatures are seen now. */
  places: Place[];
  /** Earlier sightings of them, as far as they were looked up. */
  known: Sightings;
  /** What the inbox's rules do to it. */
  rules: RuledMail;
}

/** The instruction to the service in a mail about one of our letters: at most one of these. */
interface OwnerInstruction extends ReadReply {
  /** It replies to an approval request. */
  approval_reply?: ApprovalReply | undefined;
  /** It unsubscribes the owner from updates. */
  unsubscribes?: boolean;
}

/**
 * Screens a mail, reads an owner's instruction in it, and decides whether it becomes a task. `replaces` is a less
 * authenticated copy of the same mail, which this one replaces and which doesn't count as an earlier sighting.
 */
export async function decide(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  author: Author,
  now: Date,
  { replaces = false } = {},
): Promise<MailDecision> {
  const { origin, authentication, proof, letter } = evidence;
  const { passes: authenticated, forwarded_by } = authentication;
  const believed = isSenderBelieved({ authenticated, forwarded_by });
  const matters = author.owner !== undefined || author.allowlisted || letter !== undefined;
  const marks = marksOf(proof);
  const [safety, found, automatic] = await Promise.all([
    screen(services, inbox, evidence, author, believed),
    matters ? lookUpSightings(services, marks) : UNSEEN,
    readAutomaticMarks(services, inbox.id, evidence, author, now),
  ]);
  const suspicious = safety.mode !== "off" && safety.verdict === "suspicious";
  const held = suspicious && inbox.screening === "hold";
  const place = placeOfInbox(inbox, evidence);
  const letter_place = placeOfLetter(evidence);
  const places = letter_place === undefined ? [place] : [place, letter_place];
  const seen = replaces ? withoutPlaces(found, places) : found;
  const sighting = sightingOf(seen.signatures, place);
  const { imported = false } = evidence;
  const facts: TaskFacts = {
    origin,
    imported,
    held,
    marks: automatic,
    owner: author.owner !== undefined,
    allowlisted: author.allowlisted,
    authenticated,
    forwarded_by,
    proof: proof.kind,
    require_sender_auth: inbox.require_sender_auth,
    ...orderDoubt(inbox, evidence, { author, elsewhere: sighting === "elsewhere" }, now),
    replayed: sighting === "here",
  };
  const owner = speaksForOwner(facts) ? author.owner : undefined;
  const word = matters ? await readWord(services, inbox, evidence, facts, seen, now) : undefined;
  const instruction = await readInstruction(services, evidence, { owner, word, facts }, now);
  const task = noTaskBecauseOf(instruction) ?? decideTask(facts);
  return {
    ...instruction,
    facts,
    safety,
    labels: labelsOf({ origin, imported, suspicious, held, believed }),
    owner,
    task,
    word,
    marks,
    places,
    known: found,
    rules: NO_RULES,
  };
}

/**
 * Screens a mail. The content of mail from known senders isn't examined, unless it asks for replies to another
 * organisation's address.
 */
async function screen(
  services: Services,
  inbox: InboxRecord,
  { mail, authentication }: Evidence,
  author: Author,
  believed: boolean,
): Promise<Safety> {
  const screenWith = (facts: { display_name_of_known: string | null; reply_to_changed: boolean }) =>
    screenMail(services, inbox.screening, mail, {
      ...facts,
      authenticated: believed,
      known: author.known,
      organisation_known: author.organisation_known,
      trusted: (author.owner !== undefined || author.allowlisted) && believed,
      auth: authentication,
    });
  if (!author.known) {
    const display_name_of_known = await impersonatedName(services, inbox, mail);
    return screenWith({ display_name_of_known, reply_to_changed: false });
  }
  const elsewhere = replyToElsewhere(mail);
  const reply_to_changed = elsewhere !== undefined && !(await isKnown(services, inbox, elsewhere.address));
  return screenWith({ display_name_of_known: null, reply_to_changed });
}

function placeOfInbox(inbox: InboxRecord, evidence: Evidence): Place {
  const { proof } = evidence;
  return { id: inbox.id, named: proof.kind === "person" && isNamed(proof, recipientOf(inbox, evidence)) };
}

/**
 * Returns the addresses by which an author can name an inbox: its own, with a tag, or that of the letter they answer.
 */
const recipientOf =
  ({ email }: InboxRecord, { letter }: Evidence) =>
  (address: string): boolean =>
    address === email || withoutTag(address) === email || address === letter?.address;

function orderDoubt(
  inbox: InboxRecord,
  evidence: Evidence,
  { author, elsewhere }: { author: Author; elsewhere: boolean },
  now: Date,
): Pick<TaskFacts, "doubt" | "untrusted_reason"> {
  const { proof } = evidence;
  const because = (doubt: string | null) => ({ doubt, untrusted_reason: null });
  // An inbox of this service may give orders wherever that very inbox is allowlisted.
  if (proof.kind === "inbox") return because(null);
  if (proof.kind === "none") return because(proof.reason);
  if (elsewhere)
    return because("its signature was seen in another inbox before, and no signed To or Cc names this one");
  const doubt = doubtOfOrder(proof, recipientOf(inbox, evidence));
  if (doubt !== null) return because(doubt);
  const by_dates = doubtOfDates(proof, orderTimes(inbox, author), now.getTime());
  return by_dates === null
    ? because(null)
    : { doubt: `${by_dates.doubt} (${by_dates.reason})`, untrusted_reason: by_dates.reason };
}

/** Returns since when an inbox takes orders from an author. */
function orderTimes({ created_at, imported_at }: InboxRecord, { since }: Author): OrderTimes {
  return {
    since: Math.max(Date.parse(created_at), since === null ? 0 : Date.parse(since)),
    imported_at: imported_at === null ? null : Date.parse(imported_at),
  };
}

async function readInstruction(
  services: Services,
  evidence: Evidence,
  { owner, word, facts }: { owner: OwnerRecord | undefined; word: Word | undefined; facts: TaskFacts },
  now: Date,
): Promise<OwnerInstruction> {
  const { mail, letter, proof } = evidence;
  const words = mail.extraction.extracted_text;
  if (word === undefined || facts.held || facts.marks.strong !== null || facts.marks.weak !== null) return {};
  // Only somebody who has the letter, or is its reader, is told that the mail did not count.
  if (letter === undefined && owner === undefined) return {};
  const email = word.email ?? owner?.email ?? "";
  const approval_reply = await matchApprovalReply(
    services,
    { ...word, email, signatures: proof.kind === "person" ? proof.signatures : [] },
    mail,
    words,
    now,
  );
  if (approval_reply !== undefined) return { approval_reply };
  if (word.missing !== null || owner === undefined) return {};
  if (saysUnsubscribe(words, signaturesOf(mail, owner))) return { unsubscribes: true };
  return matchAnswer(services, owner, word.letter_id, words, now);
}

/** The reason why an owner's instruction to the service makes no task. */
function noTaskBecauseOf({
  approval_reply,
  unsubscribes = false,
}: OwnerInstruction): MailDecision["task"] | undefined {
  const decides = approval_reply !== undefined && approval_reply.reading.verdict !== "unclear";
  const nothing = (reason: string) => ({ made: false, trusted: true, untrusted_reason: null, reason });
  if (decides)
    return nothing(
      "approval: the owner's reply decides the approval request, so there is nothing left to do",
    );
  return unsubscribes
    ? nothing("unsubscribe: the owner unsubscribed from updates, so there is nothing left to do")
    : undefined;
}

function labelsOf(facts: {
  origin: Origin;
  imported: boolean;
  suspicious: boolean;
  held: boolean;
  believed: boolean;
}): string[] {
  const { origin, imported, suspicious, held, believed } = facts;
  const labels = ["received", imported ? "read" : "unread"];
  if (origin === "injected") labels.push("injected");
  if (imported) labels.push("imported");
  if (suspicious) labels.push("suspicious");
  if (held) labels.push("held");
  if (!believed) labels.push("untrusted");
  return labels;
}
