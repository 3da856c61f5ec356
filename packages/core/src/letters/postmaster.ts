import type { Letter } from "../messages/index.ts";
import { layOut } from "./layout.ts";

/** The letter that brings mail for postmaster or abuse at a custom domain to those in charge of the account. */
export function postmasterLetter(facts: {
  /** The address that the mail was for. */
  to: string;
  from: string;
  subject: string;
  /** What it says, cut at a limit. */
  text: string;
}): Letter {
  const { to, from, subject, text } = facts;
  return layOut({
    subject: `Mail for ${to}: ${subject.replace(/\s+/g, " ")}`,
    blocks: [
      { kind: "heading", text: `Somebody wrote to ${to}` },
      { kind: "text", text: `From: ${from}` },
      { kind: "text", text: `Subject: ${subject}` },
      { kind: "text", text },
    ],
    footer: [
      {
        kind: "note",
        text: "You get this email because you are in charge of the account that the domain belongs to. We did not write what it says, and attachments are left out. To answer, write to its author.",
      },
    ],
  });
}
