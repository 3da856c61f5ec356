import type { Owner } from "../owners/schema.ts";
import { headlineOf } from "../updates/rules.ts";
import type { Update } from "../updates/schema.ts";
import { type Block, layOut } from "./layout.ts";
import type { Letter } from "./send-letter.ts";

/** What an update's letter says. */
export interface UpdateLetter {
  subject: string;
  update: Pick<Update, "kind" | "title" | "status" | "text" | "links">;
  style: Owner["effective_email_style"]["style"];
  inbox_email: string;
  display_name: string | null;
  /** The page that ends update mail; it holds the owner's token. */
  unsubscribe_url: string;
}

/** The letter that reports to an owner. `shown` is the copy that the agent can read: it has no unsubscribe link, which holds a token. */
export function updateLetters(letter: UpdateLetter): { shown: Letter; sealed: Letter } {
  const { subject, unsubscribe_url } = letter;
  const blocks = blocksIn[letter.style](letter);
  const footer: Block[] = [
    {
      kind: "note",
      text:
        letter.update.kind === "needs_input" ? "Reply to this letter to answer." : "Reply to this letter to direct the agent.",
    },
    { kind: "note", text: `Sent by ${whoWrites(letter)}.` },
  ];
  const unsubscribe: Block = { kind: "links", links: [{ label: "Stop these updates", url: unsubscribe_url }] };
  return {
    shown: layOut({ subject, blocks, footer }),
    sealed: layOut({ subject, blocks, footer: [...footer, unsubscribe] }),
  };
}

/** What each style makes of an update; concise shows the title alone, or the first sentence (interface, "Update rules"). */
const blocksIn: Record<UpdateLetter["style"], (letter: UpdateLetter) => Block[]> = {
  concise: ({ update }) => [{ kind: "heading", text: headlineOf(update) }],
  detailed: ({ update }) => [...heading(update), ...status(update), { kind: "text", text: update.text }, ...links(update)],
  casual: (letter) => [
    { kind: "text", text: `Hi! ${greetings[letter.update.kind]}` },
    ...heading(letter.update),
    { kind: "text", text: letter.update.text },
    ...status(letter.update),
    ...links(letter.update),
    { kind: "text", text: `– ${letter.display_name ?? letter.inbox_email}` },
  ],
};

const greetings: Record<Update["kind"], string> = {
  progress: "Here's how it's going:",
  needs_input: "I need a word from you:",
  done: "This one is done:",
  error: "Something didn't work out:",
};

const heading = ({ title }: UpdateLetter["update"]): Block[] => (title === null ? [] : [{ kind: "heading", text: title }]);
const status = (update: UpdateLetter["update"]): Block[] =>
  update.status === null ? [] : [{ kind: "note", text: `Status: ${update.status}` }];
const links = (update: UpdateLetter["update"]): Block[] =>
  update.links.length === 0 ? [] : [{ kind: "links", links: update.links }];
const whoWrites = ({ display_name, inbox_email }: UpdateLetter): string =>
  display_name === null ? inbox_email : `${display_name} (${inbox_email})`;
