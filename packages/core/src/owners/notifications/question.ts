import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { shownTime } from "../../catalogue/shown-time.ts";
import type { Letter } from "../../model/letters.ts";
import type { Question } from "../../model/questions.ts";
import type { Update } from "../../model/updates.ts";
import { headlineOf, shownValue } from "./headline.ts";
import { agentName, type Block, layOut } from "./layout.ts";
import { stylePageLink } from "./owner-pages.ts";

const HINTS: Record<Question["type"], string> = {
  yes_no: "Answer yes or no",
  number: "Answer with a number",
  date: "Answer with a date",
  choice: "Choose one",
  text: "Answer in your own words",
};

/**
 * The blocks of a question. With an `answer_url`, which holds the owner's token, they include buttons. A
 * button opens the page with the answer filled in; only the page's own button submits it. Of several questions in one
 * letter each has a `number`, which a reply begins with; options then have none.
 */
export function questionBlocks(
  question: Question,
  answer_url: string | null,
  number: number | null = null,
): Block[] {
  const { type, options, default: fallback, expires_at } = question;
  const named = (options ?? []).map((option, index) =>
    number === null ? `${index + 1}. ${option}` : option,
  );
  const list = named.map((text) => ({ text, more: null }));
  const until = expires_at === null ? "" : ` Please answer by ${shownTime(expires_at)}.`;
  const otherwise =
    fallback === null ? "" : ` Without an answer, the agent will use: ${shownValue(fallback)}.`;
  const replying = number === null ? "" : ` with "${number}." before your answer`;
  const how = `${HINTS[type]}, with a button or by replying to this email${replying}.${until}${otherwise}`;
  return [
    ...(list.length === 0 || answer_url !== null ? [] : [{ kind: "list" as const, items: list }]),
    ...(answer_url === null
      ? [{ kind: "note" as const, text: "(Only the owner's copy contains the buttons.)" }]
      : [{ kind: "buttons" as const, buttons: buttonsFor(question, named, answer_url) }]),
    { kind: "note", text: how },
  ];
}

function buttonsFor(
  { type, options }: Question,
  labels: readonly string[],
  answer_url: string,
): { label: string; url: string; quiet?: true }[] {
  const answer = (label: string, value: string) => ({
    label,
    url: `${answer_url}&value=${encodeURIComponent(value)}`,
  });
  if (type === "yes_no") return [answer("Yes", "yes"), { ...answer("No", "no"), quiet: true }];
  if (type === "choice")
    return (options ?? []).map((option, index) => answer(labels[index] ?? option, option));
  return [{ label: "Answer", url: answer_url }];
}

/** The letter that asks an owner again after an unclear answer. */
export function askedAgainLetters(asked: {
  question: Question;
  title: string | null;
  text: string;
  inbox_email: string;
  display_name: string | null;
  answer_url: string;
  style_url: string;
}): { shown: Letter; sealed: Letter } {
  const { question, answer_url, style_url } = asked;
  const headline = headlineOf(asked satisfies Pick<Update, "title" | "text">);

  const letter = (url: string | null) =>
    layOut({
      subject: `Re: [Needs input] ${headline}`,
      from: asked,
      tone: "question",
      blocks: [
        { kind: "heading", text: headline },
        {
          kind: "text",
          text: SENTENCES.question_again.again,
        },
        { kind: "quote", text: asked.text },
        ...questionBlocks(question, url),
      ],
      footer: [
        { kind: "note", text: `Sent on behalf of ${agentName(asked)}.` },
        ...(url === null ? [] : [stylePageLink({ style_url })]),
      ],
    });
  return { shown: letter(null), sealed: letter(answer_url) };
}
