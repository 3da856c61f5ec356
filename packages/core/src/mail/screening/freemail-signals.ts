import type { SignalType } from "../../catalogue/signals.ts";
import type { ParsedMail } from "../../model/parsed-mail.ts";
import type { Finding } from "../../model/screening.ts";
import { finding } from "./finding.ts";
import { domainOf, FREE_MAIL } from "./hosts.ts";

/** What companies, banks and authorities write of, from addresses of their own. */
const BUSINESS: ReadonlySet<SignalType> = new Set<SignalType>([
  "verify_account",
  "mailbox_full",
  "delivery_problem",
  "voice_message",
  "callback",
  "refund_claim",
  "payment_change",
  "wire_request",
  "quiet_favour",
  "prize",
  "advance_fee",
  "lure_income",
  "lure_investment",
  "lure_loan",
  "lure_marketing",
  "lure_protection",
]);

/**
 * A signal of mail that does business from a mailbox which anyone may open in a minute, by what else was
 * found in it.
 */
export function freemailSignals(mail: ParsedMail, found: readonly Finding[]): Finding[] {
  const domain = domainOf(mail.from[0]?.address ?? "");
  if (!FREE_MAIL.has(domain) || !found.some(({ type }) => BUSINESS.has(type))) return [];
  return [finding("business_from_freemail", { what: domain })];
}
