import { SENTENCES } from "../../catalogue/letter-frames.ts";
import type { Letter } from "../../model/letters.ts";
import type { Owner } from "../../model/owners.ts";
import type { Update } from "../../model/updates.ts";
import type { DigestLine, DigestPart } from "./digest-parts.ts";
import { partsOf } from "./digest-parts.ts";
import { headlineOf, TONES } from "./headline.ts";
import { agentName, type Block, layOut } from "./layout.ts";
import { ownerPages, stylePageLink } from "./owner-pages.ts";
import { questionBlocks } from "./question.ts";
import { MAX_QUESTIONS_WITH_BUTTONS } from "./whole.ts";

type DigestUpdate = Pick<Update, "kind" | "task_id" | "title" | "text" | "status" | "links" | "question"> & {
  /** The answer page of an open question, with its token. */
  answer_url: string | null;
  /** The number by which a reply names its question, if there are several. */
  number: number | null;
};

/** The content of a digest. */
export interface Digest {
  /** Oldest first. */
  updates: readonly DigestUpdate[];
  style: Owner["effective_email_style"]["style"];
  inbox_email: string;
  display_name: string | null;
  unsubscribe_url: string;
  style_url: string;
}

/**
 * The letter with a day's updates. `shown` is the copy that the agent can read: it lacks the links with
 * tokens.
 */
export function digestLetters(digest: Digest): { shown: Letter; sealed: Letter } {
  const { updates, style, display_name, inbox_email } = digest;
  const name = display_name ?? inbox_email;
  const parts = partsOf(updates);
  const [only] = updates;
  const subject =
    updates.length === 1 && only !== undefined
      ? `Today from ${name}: ${headlineOf(only)}`
      : `Today from ${name}: ${summaryOf(parts)}`;
  const [first] = parts;
  const face = { from: digest, tone: first === undefined ? ("progress" as const) : TONES[first.kind] };
  const blocks = (secret: boolean): Block[] => [
    ...(updates.length === 1 ? [] : [{ kind: "heading" as const, text: headlineFor(parts, updates.length) }]),
    ...parts.flatMap((part) => blocksOf(part, style, { secret, alone: updates.length === 1 })),
  ];
  const footer: Block[] = [
    { kind: "note", text: SENTENCES.digest.how },
    {
      kind: "note",
      text: `${SENTENCES.digest.from} ${agentName(digest)}.`,
    },
  ];
  return {
    shown: layOut({ subject, ...face, blocks: blocks(false), footer }),
    sealed: layOut({ subject, ...face, blocks: blocks(true), footer: [...footer, ownerPages(digest)] }),
  };
}

const TITLES: Record<Update["kind"], string> = {
  needs_input: "Waiting for your answer",
  error: "Problems",
  done: "Done",
  progress: "In progress",
};

const counted: Record<Update["kind"], (n: number) => string> = {
  needs_input: (n) => `${n} ${n === 1 ? "question" : "questions"}`,
  error: (n) => `${n} ${n === 1 ? "problem" : "problems"}`,
  done: (n) => `${n} done`,
  progress: (n) => `${n} in progress`,
};

/** "1 question, 2 done, 40 in progress". */
function summaryOf(parts: readonly DigestPart<DigestUpdate>[]): string {
  return parts.map(({ kind, lines, more }) => counted[kind](lines.length + more)).join(", ");
}

const headlineFor = (parts: readonly DigestPart<DigestUpdate>[], updates: number): string =>
  parts.some(({ kind }) => kind === "needs_input")
    ? `${updates} updates, and your answer is needed`
    : `${updates} updates`;

function blocksOf(
  part: DigestPart<DigestUpdate>,
  style: Digest["style"],
  { secret, alone }: { secret: boolean; alone: boolean },
): Block[] {
  const head: Block[] = alone ? [] : [{ kind: "section", text: TITLES[part.kind] }];
  if (part.kind === "needs_input" || alone) {
    const [first, rest] = [
      part.lines.slice(0, MAX_QUESTIONS_WITH_BUTTONS),
      part.lines.slice(MAX_QUESTIONS_WITH_BUTTONS),
    ];
    return [...head, ...first.flatMap((line) => whole(line, secret, alone)), ...inShort(rest, secret)];
  }
  const items = part.lines.map((line) => ({
    text: headlineOf(line.update),
    more: detailOf(line, style),
    links: line.update.links,
  }));
  const rest: Block[] =
    part.more === 0
      ? []
      : [
          {
            kind: "note",
            text: `… and ${part.more} more ${part.more === 1 ? "update" : "updates"}.`,
          },
        ];
  return [...head, { kind: "list", items }, ...rest];
}

/** An update in full: questions are never shortened to a line. */
function whole({ update }: DigestLine<DigestUpdate>, secret: boolean, alone: boolean): Block[] {
  const { title, text, status, links, question, answer_url, number } = update;
  const named = (words: string) => (number === null ? words : `${number}. ${words}`);
  const title_block: Block[] =
    title === null ? [] : [{ kind: alone ? "heading" : "strong", text: named(title) }];
  return [
    ...title_block,
    { kind: "text", text: title === null ? named(text) : text },
    ...(status === null ? [] : [{ kind: "note" as const, text: `Status: ${status}` }]),
    ...(links.length === 0 ? [] : [{ kind: "links" as const, links }]),
    ...(question === null ? [] : questionBlocks(question, secret ? answer_url : null, number)),
  ];
}

/** If there are many questions, the later ones are only links to their pages. */
function inShort(lines: readonly DigestLine<DigestUpdate>[], secret: boolean): Block[] {
  if (lines.length === 0) return [];
  const links = lines.flatMap(({ update }) =>
    secret && update.answer_url !== null ? [{ label: numberedHeadline(update), url: update.answer_url }] : [],
  );
  const items = lines
    .filter(({ update }) => !secret || update.answer_url === null)
    .map(({ update }) => ({ text: numberedHeadline(update), more: null }));
  return [
    ...(links.length === 0 ? [] : [{ kind: "pages" as const, links }]),
    ...(items.length === 0 ? [] : [{ kind: "list" as const, items }]),
  ];
}

const numberedHeadline = (update: DigestUpdate): string =>
  update.number === null ? headlineOf(update) : `${update.number}. ${headlineOf(update)}`;

/** The letter that asks which of several questions, given oldest first, an owner's reply meant. */
export function whichQuestionLetters(
  asked: Pick<Digest, "updates" | "inbox_email" | "display_name" | "style_url">,
): { shown: Letter; sealed: Letter } {
  const lines = asked.updates.toReversed().map((update) => ({ update, earlier: 0 }));
  const letter = (secret: boolean) =>
    layOut({
      subject: "Re: [Needs input] Which question do you mean?",
      from: asked,
      tone: "question",
      blocks: [
        { kind: "heading", text: "Which question do you mean?" },
        {
          kind: "text",
          text: SENTENCES.which_question.which,
        },
        ...blocksOf({ kind: "needs_input", lines, more: 0 }, "detailed", { secret, alone: false }),
      ],
      footer: [
        { kind: "note", text: `Sent on behalf of ${agentName(asked)}.` },
        ...(secret ? [stylePageLink(asked)] : []),
      ],
    });
  return { shown: letter(false), sealed: letter(true) };
}

/** The second row of a line: in the concise style only the number of earlier updates. */
function detailOf(
  { update: { title, text, status }, earlier }: DigestLine<DigestUpdate>,
  style: Digest["style"],
): string | null {
  const said = style === "concise" ? [] : [status, title === null ? null : text];
  const count = earlier === 0 ? null : `${earlier} earlier ${earlier === 1 ? "update" : "updates"}`;
  const parts = [...said, count].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(" · ");
}
