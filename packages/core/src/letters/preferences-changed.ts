import type { Letter } from "../messages/index.ts";
import type { OwnerRecord } from "../model/owners.ts";
import { agentName, type Block, layOut, oneLine } from "./layout.ts";

/** How an owner is written to. */
type Preferences = Pick<OwnerRecord, "digest" | "unsubscribed_at" | "email_style" | "email_style_note">;

/** What differs between two settings of an owner's page, in words; empty when nothing does. */
export function changedPreferences(before: Preferences, after: Preferences): string[] {
  const facts = (of: Preferences) => [
    `Updates: ${frequencyOf(of)}`,
    `Style: ${of.email_style ?? "as the agent chooses"}`,
    `Note for your agent: ${of.email_style_note === null ? "none" : oneLine(of.email_style_note)}`,
  ];
  const was = facts(before);
  return facts(after).filter((fact, index) => fact !== was[index]);
}

function frequencyOf({ digest, unsubscribed_at }: Preferences): string {
  if (unsubscribed_at !== null) return "not at all";
  return digest === "daily" ? "once a day, in one email" : "as they come";
}

/**
 * The letter that tells an owner what somebody changed by a link in one of their letters: whoever was passed
 * that letter could have been it.
 */
export function preferencesChangedLetters(facts: {
  inbox_email: string;
  display_name: string | null;
  changes: readonly string[];
  style_url: string;
}): { shown: Letter; sealed: Letter } {
  const { changes, style_url } = facts;
  const subject = `How ${agentName(facts)} writes to you was changed`;
  const blocks: Block[] = [
    { kind: "heading", text: "Your email preferences were changed" },
    { kind: "text", text: "Somebody changed them by a link in one of this agent's emails to you:" },
    { kind: "list", items: changes.map((text) => ({ text, more: null })) },
    { kind: "text", text: "Was it you? Then there is nothing to do." },
  ];
  const footer: Block[] = [{ kind: "note", text: `Sent on behalf of ${facts.inbox_email}.` }];
  const back: Block = { kind: "pages", links: [{ label: "Not you? Change them back", url: style_url }] };
  return {
    shown: layOut({ subject, blocks, footer }),
    sealed: layOut({ subject, blocks, footer: [...footer, back] }),
  };
}
