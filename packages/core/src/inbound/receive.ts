import { type ReturnPlace, returnPlaceOf } from "../bounces/index.ts";
import { LetterslotError } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { countMetrics } from "../kernel/events/count.ts";
import { inboxByAddress } from "../kernel/inbox/find.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { authenticate } from "../mail/sender/authentication.ts";
import { stageBlob } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { applyReceiveLists } from "./apply-receive-lists.ts";
import { deferUndecided } from "./defer.ts";
import { receiveReturned, recordOwnReport } from "./receive-returned.ts";
import { type Origin, withoutTag } from "./rules.ts";
import type { Evidence } from "./store-mail.ts";

/** A mail as it came in, with the envelope it came in. */
export interface ReceivedMail {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: readonly string[]; client_ip: string | null; helo: string | null };
  origin: Exclude<Origin, "injected">;
}

/**
 * What became of a mail for one recipient (decisions, section 12b). `refused` is the sender's to know,
 * `dropped` is not; `recorded` is a delivery report or a complaint that was noted at the message it is about.
 */
export interface RecipientReport {
  recipient: string;
  outcome: "stored" | "duplicate" | "dropped" | "refused" | "recorded";
  reason:
    | "unknown_recipient"
    | "inbox_expired"
    | "inbox_paused"
    | "sender_blocked"
    | "mail_unreadable"
    | "mail_too_complex"
    | null;
  message_id: string | null;
}

/** What became of a mail for each recipient, in the order they were named. */
export interface ReceiveReport {
  results: RecipientReport[];
}

/**
 * Takes a mail in for each of its recipients: read and authenticate once, then gate, score, thread and store
 * for each inbox. When it resolves, what was stored is durable. It throws only when the service can't take
 * mail now; the peer should then try again.
 */
export async function receiveMail(services: Services, mail: ReceivedMail): Promise<ReceiveReport> {
  const now = services.clock.now();
  const places = await Promise.all(
    mail.envelope.rcpt_to.map((recipient) => placeOf(services, recipient, now)),
  );
  const report = await receiveAt(services, mail, places, now);
  await countDrops(services, places, report, now);
  return report;
}

async function receiveAt(
  services: Services,
  mail: ReceivedMail,
  places: Place[],
  now: Date,
): Promise<ReceiveReport> {
  const inboxes = new Map(
    places.flatMap(({ inbox }) => (inbox === undefined ? [] : [[inbox.id, inbox] as const])),
  );
  const returns = places.filter((place) => place.returned !== undefined);
  if (inboxes.size === 0 && returns.length === 0) return { results: places.map(({ report }) => report) };

  let evidence: Evidence;
  try {
    evidence = await readAndAuthenticate(services, mail, [...inboxes.values()], now);
  } catch (error) {
    const reason = unreadable(error);
    if (reason === undefined) throw error;
    return {
      results: places.map(({ report, inbox, returned }) =>
        inbox === undefined && returned === undefined ? report : { ...report, outcome: "refused", reason },
      ),
    };
  }

  await deferUndecided(services, inboxes.values(), evidence, now);
  const delivered = new Map<string, Pick<RecipientReport, "outcome" | "reason" | "message_id">>();
  for (const inbox of inboxes.values()) {
    await services.yieldToEventLoop();
    await recordOwnReport(services, inbox, evidence, now);
    delivered.set(inbox.id, await applyReceiveLists(services, inbox, evidence, now));
  }
  for (const { report, returned } of returns) {
    if (returned !== undefined)
      delivered.set(report.recipient, await receiveReturned(services, returned, evidence, now));
  }
  return {
    results: places.map(({ report, inbox }) => ({
      ...report,
      ...delivered.get(inbox?.id ?? report.recipient),
    })),
  };
}

/** Whether a recipient would be taken, for the SMTP dialogue to say so before the mail is sent. */
export async function acceptsRecipient(
  services: Services,
  recipient: string,
): Promise<"ok" | "unknown" | "expired"> {
  const { report } = await placeOf(services, recipient, services.clock.now());
  if (report.reason === "unknown_recipient") return "unknown";
  return report.reason === "inbox_expired" ? "expired" : "ok";
}

/** Nobody is told of a dropped mail, so it is counted for the account (decisions, section 12). */
async function countDrops(
  services: Services,
  places: Place[],
  { results }: ReceiveReport,
  now: Date,
): Promise<void> {
  const dropped = places.filter((_, index) => results[index]?.outcome === "dropped");
  const accounts = Map.groupBy(dropped, ({ account_id }) => account_id ?? "");
  for (const [account_id, drops] of accounts) {
    const names = drops.map(() => "inbound.dropped" as const);
    await countMetrics(services.storage, account_id, names, now).catch((error: unknown) =>
      services.log.warn({ error }, "dropped mail was not counted"),
    );
  }
}

interface Place {
  report: RecipientReport;
  /** Whose inbox it is. */
  account_id?: string;
  inbox?: InboxRecord;
  returned?: ReturnPlace;
}

async function placeOf(services: Services, recipient: string, now: Date): Promise<Place> {
  const report = (outcome: RecipientReport["outcome"], reason: RecipientReport["reason"]) => ({
    recipient,
    outcome,
    reason,
    message_id: null,
  });
  const address = recipient.toLowerCase();
  const returned = await returnPlaceOf(services, address);
  if (returned !== undefined) return { report: report("stored", null), returned };
  const inbox =
    (await inboxByAddress(services, address)) ?? (await inboxByAddress(services, withoutTag(address)));
  if (inbox === undefined) return { report: report("refused", "unknown_recipient") };
  const state = stateOf(inbox, now);
  if (state === "expired") return { report: report("refused", "inbox_expired") };
  const { account_id } = inbox;
  if (state === "paused") return { report: report("dropped", "inbox_paused"), account_id };
  return { report: report("stored", null), account_id, inbox };
}

/** Reads a mail and checks its sender, once for all recipients. */
async function readAndAuthenticate(
  services: Services,
  { raw, envelope, origin }: ReceivedMail,
  inboxes: readonly InboxRecord[],
  now: Date,
): Promise<Evidence> {
  const { mail_from, client_ip, helo } = envelope;
  const screened = inboxes.some(({ screening }) => screening !== "off");
  const screening_timeout_ms = screened ? services.options.screening_timeout_ms : null;
  await services.yieldToEventLoop();
  const [mail, facts] = await Promise.all([
    services.parser.parse(raw, { screening_timeout_ms }),
    origin === "internal"
      ? undefined
      : services.senderAuth.check({ raw, envelope: { mail_from, client_ip, helo } }),
  ]);
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
      : authenticate(facts, mail, services.options.trusted_sealers);
  // Not before: bytes of a mail that is refused would be kept, and nothing would ever ask for their end.
  const staged = await stageBlob(services, raw);
  return { mail, raw: staged, size_bytes: raw.length, mail_from, origin, authentication, received_at: now };
}

function unreadable(error: unknown): "mail_unreadable" | "mail_too_complex" | undefined {
  if (!(error instanceof LetterslotError)) return undefined;
  return error.code === "mail_unreadable" || error.code === "mail_too_complex" ? error.code : undefined;
}
