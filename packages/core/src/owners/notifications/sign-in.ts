import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import { askedFromBlocks } from "./asked-from.ts";
import { layOut } from "./layout.ts";

/** The purposes of a sign-in: to decide, to let an app in, or to recover a key. */
export const OPENS = ["session", "app", "key"] as const;
export type Opens = (typeof OPENS)[number];

const WHAT: Record<Opens, string> = {
  session: "Whoever enters it decides in your name what your agents may do.",
  app: "Whoever enters it can let an app in, and decides in your name what your agents may do.",
  key: "Whoever enters it can create a key, and decides in your name what your agents may do.",
};

/** The letter with which a person signs in. It is in no inbox, so there is no copy without its secrets. */
export function signInLetter(facts: {
  code: string;
  link: string;
  host: string;
  opens: Opens;
  asked_from: Parameters<typeof askedFromBlocks>[0];
}): Letter {
  const { code, link, host, opens, asked_from } = facts;
  return layOut({
    subject: `Your sign-in code for ${host}`,
    from: { host },
    tone: "account",
    blocks: [
      { kind: "heading", text: "Your sign-in code" },
      { kind: "text", text: `This code signs you in on ${host}. ${WHAT[opens]}` },
      ...askedFromBlocks(asked_from),
      { kind: "text", text: `${SENTENCES.sign_in.code} ${host}:` },
      { kind: "code", code },
      { kind: "text", text: SENTENCES.sign_in.link },
      { kind: "buttons", buttons: [{ label: "Sign in", url: link }] },
      { kind: "text", text: SENTENCES.sign_in.secret },
    ],
    footer: [
      { kind: "note", text: SENTENCES.sign_in.valid },
      { kind: "note", text: SENTENCES.sign_in.ignore },
    ],
  });
}
