import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import { type Block, layOut } from "./layout.ts";

/** The letter that confirms to an owner that their mail, or a link in their letters, has stopped the updates. */
export function updatesEndedLetters(facts: {
  inbox_email: string;
  display_name: string | null;
  style_url: string;
}): {
  shown: Letter;
  sealed: Letter;
} {
  const { inbox_email, display_name, style_url } = facts;
  const subject = `Updates from ${display_name ?? inbox_email} have stopped`;
  const blocks: Block[] = [
    { kind: "heading", text: "You won't get any more updates" },
    {
      kind: "text",
      text: SENTENCES.updates_ended.what,
    },
  ];
  const footer: Block[] = [{ kind: "note", text: `Sent on behalf of ${inbox_email}.` }];
  const again: Block = { kind: "pages", links: [{ label: "Start the updates again", url: style_url }] };
  return {
    shown: layOut({ subject, from: facts, tone: "account", blocks, footer }),
    sealed: layOut({ subject, from: facts, tone: "account", blocks, footer: [...footer, again] }),
  };
}
