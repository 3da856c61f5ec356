import { type Judgement, missing, valid } from "./judge.ts";

/** Where reports about TLS go (RFC 8460, section 3): wherever that is, the domain has them sent. */
const TLS_REPORTS = /^v=TLSRPTv1\s*;\s*rua=\S/i;
const CONSENT = /^v\s*=\s*DMARC1\s*(?:;|$)/i;

/** Judges whether a domain asks for reports about TLS. */
export function judgeTlsReports(name: string, texts: readonly string[]): Judgement {
  const found = texts.filter((text) => TLS_REPORTS.test(text.trim()));
  return found.length > 0
    ? valid(found)
    : missing(`If you want reports about TLS shown here, add a TXT record at ${name} with the value shown.`, [
        ...texts,
      ]);
}

/** Judges whether the service's domain lets reports about other domains be sent to it. */
export function judgeReportConsent(name: string, texts: readonly string[]): Judgement {
  const found = texts.filter((text) => CONSENT.test(text.trim()));
  return found.length > 0
    ? valid(found)
    : missing(
        `Add a TXT record at ${name} with the value shown, so that other domains' DMARC reports may come here.`,
        [...texts],
      );
}
