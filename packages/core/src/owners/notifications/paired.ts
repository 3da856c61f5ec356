import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import { layOut } from "./layout.ts";

/** The letter that tells those in charge that an agent was let in with a code; nothing in it is the agent's own word. */
export function pairedLetter(facts: {
  /** The person who made the code. */
  by: string;
  inbox_email: string;
  inbox_created: boolean;
  /** The network that the code was used from. */
  network: string | null;
  /** The page on which the person undoes it. */
  page: string;
  host: string;
}): Letter {
  const { by, inbox_email, inbox_created, network, page, host } = facts;
  const place = network === null ? "from this machine" : `from the network ${network}`;
  return layOut({
    subject: `An agent was let in: ${inbox_email}`,
    from: { host },
    tone: "account",
    blocks: [
      { kind: "heading", text: "An agent was let in" },
      { kind: "text", text: `A code that ${by} made on ${host} was used ${place}.` },
      {
        kind: "list",
        items: [{ text: inbox_email, more: inbox_created ? "a new inbox" : "an inbox that was there" }],
      },
      { kind: "text", text: SENTENCES.paired.wrong },
      { kind: "buttons", buttons: [{ label: "See what was let in", url: page }] },
    ],
    footer: [{ kind: "note", text: SENTENCES.paired.why }],
  });
}
