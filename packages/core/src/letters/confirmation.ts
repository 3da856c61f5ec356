import type { Letter } from "../messages/index.ts";
import { type Block, layOut } from "./layout.ts";

/** What a confirmation letter says. */
export interface Confirmation {
  inbox_email: string;
  /** What the agent calls itself. */
  display_name: string | null;
  /** Six digits. */
  code: string;
  /** The page with the button. */
  link: string;
}

/**
 * The letter that asks a person to confirm that they direct an inbox. `shown` is the copy that the agent can
 * read: it has neither the code nor the link, so that an agent can't confirm its own owner.
 */
export function confirmationLetters({ inbox_email, display_name, code, link }: Confirmation): {
  shown: Letter;
  sealed: Letter;
} {
  const subject = `Confirm that you direct ${inbox_email}`;
  const who = display_name === null ? inbox_email : `${display_name} (${inbox_email})`;
  const intro: Block[] = [
    { kind: "heading", text: "Is this your agent?" },
    {
      kind: "text",
      text: `The software agent ${who} asks to work for you. Once you confirm, it sends you its updates, and what you write to it becomes its task.`,
    },
  ];
  const footer: Block[] = [
    {
      kind: "note",
      text: "If you don't know this agent, do nothing: without your confirmation it gets no access to you.",
    },
    { kind: "note", text: `Sent on behalf of ${inbox_email}.` },
  ];
  const withSecrets: Block[] = [
    { kind: "buttons", buttons: [{ label: "Review and confirm", url: link }] },
    {
      kind: "text",
      text: "The link works for 24 hours. Or give the agent this code; it works for 30 minutes:",
    },
    { kind: "code", code },
  ];
  const withoutSecrets: Block[] = [
    { kind: "note", text: "(The code and the link are only in the copy that the owner received.)" },
  ];
  return {
    shown: layOut({ subject, blocks: [...intro, ...withoutSecrets], footer }),
    sealed: layOut({ subject, blocks: [...intro, ...withSecrets], footer }),
  };
}
