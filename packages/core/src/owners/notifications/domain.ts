import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { shownTime } from "../../catalogue/shown-time.ts";
import type { Letter } from "../../model/letters.ts";
import { layOut } from "./layout.ts";

/** The letter that tells those in charge that a required record of a verified domain is gone. */
export function domainDegradedLetter(facts: {
  domain: string;
  /** The required records that are not as they should be. */
  records: readonly { type: string; name: string; hint: string | null }[];
  host: string;
}): Letter {
  const { domain, records, host } = facts;
  return layOut({
    subject: `The DNS of ${domain} needs you`,
    from: { host },
    tone: "problem",
    blocks: [
      { kind: "heading", text: `${domain} isn't set up any more` },
      {
        kind: "text",
        text: `Records that ${host} needs in the DNS of ${domain} ${SENTENCES.domain_degraded.gone}`,
      },
      {
        kind: "list",
        items: records.map(({ type, name, hint }) => ({ text: `${type} ${name}`, more: hint })),
      },
      { kind: "text", text: SENTENCES.domain_degraded.back },
    ],
    footer: [{ kind: "note", text: "You get this email because you are in charge of the account." }],
  });
}

/** The letter that tells people with a say in an account that mail for a domain may soon be delivered to this service. */
export function domainReceivesLetter(facts: {
  domain: string;
  /** The time at which that may begin, in ISO 8601. */
  from: string;
  host: string;
  /** The reader's own address is at the domain. */
  is_there: boolean;
}): Letter {
  const { domain, from, host, is_there } = facts;
  const date = shownTime(from);
  return layOut({
    subject: `Mail for ${domain} may soon go to ${host}`,
    from: { host },
    tone: "account",
    blocks: [
      { kind: "heading", text: `${domain} was added to ${host}` },
      {
        kind: "text",
        text: `Somebody has proven that ${domain} ${SENTENCES.domain_receives.proven} ${host} ${SENTENCES.domain_receives.here} ${date} on at the earliest.`,
      },
      {
        kind: "text",
        text: is_there
          ? `Your address is at ${domain}. From then on it is no longer outside ${host}: ${SENTENCES.domain_receives.yours} ${domain} goes elsewhere again.`
          : `Somebody with a say in an account that you are in charge of has an address at ${domain}. From then on it is no longer outside ${host}: ${SENTENCES.domain_receives.outside} ${domain} goes elsewhere again.`,
      },
      {
        kind: "text",
        text: is_there
          ? `If that is meant to be, have yourself added with another address before. If not, ask whoever has the DNS of ${domain} to remove the record _letterslot.${domain} and to leave the MX record as it is.`
          : "Give somebody at another address what they need before, if nobody else has it.",
      },
    ],
    footer: [
      { kind: "note", text: `You get this email once, because you have a say in an account of ${host}.` },
    ],
  });
}

/** The letter that brings mail for postmaster or abuse at a custom domain to those in charge of the account. */
export function postmasterLetter(facts: {
  /** The address that the mail was for. */
  to: string;
  from: string;
  subject: string;
  /** What it says, cut at a limit. */
  text: string;
  host: string;
}): Letter {
  const { to, from, subject, text, host } = facts;
  return layOut({
    subject: `Mail for ${to}: ${subject.replace(/\s+/g, " ")}`,
    from: { host },
    tone: "account",
    blocks: [
      { kind: "heading", text: `Somebody wrote to ${to}` },
      {
        kind: "facts",
        rows: [
          ["From", from],
          ["Subject", subject],
        ],
      },
      { kind: "quote", text },
    ],
    footer: [
      {
        kind: "note",
        text: SENTENCES.postmaster.why,
      },
    ],
  });
}
