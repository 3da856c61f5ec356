import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import { layOut } from "./layout.ts";

const HEADINGS = {
  added: "A passkey was added",
  removed: "A passkey was removed",
  removed_by_operator: "The operator removed a passkey of yours",
  ended: "Your passkeys no longer count",
};

/** The letter that tells a person that their passkeys changed. */
export function passkeysLetter({
  what,
  name,
  page,
  host,
}: {
  what: keyof typeof HEADINGS;
  /** The passkey's name; of counting that ended, who ended it. */
  name: string;
  page: string;
  host: string;
}): Letter {
  const happened = {
    added: `“${name}” signs you in on ${host} from now on, and counts for decisions 24 hours from now, or at once if an older passkey confirmed it.`,
    removed: `“${name}” no longer signs you in on ${host}, and decides nothing any more.`,
    removed_by_operator: `The operator of ${host} removed “${name}”. It no longer signs you in there, and decides nothing any more. One that you add from now on counts for decisions after 24 hours, or at once if another passkey of yours confirms it.`,
    ended: `${name}, who has charge of an account on ${host}, ended the counting of the passkeys that you have. One that you add from now on counts again after 24 hours.`,
  };
  return layOut({
    from: { host },
    tone: "account",
    subject: `${HEADINGS[what]} on ${host}`,
    blocks: [
      { kind: "heading", text: HEADINGS[what] },
      { kind: "text", text: happened[what] },
      { kind: "text", text: SENTENCES.passkeys.what },
      { kind: "buttons", buttons: [{ label: "See your passkeys", url: page }] },
    ],
    footer: [{ kind: "note", text: SENTENCES.passkeys.why }],
  });
}
