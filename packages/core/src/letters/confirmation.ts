import type { Letter } from "../messages/index.ts";
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
  const agent = agentName({ inbox_email, display_name });
  const intro: Block[] = [
    { kind: "heading", text: "Is this your agent?" },
    {
      kind: "text",
      text: `The software agent ${agent} wants to work for you. Once you confirm, it can send you updates, and the emails you send it become its tasks.`,
    },
  ];
  const footer: Block[] = [
    {
      kind: "note",
      text: "Don't know this agent? Ignore this email. Nothing happens unless you confirm.",
    },
    { kind: "note", text: `Sent on behalf of ${inbox_email}.` },
  ];
  const withSecrets: Block[] = [
    { kind: "buttons", buttons: [{ label: "Review and confirm", url: link }] },
    {
      kind: "text",
      text: "The link is valid for 24 hours. Or give the agent this code, which is valid for 30 minutes:",
    },
    { kind: "code", code },
  ];
  const withoutSecrets: Block[] = [
    { kind: "note", text: "(Only the owner's copy contains the code and the link.)" },
  ];
  return {
    shown: layOut({ subject, blocks: [...intro, ...withoutSecrets], footer }),
    sealed: layOut({ subject, blocks: [...intro, ...withSecrets], footer }),
  };
}
