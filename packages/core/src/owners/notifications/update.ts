import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import type { Owner } from "../../model/owners.ts";

import type { Update } from "../../model/updates.ts";
import { headlineOf, TONES } from "./headline.ts";
import { agentName, type Block, layOut } from "./layout.ts";
import { ownerPages } from "./owner-pages.ts";
import { questionBlocks } from "./question.ts";

/** The content of an update's letter. */
export interface UpdateLetter {
  subject: string;
  update: Pick<Update, "kind" | "title" | "status" | "text" | "links" | "question">;
  style: Owner["effective_email_style"]["style"];
  inbox_email: string;
  display_name: string | null;
  /** The owner's own pages, with the owner's token. */
  unsubscribe_url: string;
  style_url: string;
  /** The answer page of the question, with its token; null without a question. */
  answer_url: string | null;
}

/**
 * The letter with an update. `shown` is the copy that the agent can read: it lacks the links with tokens.
 */
export function updateLetters(letter: UpdateLetter): { shown: Letter; sealed: Letter } {
  const { subject, update, answer_url } = letter;
  const question = (url: string | null): Block[] =>
    update.question === null ? [] : questionBlocks(update.question, url);
  const blocks = (url: string | null) => [
    ...blocksIn[update.question !== null && letter.style === "concise" ? "detailed" : letter.style](letter),
    ...question(url),
    ...closing(letter),
  ];
  const face = { from: letter, tone: TONES[update.kind] };
  const how = update.kind === "needs_input" ? "Reply to this email to answer." : SENTENCES.digest.how;
  const footer: Block[] = [
    ...(update.question === null ? [{ kind: "note" as const, text: how }] : []),
    { kind: "note", text: `${SENTENCES.update.from} ${agentName(letter)}.` },
  ];
  return {
    shown: layOut({ subject, ...face, blocks: blocks(null), footer }),
    sealed: layOut({ subject, ...face, blocks: blocks(answer_url), footer: [...footer, ownerPages(letter)] }),
  };
}

/**
 * The blocks of an update in each style. Concise shows the title alone, or the first sentence (interface, "Update
 * rules"), unless the update asks a typed question: whoever answers by reply must have seen all of it.
 */
const blocksIn: Record<UpdateLetter["style"], (letter: UpdateLetter) => Block[]> = {
  concise: ({ update }) => [{ kind: "heading", text: headlineOf(update) }],
  detailed: ({ update }) => [
    ...heading(update),
    ...status(update),
    { kind: "text", text: update.text },
    ...links(update),
  ],
  casual: ({ update }) => [
    { kind: "text", text: `Hi! ${GREETINGS[update.kind]}` },
    ...heading(update),
    { kind: "text", text: update.text },
    ...status(update),
    ...links(update),
  ],
};

const closing = ({ style, display_name, inbox_email }: UpdateLetter): Block[] =>
  style === "casual" ? [{ kind: "text", text: `– ${display_name ?? inbox_email}` }] : [];

const GREETINGS: Record<Update["kind"], string> = {
  progress: "Here's how it's going:",
  needs_input: "I need your answer:",
  done: "This is done:",
  error: "Something went wrong:",
};

const heading = ({ title }: UpdateLetter["update"]): Block[] =>
  title === null ? [] : [{ kind: "heading", text: title }];
const status = (update: UpdateLetter["update"]): Block[] =>
  update.status === null ? [] : [{ kind: "note", text: `Status: ${update.status}` }];
const links = (update: UpdateLetter["update"]): Block[] =>
  update.links.length === 0 ? [] : [{ kind: "links", links: update.links }];
