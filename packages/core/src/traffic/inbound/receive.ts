import { LetterslotError } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { countMetrics } from "../../kernel/events/count.ts";
import { webhooksOf } from "../../kernel/events/deliveries.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import { addressKey } from "../../model/address.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { isOwnForm } from "../expectations/index.ts";
import { cameBack } from "../forwarding/index.ts";
import { deferUndecided, isUndecided } from "./defer.ts";
import { type Destination, findDestination, type RecipientReport } from "./destination.ts";
import type { Evidence, ReceivedMail } from "./evidence.ts";
import { receiveForOperator } from "./operator.ts";
import { receiveForPostmaster } from "./postmaster.ts";
import { readAutomaticMarks } from "./reading/read-automatic-marks.ts";
import { readEvidence } from "./reading/read-evidence.ts";
import { receiveForInbox } from "./receive-for-inbox.ts";
import { receiveReturned, recordComplaint, recordOwnReport } from "./receive-returned.ts";
import { deferUnproven, receiveDomainReport } from "./reports/receive-report.ts";
import type { Known } from "./sender/look-up-known.ts";
import { entryProof, lookUpAuthor, matchSender } from "./sender/look-up-sender.ts";
import { type EnvelopeDomain, lookUpEnvelopeDomain } from "./sender/own-signatures.ts";
import { carryOutOnly } from "./store-mail.ts";

/** The outcome for each recipient, in envelope order. */
export interface ReceiveReport {
  results: RecipientReport[];
}

/** The errors of a mail that no recipient can get. */
const MAIL_FAULTS = ["mail_unreadable", "mail_too_complex", "message_too_large"] as const;

/** The outcome of a mail for one of its places. */
type Delivered = Pick<RecipientReport, "outcome" | "reason" | "message_id">;

/**
 * Receives a mail: reads and authenticates it once, then admits, decides and stores it for each inbox. What
 * is stored is durable when it resolves. Throws only when the service can't receive mail now; the peer should
 * then retry.
 */
export async function receiveMail(services: Services, mail: ReceivedMail): Promise<ReceiveReport> {
  const now = services.clock.now();
  // In one statement with the recipients' addresses, where the storage is remote.
  const sender_domain =
    mail.origin === "internal" ? undefined : lookUpEnvelopeDomain(services, mail.envelope);
  const places = await Promise.all(
    mail.envelope.rcpt_to.map((recipient) => findDestination(services, recipient, now)),
  );
  const results = places.some(isRead)
    ? await receiveAt(services, { ...mail, sender_domain }, places, now)
    : places.map(({ report }) => report);
  await countDrops(services, places, results, now);
  return { results };
}

/** Whether mail to that destination must be read; otherwise its outcome is already known. */
const isRead = ({ inbox, letter, returned, postmaster, operator, domain_reports }: Destination): boolean =>
  (inbox ?? letter ?? returned ?? postmaster ?? operator ?? domain_reports) !== undefined;

async function receiveAt(
  services: Services,
  mail: ReceivedMail & { sender_domain: EnvelopeDomain | undefined },
  places: readonly Destination[],
  now: Date,
): Promise<RecipientReport[]> {
  const inboxes = new Map<string, InboxRecord>();
  const came_to = new Map<string, string>();
  const letters = new Map<string, NonNullable<Destination["letter"]>>();
  for (const { inbox, letter, report } of places) {
    // An expectation's own address says more than the inbox's beside it.
    if (inbox !== undefined && (!inboxes.has(inbox.id) || isOwnForm(addressKey(report.recipient))))
      came_to.set(inbox.id, report.recipient);
    if (inbox !== undefined) inboxes.set(inbox.id, inbox);
    if (letter !== undefined) letters.set(letter.record.hash, letter);
  }
  const operators = places.flatMap(({ operator }) => operator?.inbox ?? []);
  const read = {
    inboxes: [...new Map([...inboxes.values(), ...operators].map((inbox) => [inbox.id, inbox])).values()],
    letters: [...letters.values()],
    letters_live: places.some(({ letters_live, operator }) => letters_live || operator?.letters_live),
  };
  let evidence: Evidence;
  let known: Known | undefined;
  try {
    ({ evidence, known } = await readEvidence(services, mail, read, now));
  } catch (error) {
    const reason = unreadableReason(error);
    if (reason === undefined) throw error;
    return places.map((place) =>
      isRead(place) ? { ...place.report, outcome: "refused", reason } : place.report,
    );
  }
  const for_reports = places.filter(({ domain_reports }) => domain_reports);
  if (for_reports.length > 0) await deferUnproven(services, evidence, now);
  if (isUndecided(evidence, services.options.trustedSealers))
    await deferUndecided(services, inboxes.values(), evidence, now);

  const delivered = new Map<string, Delivered>();
  const answered = new Set<string>();
  for (const letter of letters.values()) {
    await services.yieldToEventLoop();
    const { inbox_id, ...result } = await receiveForLetter(services, letter, evidence, now);
    delivered.set(letter.record.hash, result);
    // A copy to the inbox itself is the same mail.
    if (result.message_id !== null && inbox_id !== null) {
      delivered.set(inbox_id, result);
      answered.add(inbox_id);
    }
  }
  for (const inbox of inboxes.values()) {
    if (answered.has(inbox.id)) continue;
    await services.yieldToEventLoop();
    await recordOwnReport(services, inbox, evidence, now);
    const copy = { ...evidence, came_to: came_to.get(inbox.id) ?? inbox.email };
    delivered.set(
      inbox.id,
      cameBack(services, inbox.id, evidence.mail)
        ? await dropForwarded(services, inbox, evidence, now)
        : await receiveForInbox(services, inbox, copy, now, known),
    );
  }
  for (const { report, returned, operator } of places) {
    const { recipient } = report;
    const reported = returned && (await receiveReturned(services, returned, evidence, now));
    if (reported !== undefined) delivered.set(recipient, reported);
    if (operator !== undefined && (reported === undefined || reported.outcome === "refused"))
      delivered.set(recipient, await receiveForOperator(services, operator, mail, recipient, evidence, now));
  }
  // Read once, however many of its recipients take reports.
  const reported = for_reports.length > 0 ? await receiveDomainReport(services, evidence, now) : undefined;
  if (reported !== undefined) for (const { report } of for_reports) delivered.set(report.recipient, reported);
  for (const { report, postmaster } of places) {
    const { recipient } = report;
    if (postmaster === undefined) continue;
    const recorded = await recordComplaint(services, postmaster.domain, evidence, now);
    delivered.set(
      recipient,
      recorded ?? (await receiveForPostmaster(services, postmaster, recipient, evidence, now)),
    );
  }
  return places.map(({ report, inbox, letter }) => ({
    ...report,
    ...delivered.get(letter?.record.hash ?? inbox?.id ?? report.recipient),
  }));
}

/** Dropped mail is reported to nobody, so it is counted for the account. */
async function countDrops(
  services: Services,
  places: readonly Destination[],
  results: readonly RecipientReport[],
  now: Date,
): Promise<void> {
  const dropped = places.filter((_, index) => results[index]?.outcome === "dropped");
  if (dropped.length === 0) return;
  const accounts = Map.groupBy(dropped, ({ account_id }) => account_id ?? "");
  for (const [account_id, drops] of accounts) {
    const names = drops.map(() => "inbound.dropped" as const);
    await countMetrics(services.storage, account_id, names, now).catch((error: unknown) =>
      services.log.warn({ error }, "counting dropped mail failed"),
    );
  }
}

/**
 * Receives a mail at a letter's reply address: the service reads it, also when the inbox takes no mail now; the
 * inbox gets it by its own state. An automatic reply is dropped.
 */
async function receiveForLetter(
  services: Services,
  letter: NonNullable<Evidence["letter"]>,
  evidence: Evidence,
  now: Date,
): Promise<Delivered & { inbox_id: string | null }> {
  const { inbox_id } = letter.record;
  const inbox = inbox_id === null ? undefined : await services.storage.get("inboxes", inbox_id);
  if (inbox === undefined)
    return { outcome: "refused", reason: "unknown_recipient", message_id: null, inbox_id };
  const answer = { ...evidence, letter };
  const { strong, weak } = await readAutomaticMarks(services, inbox.id, answer, { own_message: false }, now);
  if (strong !== null || weak !== null)
    return { outcome: "dropped", reason: "automatic_reply", message_id: null, inbox_id };
  if (stateOf(inbox, now) === "active")
    return { ...(await receiveForInbox(services, inbox, answer, now)), inbox_id };
  const [stated, webhooks] = await Promise.all([
    lookUpAuthor(services, inbox, evidence.mail),
    webhooksOf(services, inbox.account_id),
  ]);
  const author = matchSender(stated, await entryProof(services, inbox, evidence.proof));
  await carryOutOnly(services, inbox, answer, { author, webhooks }, now);
  return { outcome: "recorded", reason: null, message_id: null, inbox_id };
}

/** Stores nothing of a mail that the inbox itself forwarded, and that came back: nothing goes round. */
async function dropForwarded(
  services: Services,
  inbox: InboxRecord,
  { raw }: Evidence,
  now: Date,
): Promise<Delivered> {
  await unitOfWork(services, inbox.account_id, now, async (work) =>
    scheduleBlobCollection(work, [raw.hash], now),
  );
  return { outcome: "dropped", reason: "forwarded_back", message_id: null };
}

function unreadableReason(error: unknown): (typeof MAIL_FAULTS)[number] | undefined {
  if (!(error instanceof LetterslotError)) return undefined;
  return MAIL_FAULTS.find((code) => code === error.code);
}
