import { findReturnTarget, type ReturnTarget } from "../bounces/index.ts";
import { LetterslotError } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { countMetrics } from "../kernel/events/count.ts";
import { inboxByAddress } from "../kernel/inbox/find.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { authenticateSender } from "../mail/sender/authentication.ts";
import { stageBlob } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { applyReceiveLists } from "./apply-receive-lists.ts";
import { deferUndecided } from "./defer.ts";
import type { Evidence } from "./evidence.ts";
import { receiveReturned, recordOwnReport } from "./receive-returned.ts";
import { type Origin, withoutTag } from "./rules.ts";

/** A received mail with its envelope. */
export interface ReceivedMail {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: readonly string[]; client_ip: string | null; helo: string | null };
  origin: Exclude<Origin, "injected">;
}

/**
 * The outcome of a mail for one recipient (decisions, section 12b). The sender learns of `refused`, but not
 * of `dropped`; `recorded` is a delivery report or complaint that was recorded with its message.
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
  const places = await Promise.all(
    mail.envelope.rcpt_to.map((recipient) => findDestination(services, recipient, now)),
  );
  const report = await receiveForDestinations(services, mail, places, now);
  await countDrops(services, places, report, now);
  return report;
}

async function receiveForDestinations(
  services: Services,
  mail: ReceivedMail,
  places: Destination[],
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
    const reason = unreadableReason(error);
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

/** Whether a recipient would be accepted, for the reply to RCPT TO. */
export async function acceptsRecipient(
  services: Services,
  recipient: string,
): Promise<"ok" | "unknown" | "expired"> {
  const { report } = await findDestination(services, recipient, services.clock.now());
  if (report.reason === "unknown_recipient") return "unknown";
  return report.reason === "inbox_expired" ? "expired" : "ok";
}

/** Dropped mail is reported to nobody, so it is counted for the account (decisions, section 12). */
async function countDrops(
  services: Services,
  places: Destination[],
  { results }: ReceiveReport,
  now: Date,
): Promise<void> {
  const dropped = places.filter((_, index) => results[index]?.outcome === "dropped");
  const accounts = Map.groupBy(dropped, ({ account_id }) => account_id ?? "");
  for (const [account_id, drops] of accounts) {
    const names = drops.map(() => "inbound.dropped" as const);
    await countMetrics(services.storage, account_id, names, now).catch((error: unknown) =>
      services.log.warn({ error }, "counting dropped mail failed"),
    );
  }
}

interface Destination {
  report: RecipientReport;
  /** The account of the inbox, also when the inbox is paused. */
  account_id?: string;
  inbox?: InboxRecord;
  returned?: ReturnTarget;
}

async function findDestination(services: Services, recipient: string, now: Date): Promise<Destination> {
  const report = (outcome: RecipientReport["outcome"], reason: RecipientReport["reason"]) => ({
    recipient,
    outcome,
    reason,
    message_id: null,
  });
  const address = recipient.toLowerCase();
  const returned = await findReturnTarget(services, address);
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

/** Reads a mail and authenticates its sender, once for all recipients. */
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
      : authenticateSender(facts, mail, services.options.trusted_sealers);
  // Not earlier: nothing would ever delete the bytes of a refused mail.
  const staged = await stageBlob(services, raw);
  return { mail, raw: staged, size_bytes: raw.length, mail_from, origin, authentication, received_at: now };
}

function unreadableReason(error: unknown): "mail_unreadable" | "mail_too_complex" | undefined {
  if (!(error instanceof LetterslotError)) return undefined;
  return error.code === "mail_unreadable" || error.code === "mail_too_complex" ? error.code : undefined;
}
