import { LetterslotError } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { countMetrics } from "../kernel/events/count.ts";
import { webhooksOf } from "../kernel/events/deliveries.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { together } from "../kernel/together.ts";
import { authenticateSender } from "../mail/sender/authentication.ts";
import { readProof } from "../mail/sender/proof.ts";
import { stageBlob } from "../messages/index.ts";
import { givenAddress } from "../model/address.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Announcement } from "../ports/storage.ts";
import { applyReceiveLists, type Known, lookUpKnown } from "./apply-receive-lists.ts";
import { deferUndecided, isUndecided } from "./defer.ts";
import {
  type Destination,
  DestinationChanged,
  expectedAt,
  findDestination,
  type RecipientReport,
} from "./destination.ts";
import type { Evidence } from "./evidence.ts";
import { lookUpAuthor } from "./look-up-sender.ts";
import { ownMarks } from "./own-marks.ts";
import { withPictureCodes } from "./picture-codes.ts";
import { receiveForPostmaster } from "./postmaster.ts";
import { readOwnReport, receiveReturned, recordOwnReport } from "./receive-returned.ts";
import { removeSecrets } from "./remove-secrets.ts";
import { automaticMarks, type Origin } from "./rules.ts";
import { carryOutOnly } from "./store-mail.ts";

/** A received mail with its envelope. */
export interface ReceivedMail {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: readonly string[]; client_ip: string | null; helo: string | null };
  origin: Exclude<Origin, "injected" | "phone">;
}

/** The outcome for each recipient, in envelope order. */
export interface ReceiveReport {
  results: RecipientReport[];
}

/**
 * Receives a mail: reads and authenticates it once, then admits, decides and stores it for each inbox. What
 * is stored is durable when it resolves. Throws only when the service can't receive mail now; the peer should
 * then retry.
 */
export async function receiveMail(services: Services, mail: ReceivedMail): Promise<ReceiveReport> {
  const now = services.clock.now();
  const [first, ...others] = mail.envelope.rcpt_to;
  const expected = first !== undefined && others.length === 0 ? expectedAt(services, first, now) : undefined;
  if (expected !== undefined) {
    try {
      return await receiveAt(
        services,
        mail,
        { places: [expected.destination], confirm: expected.confirm },
        now,
      );
    } catch (error) {
      if (!(error instanceof DestinationChanged)) throw error;
    }
  }
  const places =
    first !== undefined && others.length === 0
      ? [await findDestination(services, first, now)]
      : await Promise.all(
          mail.envelope.rcpt_to.map((recipient) => findDestination(services, recipient, now)),
        );
  return receiveAt(services, mail, { places }, now);
}

/** Where a mail goes. `confirm` checks that it still does, where that was found earlier; throws `DestinationChanged`. */
interface Places {
  places: Destination[];
  confirm?: (() => Promise<void>) | undefined;
}

async function receiveAt(
  services: Services,
  mail: ReceivedMail,
  { places, confirm }: Places,
  now: Date,
): Promise<ReceiveReport> {
  const stored = places.some(({ inbox }) => inbox !== undefined);
  const announced = stored ? services.storage.announce?.() : undefined;
  try {
    const report = await receiveForDestinations(services, mail, { places, confirm, announced }, now);
    await countDrops(services, places, report, now);
    return report;
  } finally {
    announced?.withdraw();
  }
}

async function receiveForDestinations(
  services: Services,
  mail: ReceivedMail,
  { places, confirm, announced }: Places & { announced: Announcement | undefined },
  now: Date,
): Promise<ReceiveReport> {
  const inboxes = new Map<string, InboxRecord>();
  const letters = new Map<string, NonNullable<Destination["letter"]>>();
  let is_read = false;
  for (const { inbox, letter, returned, postmaster } of places) {
    if (inbox !== undefined) inboxes.set(inbox.id, inbox);
    if (letter !== undefined) letters.set(letter.record.hash, letter);
    is_read ||= (inbox ?? letter ?? returned ?? postmaster) !== undefined;
  }
  if (!is_read) return { results: places.map(({ report }) => report) };

  let evidence: Evidence;
  let known: Known | undefined;
  try {
    ({ evidence, known } = await readAndAuthenticate(
      services,
      mail,
      { inboxes: [...inboxes.values()], letters: [...letters.values()], confirm, announced },
      now,
    ));
  } catch (error) {
    const reason = unreadableReason(error);
    if (reason === undefined) throw error;
    await confirm?.();
    return {
      results: places.map(({ report, inbox, returned, letter, postmaster }) =>
        (inbox ?? returned ?? letter ?? postmaster) === undefined
          ? report
          : { ...report, outcome: "refused", reason },
      ),
    };
  }

  if (isUndecided(evidence, services.options.trusted_sealers))
    await deferUndecided(services, inboxes.values(), evidence, now);
  const delivered = new Map<string, Pick<RecipientReport, "outcome" | "reason" | "message_id">>();
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
    const report = readOwnReport(evidence);
    if (report !== undefined) await recordOwnReport(services, inbox, report, now);
    delivered.set(inbox.id, await applyReceiveLists(services, inbox, evidence, now, known));
  }
  for (const { report, returned } of places) {
    if (returned !== undefined)
      delivered.set(report.recipient, await receiveReturned(services, returned, evidence, now));
  }
  for (const { report, postmaster } of places) {
    const { recipient } = report;
    if (postmaster !== undefined)
      delivered.set(recipient, await receiveForPostmaster(services, postmaster, recipient, evidence, now));
  }
  return {
    results: places.map(({ report, inbox, letter }) => ({
      ...report,
      ...delivered.get(letter?.record.hash ?? inbox?.id ?? report.recipient),
    })),
  };
}

/** Dropped mail is reported to nobody, so it is counted for the account. */
async function countDrops(
  services: Services,
  places: Destination[],
  { results }: ReceiveReport,
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
 * Reads a mail and authenticates its sender, once for all recipients. `known`: what its inbox knows, where that is the
 * only recipient, since it is read together with what the authentication needs.
 */
async function readAndAuthenticate(
  services: Services,
  { raw, envelope, origin }: ReceivedMail,
  {
    inboxes,
    letters,
    confirm,
    announced,
  }: {
    inboxes: readonly InboxRecord[];
    letters: readonly NonNullable<Evidence["letter"]>[];
    confirm: (() => Promise<void>) | undefined;
    announced: Announcement | undefined;
  },
  now: Date,
): Promise<{ evidence: Evidence; known: Known | undefined }> {
  const { client_ip, helo } = envelope;
  const mail_from = givenAddress(envelope.mail_from) ?? envelope.mail_from;
  const screened = letters.length > 0 || inboxes.some(({ screening }) => screening !== "off");
  const screening_timeout_ms = screened ? services.options.screening_timeout_ms : null;
  await services.yieldToEventLoop();
  const readMail = async () => {
    try {
      return await withPictureCodes(
        services,
        await services.parser.parse(raw, { screening_timeout_ms, client_ip }),
      );
    } finally {
      // The sender's DNS may take long: no other mail waits for it.
      announced?.suspend();
    }
  };
  const [mail, facts] = await Promise.all([
    readMail(),
    origin === "internal"
      ? undefined
      : services.senderAuth.check({ raw, envelope: { mail_from, client_ip, helo } }),
  ]);
  announced?.resume();
  const authentication =
    facts === undefined
      ? {
          spf: "none" as const,
          dkim: "pass" as const,
          dmarc: "pass" as const,
          passes: true,
          forwarded_by: null,
          reasons: ["sent by an inbox of this service"],
        }
      : authenticateSender(facts, mail, services.options.trusted_sealers);
  const clean = await removeSecrets(services, { mail, raw, origin, authentication, letters, confirm }, now);
  // Not earlier: nothing would ever delete the bytes of a refused mail.
  const staged = await stageBlob(services, clean.raw);
  const [only] = inboxes.length === 1 && letters.length === 0 ? inboxes : [];
  // All is asked in one tick, so that a database may answer it in one statement.
  const [[marks, known]] = await together(
    together(
      facts === undefined || !("aligned_signatures" in authentication)
        ? undefined
        : ownMarks(services, facts, authentication),
      only && lookUpKnown(services, only, { ...clean, letter: undefined }),
    ),
    confirm?.(),
  );
  const proof =
    marks === undefined || facts === undefined || !("aligned_signatures" in authentication)
      ? null
      : readProof(mail, facts, authentication, marks);
  const evidence = {
    mail: clean.mail,
    raw: staged,
    size_bytes: clean.raw.length,
    mail_from,
    origin,
    authentication,
    received_at: now,
    proof,
    redacted: clean.redacted,
    announced,
  };
  return { evidence, known };
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
): Promise<Pick<RecipientReport, "outcome" | "reason" | "message_id"> & { inbox_id: string | null }> {
  const { inbox_id } = letter.record;
  const inbox = inbox_id === null ? undefined : await services.storage.get("inboxes", inbox_id);
  if (inbox === undefined)
    return { outcome: "refused", reason: "unknown_recipient", message_id: null, inbox_id };
  const { strong, weak } = automaticMarks(evidence.mail, { ...evidence, own_message: false });
  if (strong !== null || weak !== null)
    return { outcome: "dropped", reason: "automatic_reply", message_id: null, inbox_id };
  const answer = { ...evidence, letter };
  if (stateOf(inbox, now) === "active")
    return { ...(await applyReceiveLists(services, inbox, answer, now)), inbox_id };
  const [author, webhooks] = await Promise.all([
    lookUpAuthor(services, inbox, evidence.mail),
    webhooksOf(services, inbox.account_id),
  ]);
  await carryOutOnly(services, inbox, answer, { author, webhooks }, now);
  return { outcome: "recorded", reason: null, message_id: null, inbox_id };
}

function unreadableReason(error: unknown): "mail_unreadable" | "mail_too_complex" | undefined {
  if (!(error instanceof LetterslotError)) return undefined;
  return error.code === "mail_unreadable" || error.code === "mail_too_complex" ? error.code : undefined;
}
