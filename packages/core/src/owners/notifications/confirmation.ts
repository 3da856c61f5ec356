import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import { agentName, type Block, layOut } from "./layout.ts";

/** The facts of a confirmation letter. */
export interface Confirmation {
  inbox_email: string;
  /** The agent's own name. */
  display_name: string | null;
  /** Six digits. */
  code: string;
  /** The confirmation page. */
  link: string;
}

/**
 * The letter that asks a person to confirm that they own an agent. `shown` is the copy that the agent can
 * read: it lacks the code and the link, so that the agent can't confirm its own owner.
 */
export function confirmationLetters({ inbox_email, display_name, code, link }: Confirmation): {
  shown: Letter;
  sealed: Letter;
} {
  const subject = `Confirm your agent ${inbox_email}`;
  const face = { from: { inbox_email, display_name }, tone: "question" as const };
  const agent = agentName({ inbox_email, display_name });
  const intro: Block[] = [
    { kind: "heading", text: "Is this your agent?" },
    {
      kind: "text",
      text: `The software agent ${agent} ${SENTENCES.confirmation.what}`,
    },
  ];
  const footer: Block[] = [
    {
      kind: "note",
      text: SENTENCES.confirmation.ignore,
    },
    { kind: "note", text: `Sent on behalf of ${inbox_email}.` },
  ];
  const withSecrets: Block[] = [
    { kind: "buttons", buttons: [{ label: "Review and confirm", url: link }] },
    {
      kind: "text",
      text: SENTENCES.confirmation.code,
    },
    { kind: "code", code },
  ];
  const withoutSecrets: Block[] = [
    { kind: "note", text: "(Only the owner's copy contains the code and the link.)" },
  ];
  return {
    shown: layOut({ subject, ...face, blocks: [...intro, ...withoutSecrets], footer }),
    sealed: layOut({ subject, ...face, blocks: [...intro, ...withSecrets], footer }),
  };
}
