import { type ApprovalReply, matchApprovalReply } from "../approvals/index.ts";
import type { Services } from "../kernel/context.ts";
import { together } from "../kernel/together.ts";
import { signaturesOf } from "../letters/index.ts";
import { replyToElsewhere } from "../mail/screening/screen.ts";
import { doubtOfOrder, isNamed } from "../mail/sender/proof.ts";
import { withoutTag } from "../model/address.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { Safety } from "../model/screening.ts";
import { saysUnsubscribe } from "../owners/index.ts";
import { matchAnswer, type ReadReply } from "../updates/index.ts";
import type { Evidence } from "./evidence.ts";
import { type Author, impersonatedName, isKnown } from "./look-up-sender.ts";
import { placeOfLetter, readWord, type Word } from "./owner-word.ts";
import {
  automaticMarks,
  decideTask,
  isSenderBelieved,
  type Origin,
  sightingOf,
  speaksForOwner,
  type TaskFacts,
} from "./rules.ts";
import { screenMail } from "./screen-mail.ts";
import {
  lookUpSightings,
  type Marks,
  marksOf,
  type Place,
  type Sightings,
  UNSEEN,
  withoutPlaces,
} from "./seen.ts";

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
  /** Where its signatures are now seen. */
  places: Place[];
  /** Where they were seen before, as far as that was looked up. */
  known: Sightings;
}

/** What a mail about one of our letters instructs the service to do: at most one of these. */
interface OwnerInstruction extends ReadReply {
  /** It replies to an approval request. */
  approval_reply?: ApprovalReply | undefined;
  /** It unsubscribes the owner from updates. */
  unsubscribes?: boolean;
}

/**
 * Screens a mail, reads an owner's instruction in it, and decides whether it becomes a task. `replaces` is a
 * worse copy of the same mail that it takes the place of: that copy is no earlier sighting.
 */
export async function decide(
  services: Services,
  inbox: InboxRecord,
  evidence: Evidence,
  author: Author,
  now: Date,
  { replaces = false } = {},
): Promise<MailDecision> {
  const { mail, mail_from, origin, authentication, proof, letter } = evidence;
  const { passes: authenticated, forwarded_by } = authentication;
  const believed = isSenderBelieved({ authenticated, forwarded_by });
  const matters = author.owner !== undefined || author.allowlisted || letter !== undefined;
  const marks = marksOf(proof);
  const [safety, found] = await together(
    screen(services, inbox, evidence, author, believed),
    matters ? lookUpSightings(services, marks) : UNSEEN,
  );
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
    marks: automaticMarks(mail, { mail_from, origin, own_message: author.own_message }),
    owner: author.owner !== undefined,
    allowlisted: author.allowlisted,
    authenticated,
    forwarded_by,
    require_sender_auth: inbox.require_sender_auth,
    doubt: orderDoubt(inbox, evidence, sighting === "elsewhere"),
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
  };
}

/** Screens a mail. Of a known sender nothing is read, unless the mail asks for replies to another organisation's address. */
function screen(
  services: Services,
  inbox: InboxRecord,
  { mail, authentication }: Evidence,
  author: Author,
  believed: boolean,
): Safety | Promise<Safety> {
  const screenWith = (facts: { display_name_of_known: string | null; reply_to_changed: boolean }) =>
    screenMail(services, inbox.screening, mail, {
      ...facts,
      authenticated: believed,
      known: author.known,
      trusted: (author.owner !== undefined || author.allowlisted) && believed,
      auth: authentication,
    });
  if (!author.known)
    return impersonatedName(services, inbox, mail).then((display_name_of_known) =>
      screenWith({ display_name_of_known, reply_to_changed: false }),
    );
  const elsewhere = replyToElsewhere(mail);
  if (elsewhere === undefined) return screenWith({ display_name_of_known: null, reply_to_changed: false });
  return isKnown(services, inbox, elsewhere.address).then((known) =>
    screenWith({ display_name_of_known: null, reply_to_changed: !known }),
  );
}

function placeOfInbox(inbox: InboxRecord, evidence: Evidence): Place {
  const { proof } = evidence;
  return { id: inbox.id, named: proof !== null && isNamed(proof, recipientOf(inbox, evidence)) };
}

/** The addresses by which an author names an inbox: its own, with a tag, or that of the letter they answer. */
const recipientOf =
  ({ email }: InboxRecord, { letter }: Evidence) =>
  (address: string): boolean =>
    address === email || withoutTag(address) === email || address === letter?.address;

function orderDoubt(inbox: InboxRecord, evidence: Evidence, elsewhere: boolean): string | null {
  const { proof } = evidence;
  // Mail inside the service has no sender to prove; injected mail is never trusted.
  if (proof === null) return null;
  if (elsewhere)
    return "its signature was seen in another inbox before, and no signed To or Cc names this one";
  return doubtOfOrder(proof, recipientOf(inbox, evidence));
}

async function readInstruction(
  services: Services,
  evidence: Evidence,
  { owner, word, facts }: { owner: OwnerRecord | undefined; word: Word | undefined; facts: TaskFacts },
  now: Date,
): Promise<OwnerInstruction> {
  const { mail, letter } = evidence;
  const words = mail.extraction.extracted_text;
  if (word === undefined || facts.held || facts.marks.strong !== null || facts.marks.weak !== null) return {};
  // Only somebody who has the letter, or is its reader, is told that the mail did not count.
  if (letter === undefined && owner === undefined) return {};
  const email = word.email ?? owner?.email ?? "";
  const approval_reply = await matchApprovalReply(services, { ...word, email }, mail, words, now);
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
  const nothing = (reason: string) => ({ made: false, trusted: true, reason });
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
