import { isDaemon } from "../../mail/bounce-reports/plain.ts";
import type { MailReport, ReportedRecipient } from "../../mail/bounce-reports/report.ts";
import { isSameOrSubdomain, normaliseDomain } from "../../mail/sender/alignment.ts";
import { addressKey, distinctAddresses } from "../../model/address.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { isInNetworks, networkList } from "../../model/networks.ts";
import type { RelayReport } from "../../model/relay-reports.ts";
import { isFeedbackLoop } from "./feedback-loops.ts";
import { matchesName, type Reporters, type ReportSender } from "./reporters.ts";

/**
 * The link between a report and a message: its return path, that of mail sent before the upgrade, the header that the
 * service added, or only its Message-ID, which any reader of the thread knows.
 */
export type Tie = "path" | "earlier_path" | "header" | "message_id";

/**
 * The proof of a report: its reporter, or that the message had no other recipient; `none` for a claim that anybody
 * could make.
 */
export type Proof = "relay" | "recipient_host" | "feedback_loop" | "dialogue" | "single" | "none";

/** The mail hosts of a recipient's domain according to the DNS; the names are those of its MX records. */
export interface RecipientHosts {
  domain: string;
  names: readonly string[];
  addresses: readonly string[];
}

/** The facts that decide whether a report about one recipient is believed. */
export type ReportFacts =
  | { channel: "dialogue" }
  /** The relay's own callback, with the operator's secret. */
  | { channel: "relay" }
  | {
      channel: "mail";
      kind: MailReport["type"];
      tie: Tie;
      sender: ReportSender;
      /** The relays that the operator trusts to report on mail handed to them. */
      reporters: Reporters;
      /** Null when the DNS gave no answer. */
      hosts: RecipientHosts | null;
      /** The number of recipients that the message had. */
      recipients: number;
    };

/**
 * Returns the proof of a report about one recipient. Without the return path (or, for a complaint, the header)
 * nothing proves it, whoever sends it. With it, we believe our relay, a mail host of the recipient's domain, that
 * host's answer in the SMTP dialogue, a provider's feedback loop, and anybody where the message had a single
 * recipient.
 */
export function proofOfReport(facts: ReportFacts): Proof {
  if (facts.channel !== "mail") return facts.channel;
  const { kind, tie, sender, reporters, hosts, recipients } = facts;
  if (tie === "message_id" || (tie === "header" && kind === "delivery")) return "none";
  if (isFromRelay(sender, reporters)) return "relay";
  if (kind === "complaint" && isFeedbackLoop(sender)) return "feedback_loop";
  if (kind === "delivery" && hosts !== null && isFromHost(sender, hosts)) return "recipient_host";
  return tie !== "earlier_path" && recipients === 1 ? "single" : "none";
}

/**
 * Whether our relay sent a report: from one of its networks, or as its mail system under one of its names,
 * authenticated by a signature or SPF of such a name.
 */
function isFromRelay(sender: ReportSender, { names, networks }: Reporters): boolean {
  if (!sender.null_sender && !sender.report_type) return false;
  if (isInNetworks(sender.client_ip ?? "", networkList(networks))) return true;
  if (!isDaemon(sender.from)) return false;
  const isNamed = (domain: string | null) =>
    domain !== null && names.some((name) => matchesName(domain, name));
  return isNamed(domainIn(sender.from)) && [...sender.signers, sender.spf].some(isNamed);
}

/** Whether a mail host of the recipient's domain sent a report: by its address, or by a name that SPF passed for. */
function isFromHost(sender: ReportSender, { domain, names, addresses }: RecipientHosts): boolean {
  if (!sender.null_sender) return false;
  if (isInNetworks(sender.client_ip ?? "", networkList(addresses))) return true;
  const helo = normaliseDomain(sender.helo ?? "");
  if (helo === "" || sender.spf !== helo) return false;
  return [domain, ...names].some((name) => isSameOrSubdomain(helo, name));
}

const domainIn = (address: string): string => normaliseDomain(address.slice(address.lastIndexOf("@") + 1));

/**
 * Whether a finding with this proof counts for sending health: the word of a message's only recipient counts for that
 * recipient alone.
 */
export const countsForAccount = (proof: Proof): boolean => proof !== "none" && proof !== "single";

/** The statement of a report about one recipient of the message. */
export interface Finding {
  type: Extract<DeliveryEvent["type"], "bounced" | "complained" | "deferred" | "delivered">;
  /** One of the message's recipients. */
  recipient: string;
  /** `hard` or `soft` for bounces, the feedback type for complaints, else null. */
  kind: string | null;
  detail: string;
}

type Sent = Pick<MessageRecord, "to" | "cc" | "bcc">;

const FINDING_TYPE: Record<ReportedRecipient["outcome"], Finding["type"]> = {
  hard: "bounced",
  soft: "bounced",
  delayed: "deferred",
  delivered: "delivered",
};

/** The recipients of a message, each once. */
export const recipientsOf = ({ to, cc, bcc }: Sent): string[] => distinctAddresses([...to, ...cc, ...bcc]);

/**
 * The findings of a report, per recipient. An unknown address is assumed to be where the message's only
 * recipient forwards to; with several recipients it is ignored.
 */
export function findingsOf(message: Sent, report: MailReport): Finding[] {
  return report.type === "complaint" ? complaints(message, report) : deliveries(message, report.recipients);
}

/** How far the clock of a relay may differ from ours. */
const SKEW_MS = 5 * 60_000;

/**
 * What a relay's callback says of a message; undefined where it can't be: the message didn't have that recipient, or
 * it happened before the message was made, or is yet to happen.
 */
export function findingOfRelay(
  message: Sent & Pick<MessageRecord, "created_at">,
  {
    recipient,
    type,
    permanent,
    detail,
    at,
  }: Pick<RelayReport, "recipient" | "type" | "permanent" | "detail" | "at">,
  now: Date,
): Finding | undefined {
  const named = recipientsOf(message).find((each) => addressKey(each) === addressKey(recipient));
  const happened = new Date(at).getTime();
  const possible =
    happened >= new Date(message.created_at).getTime() - SKEW_MS && happened <= now.getTime() + SKEW_MS;
  if (named === undefined || !possible) return undefined;
  const kinds = {
    bounced: permanent ? "hard" : "soft",
    complained: "abuse",
    deferred: null,
    delivered: null,
  };
  return { type, recipient: named, kind: kinds[type], detail };
}

/**
 * Returns the findings not recorded before, each with its proof: a proven one also counts after an unproven one, and a
 * hard bounce after a soft one.
 */
export function newFindings<F extends Finding & { proof: Proof }>(
  { delivery_events }: Pick<MessageRecord, "delivery_events">,
  findings: readonly F[],
): F[] {
  const seen = new Set(delivery_events.flatMap(knownBy));
  const proven = new Set(delivery_events.filter(({ unproven }) => unproven !== true).flatMap(knownBy));
  return findings.filter(({ kind, proof, ...finding }) => {
    const known = knownBy({ ...finding, bounce_type: kind });
    const before = proof === "none" ? seen : proven;
    if (known.every((key) => before.has(key))) return false;
    for (const key of known) [before, seen].map((keys) => keys.add(key));
    return true;
  });
}

/** What is known once this happened: after a hard bounce, or one of an unknown kind, a soft one tells nothing new. */
function knownBy({
  type,
  recipient,
  bounce_type,
}: Pick<DeliveryEvent, "type" | "recipient"> & { bounce_type?: string | null | undefined }): string[] {
  const key = `${type} ${addressKey(recipient)}`;
  const soft = `soft ${key}`;
  return bounce_type === "soft" ? [soft] : [key, soft];
}

function deliveries(message: Sent, reported: readonly ReportedRecipient[]): Finding[] {
  return reported.flatMap(({ address, original, outcome, status, reason, detail }) => {
    const recipient = recipientFor(message, [original, address]);
    if (recipient === undefined) return [];
    const kind = outcome === "hard" || outcome === "soft" ? outcome : null;
    const words = [status, detail === "" ? reason : detail].filter((word) => word !== null && word !== "");
    return [{ type: FINDING_TYPE[outcome], recipient, kind, detail: words.join(" ") }];
  });
}

function complaints(
  message: Sent,
  { recipients, feedback_type }: Extract<MailReport, { type: "complaint" }>,
): Finding[] {
  const named = recipients
    .map((address) => recipientFor(message, [address]))
    .filter((each) => each !== undefined);
  // Providers redact the complainer: with a single recipient it can only be that one.
  const only = recipientFor(message, []);
  const complainers = named.length === 0 && only !== undefined ? [only] : named;
  return complainers.map((recipient) => ({
    type: "complained",
    recipient,
    kind: feedback_type,
    detail: feedback_type,
  }));
}

/** The recipient that matches one of the addresses, else the only recipient. */
function recipientFor(message: Sent, addresses: readonly (string | null)[]): string | undefined {
  const recipients = recipientsOf(message);
  const keys = addresses.map((address) => (address === null ? null : addressKey(address)));
  const named = recipients.find((recipient) => keys.includes(addressKey(recipient)));
  return named ?? (recipients.length === 1 ? recipients[0] : undefined);
}
