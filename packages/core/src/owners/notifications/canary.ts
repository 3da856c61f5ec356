import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import { layOut } from "./layout.ts";

/** The letter that tells those in charge that a canary was about to leave with an inbox's mail. */
export function canaryLetter(facts: {
  /** Where the canary is planted. */
  name: string;
  inbox_email: string;
  /** Whether sending from the inbox stopped. */
  pauses: boolean;
  host: string;
}): Letter {
  const { name, inbox_email, pauses, host } = facts;
  return layOut({
    subject: `A canary was about to leave ${inbox_email}`,
    from: { host },
    tone: "problem",
    blocks: [
      { kind: "heading", text: "A canary was about to leave" },
      { kind: "text", text: `${inbox_email}, on ${host}, tried to send the canary named:` },
      { kind: "list", items: [{ text: name, more: "" }] },
      { kind: "text", text: SENTENCES.canary.what },
      {
        kind: "text",
        text: pauses
          ? "Sending from the inbox is paused until you let it send again in your session."
          : "It came in with mail before, so others know it: sending goes on.",
      },
    ],
    footer: [{ kind: "note", text: SENTENCES.canary.why }],
  });
}
