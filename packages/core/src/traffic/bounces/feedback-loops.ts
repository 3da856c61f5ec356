import { matchesName, type ReportSender } from "./reporters.ts";

/** A feedback loop, by the address that its complaints come from. */
interface FeedbackLoop {
  name: string;
  local_part: RegExp;
  domains: readonly string[];
  /** Further names whose signature or SPF result authenticates it. */
  signers?: readonly string[];
}

/**
 * The feedback loops that providers run, as they publish them or as their complaints look. An address counts only
 * where nobody but the provider can have it.
 */
export const FEEDBACK_LOOPS: readonly FeedbackLoop[] = [
  { name: "Yahoo and AOL", local_part: /^feedback$/, domains: ["arf.mail.yahoo.com"] },
  { name: "Microsoft JMRP", local_part: /^staff$/, domains: ["hotmail.com"] },
  { name: "Comcast", local_part: /^feedback(?:loop)?$/, domains: ["feedback.comcast.net"] },
  { name: "Fastmail", local_part: /^feedbackloop$/, domains: ["fbl.fastmail.com"] },
  { name: "Mail.ru", local_part: /^fbl$/, domains: ["corp.mail.ru"] },
  {
    name: "Validity",
    local_part: /^feedbackloop$/,
    domains: ["*.senderscore.net", "*.app.returnpath.net"],
    signers: ["senderscore.net", "app.returnpath.net"],
  },
  {
    name: "Amazon SES",
    local_part: /^complaints$/,
    domains: ["email-abuse.amazonses.com", "*.email-abuse.amazonses.com"],
    signers: ["amazonses.com"],
  },
  {
    name: "Others of Validity's programme",
    local_part: /^feedbackloop$/,
    domains: [
      ...["fbl.cox.net", "fbl.synacor.com", "fbl.usa.net", "fbl.zoho.com", "fbl.hostedemail.com"],
      ...["fbl.apps.rackspace.com", "fbl.italiaonline.net", "feedback.bluetie.com"],
      "feedback.postmaster.rr.com",
    ],
  },
];

/** Whether a complaint comes from a feedback loop: From is its address, and SPF or a signature of its names stands for that. */
export function isFeedbackLoop({ from, signers, spf }: ReportSender): boolean {
  const at = from.lastIndexOf("@");
  const [local, domain] = [from.slice(0, at).toLowerCase(), from.slice(at + 1)];
  const isOne = (found: string | null, names: readonly string[]) =>
    found !== null && names.some((name) => matchesName(found, name));
  return FEEDBACK_LOOPS.some(
    (loop) =>
      loop.local_part.test(local) &&
      isOne(domain, loop.domains) &&
      [...signers, spf].some((each) => isOne(each, [...loop.domains, ...(loop.signers ?? [])])),
  );
}
