import type { Services } from "../../../kernel/context.ts";
import { loadOnce } from "../../../mail/load-once.ts";
import { authenticateSender, type SenderAuthentication } from "../../../mail/sender/authentication.ts";
import { hasOwnSignature, noProof, type Proof, readProof } from "../../../mail/sender/proof.ts";
import { checkMessageBytes, stageBlob } from "../../../mailbox/messages/index.ts";
import { addressKey, givenAddress } from "../../../model/address.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { ReadMail } from "../../../model/read-mail.ts";
import type { SenderFacts } from "../../../model/sender-facts.ts";
import { senderOfReport } from "../../bounces/sender-of-report.ts";
import type { Evidence, ReceivedMail } from "../evidence.ts";
import { removeSecrets } from "../redaction/remove-secrets.ts";
import { type Known, lookUpKnown } from "../sender/look-up-known.ts";
import { type EnvelopeDomain, ownMarks } from "../sender/own-signatures.ts";
import { withPictureCodes } from "./picture-codes.ts";

const loadReadReport = loadOnce(() => import("../../../mail/bounce-reports/read-report.ts"));

/**
 * Reads a mail and authenticates its sender, once for all recipients: removes what agents must not read, and stages
 * the raw mail. `known`: what the inbox knows of it, if that is its only recipient. Throws `mail_unreadable` or
 * `mail_too_complex` for a mail that can't be read, and `message_too_large` for one that is larger than any message.
 */
export async function readEvidence(
  services: Services,
  received: ReceivedMail & { sender_domain: EnvelopeDomain | undefined },
  { inboxes, letters, letters_live }: Recipients,
  now: Date,
): Promise<{ evidence: Evidence; known: Known | undefined }> {
  const { raw, origin } = received;
  const { client_ip, helo } = received.envelope;
  const mail_from = givenAddress(received.envelope.mail_from) ?? received.envelope.mail_from;
  const is_screened = letters.length > 0 || inboxes.some(({ screening }) => screening !== "off");
  const screening_timeout_ms = is_screened ? services.options.screeningTimeoutMs : null;
  // Begun before this thread reads the mail, because another may check its sender meanwhile.
  const checking =
    origin === "internal"
      ? undefined
      : services.senderAuth.check({ raw, envelope: { mail_from, client_ip, helo } });
  // Awaited below; until then the mail may turn out to be unreadable.
  checking?.catch(() => undefined);
  await services.yieldToEventLoop();
  const [mail, facts] = await Promise.all([
    services.parser
      .parse(raw, {
        screeningTimeoutMs: screening_timeout_ms,
        clientIp: client_ip,
        searchLetters: letters_live || letters.length > 0,
      })
      .then((read) => withPictureCodes(services, read)),
    checking,
  ]);
  // What this service sends to itself was measured when it was sent.
  if (origin !== "internal") checkMessageBytes(mail.content_bytes, "raw");
  const checked = facts && {
    facts,
    authentication: authenticateSender(facts, mail, services.options.trustedSealers),
  };
  const authentication = checked?.authentication ?? sentInside();
  // An inbox of this service is no mail server: its reports are forged.
  const { readReport } = await loadReadReport();
  const report = facts && readReport({ mail, mail_from });
  const isSignedByUs = async () =>
    checked !== undefined &&
    hasOwnSignature(
      checked.facts,
      checked.authentication,
      await ownMarks(services, checked.facts, checked.authentication, received.sender_domain),
    );
  const [only] = inboxes.length === 1 && letters.length === 0 ? inboxes : [];
  const lookUp = (as: Pick<Evidence, "mail" | "redacted">) =>
    only && lookUpKnown(services, only, { ...as, letter: undefined });
  // Asked with what bears on the proof; asked again of a mail that is changed below.
  const asked = lookUp({ mail, redacted: false });
  // Awaited below; until then the mail may be refused for another reason.
  asked?.catch(() => undefined);
  // Read from the original mail: the parts removed below may be needed to recognise the author.
  const proof =
    checked === undefined
      ? proofInside(received.sent_by)
      : await proofOf(services, mail, checked, received.sender_domain);
  const incoming = { mail, raw, origin, proof, inboxes, letters, letters_live, isSignedByUs };
  const clean = await removeSecrets(services, { ...incoming, reading: { clientIp: client_ip } }, now);
  // Not earlier: the bytes of a refused mail would never be deleted.
  const staged = await stageBlob(services, clean.raw);
  const known = await (clean.redacted ? lookUp(clean) : asked);
  const evidence = {
    mail: clean.mail,
    raw: staged,
    size_bytes: clean.raw.length,
    mail_from,
    origin,
    authentication,
    received_at: now,
    proof,
    report:
      facts === undefined || report === undefined
        ? undefined
        : { report, sender: senderOfReport(mail, { mail_from, client_ip, helo }, facts) },
    redacted: clean.redacted,
    stub: clean.stub,
  };
  return { evidence, known };
}

interface Recipients {
  inboxes: readonly InboxRecord[];
  letters: readonly NonNullable<Evidence["letter"]>[];
  /** Whether a live code, or a link that acts alone, may be in a letter to somebody of their accounts. */
  letters_live: boolean;
}

/** Mail from an inbox of this service has no sender to check. */
const sentInside = (): Evidence["authentication"] => ({
  ...{ spf: "none", dkim: "pass", dmarc: "pass", passes: true, forwarded_by: null },
  reasons: ["sent by an inbox of this service"],
});

/** Returns the proof for mail within the service: the inbox that sent it, even if a person has the same address. */
const proofInside = (sent_by: ReceivedMail["sent_by"]): Proof =>
  sent_by === undefined
    ? noProof("this service wrote it")
    : { kind: "inbox", ...sent_by, address: addressKey(sent_by.address) };

async function proofOf(
  services: Services,
  mail: ReadMail,
  { facts, authentication }: { facts: SenderFacts; authentication: SenderAuthentication },
  sender_domain: EnvelopeDomain | undefined,
): Promise<Proof> {
  const own = await ownMarks(services, facts, authentication, sender_domain);
  return readProof(mail, facts, authentication, own);
}
