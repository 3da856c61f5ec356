import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { ForwardingFailure } from "../../model/forwardings.ts";
import type { Letter } from "../../model/letters.ts";
import { agentName, ellipsize, layOut, oneLine } from "./layout.ts";

/** The facts of a letter that asks a mailbox whether mail may be forwarded to it. */
export interface ForwardingAsked {
  inbox_email: string;
  /** The agent's own name. */
  display_name: string | null;
  email: string;
  everything: boolean;
  /** Six digits. */
  code: string;
  /** The page on which the code is entered. */
  link: string;
  host: string;
}

/** The letter with the code of a forwarding. It is in no inbox, so there is no copy without its secrets. */
export function forwardingLetter(facts: ForwardingAsked): Letter {
  const { inbox_email, display_name, email, everything, code, link, host } = facts;
  const agent = agentName({ inbox_email, display_name });
  const what = everything ? "all mail that comes to it" : "some of the mail that comes to it";
  return layOut({
    subject: `Forward mail of ${inbox_email} to you?`,
    from: { host },
    tone: "question",
    blocks: [
      { kind: "heading", text: "Do you want this mail?" },
      { kind: "text", text: `The software agent ${agent} wants to forward ${what} to ${email}.` },
      { kind: "text", text: SENTENCES.forwarding.what },
      { kind: "text", text: SENTENCES.forwarding.code },
      { kind: "buttons", buttons: [{ label: "Open the page", url: link }] },
      { kind: "code", code },
      { kind: "text", text: SENTENCES.forwarding.secret },
    ],
    footer: [{ kind: "note", text: SENTENCES.forwarding.ignore }],
  });
}

const WHY: Record<ForwardingFailure, string> = {
  expired: "nobody confirmed it in time.",
  rejected: "a person in charge said no.",
  bounced: "mail to that address came back for good, three times.",
  authority_ended: "the person who agreed to it is in charge no more.",
  address_inside: "mail to that address is delivered by this service now, so that agents could read it.",
};

/** The letter that tells those in charge that a forwarding has ended. */
export function forwardingEndedLetter(facts: {
  email: string;
  inbox_email: string;
  reason: ForwardingFailure;
  host: string;
}): Letter {
  const { email, inbox_email, reason, host } = facts;
  return layOut({
    subject: ellipsize(oneLine(`Mail of ${inbox_email} is no longer forwarded to ${email}`), 200),
    from: { host },
    tone: "problem",
    blocks: [
      { kind: "heading", text: "A forwarding has ended" },
      {
        kind: "text",
        text: `Mail of ${inbox_email}, on ${host}, is no longer forwarded to ${email}: ${WHY[reason]}`,
      },
      { kind: "text", text: SENTENCES.forwarding_ended.what },
    ],
    footer: [{ kind: "note", text: SENTENCES.forwarding_ended.why }],
  });
}
