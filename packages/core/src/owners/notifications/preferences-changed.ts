import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import { agentName, type Block, layOut, oneLine } from "./layout.ts";

/** The delivery preferences of an owner. */
type Preferences = Pick<OwnerRecord, "digest" | "unsubscribed_at" | "email_style" | "email_style_note">;

/** Describes the differences between two settings of an owner's page; empty when there are none. */
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
 * The letter that tells an owner about changes made by a link in one of their letters: anybody to whom that letter
 * was passed could have made them.
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
    { kind: "text", text: SENTENCES.preferences_changed.what },
    { kind: "list", items: changes.map((text) => ({ text, more: null })) },
    { kind: "text", text: SENTENCES.preferences_changed.you },
  ];
  const footer: Block[] = [{ kind: "note", text: `Sent on behalf of ${facts.inbox_email}.` }];
  const back: Block = { kind: "pages", links: [{ label: "Not you? Change them back", url: style_url }] };
  return {
    shown: layOut({ subject, from: facts, tone: "account", blocks, footer }),
    sealed: layOut({ subject, from: facts, tone: "account", blocks, footer: [...footer, back] }),
  };
}
