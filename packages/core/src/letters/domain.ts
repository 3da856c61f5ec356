import type { Letter } from "../messages/index.ts";
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
    blocks: [
      { kind: "heading", text: `${domain} isn't set up any more` },
      {
        kind: "text",
        text: `Records that ${host} needs in the DNS of ${domain} have been gone for a day. Without them, mail from the domain may end up in spam, and after 30 days without the proof of ownership the domain is released.`,
      },
      {
        kind: "list",
        items: records.map(({ type, name, hint }) => ({ text: `${type} ${name}`, more: hint })),
      },
      { kind: "text", text: "Once they are back, the domain recovers by itself within a day." },
    ],
    footer: [{ kind: "note", text: "You get this email because you are in charge of the account." }],
  });
}
