import { normaliseDomain } from "../../mail/sender/alignment.ts";
import { signatureFlaw } from "../../mail/sender/signature-flaws.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { InboundEnvelope, SenderFacts } from "../../model/sender-facts.ts";
import type { ReportSender } from "./reporters.ts";

/** Determines the sender of a report from its envelope, its From, and the results for its signatures and SPF. */
export function senderOfReport(
  mail: Pick<ParsedMail, "from" | "from_headers" | "headers">,
  { mail_from, client_ip, helo }: InboundEnvelope,
  { spf, dkim }: Pick<SenderFacts, "spf" | "dkim">,
): ReportSender {
  const [author, ...others] = mail.from;
  const type = mail.headers.find(({ name }) => name === "content-type")?.value ?? "";
  const signers = dkim.filter(
    (signature) => signature.result === "pass" && signatureFlaw(signature) === null && signature.signs_from,
  );
  return {
    null_sender: mail_from === "",
    report_type: /^multipart\/report\b/i.test(type.trim()),
    from: mail.from_headers === 1 && others.length === 0 ? (author?.address.toLowerCase() ?? "") : "",
    signers: signers.map(({ domain }) => normaliseDomain(domain)),
    spf: spf.result === "pass" && spf.domain !== null ? normaliseDomain(spf.domain) : null,
    helo,
    client_ip,
  };
}
