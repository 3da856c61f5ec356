import type { Letter } from "../messages/index.ts";
import { type Block, layOut } from "./layout.ts";

/** The letter that answers an owner who ended their updates by mail. */
export function updatesEndedLetters(facts: {
  inbox_email: string;
  display_name: string | null;
  style_url: string;
}): {
  shown: Letter;
  sealed: Letter;
} {
  const { inbox_email, display_name, style_url } = facts;
  const subject = `The updates from ${display_name ?? inbox_email} have stopped`;
  const blocks: Block[] = [
    { kind: "heading", text: "The updates have stopped" },
    {
      kind: "text",
      text: "You stay the owner of this agent: you can give it work by mail, and it asks you where your approval is needed.",
    },
  ];
  const footer: Block[] = [{ kind: "note", text: `Sent on behalf of ${inbox_email}.` }];
  const again: Block = { kind: "pages", links: [{ label: "Begin the updates again", url: style_url }] };
  return {
    shown: layOut({ subject, blocks, footer }),
    sealed: layOut({ subject, blocks, footer: [...footer, again] }),
  };
}
