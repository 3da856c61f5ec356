import type { Letter } from "../messages/index.ts";
import type { Question } from "../model/questions.ts";
import type { Update } from "../model/updates.ts";
import { headlineOf, shownValue } from "./headline.ts";
import { type Block, layOut } from "./layout.ts";
import { stylePageLink } from "./owner-pages.ts";

const hint: Record<Question["type"], string> = {
  yes_no: "Answer yes or no",
  number: "Answer with a number",
  date: "Answer with a date",
  choice: "Choose one",
  text: "Answer in your own words",
};

/**
 * What a letter shows of a question. With a link, which holds the owner's token, there are buttons: they open
 * the page with the answer filled in, and only the page's own button acts.
 */
export function questionBlocks(question: Question, answer_url: string | null): Block[] {
  const { type, options, default: fallback, expires_at } = question;
  const numbered = (options ?? []).map((option, index) => ({ text: `${index + 1}. ${option}`, more: null }));
  const until = expires_at === null ? "" : ` Until ${expires_at.slice(0, 16).replace("T", " ")} UTC.`;
  const otherwise = fallback === null ? "" : ` Without your answer: ${shownValue(fallback)}.`;
  const how = `${hint[type]}: with a button, or by replying to this letter.${until}${otherwise}`;
  return [
    ...(numbered.length === 0 || answer_url !== null ? [] : [{ kind: "list" as const, items: numbered }]),
    ...(answer_url === null
      ? [{ kind: "note" as const, text: "(The buttons are only in the copy that the owner received.)" }]
      : [{ kind: "buttons" as const, buttons: buttonsFor(question, answer_url) }]),
    { kind: "note", text: how },
  ];
}

function buttonsFor({ type, options }: Question, answer_url: string): { label: string; url: string }[] {
  const answer = (label: string, value: string) => ({
    label,
    url: `${answer_url}&value=${encodeURIComponent(value)}`,
  });
  if (type === "yes_no") return [answer("Yes", "yes"), answer("No", "no")];
  if (type === "choice")
    return (options ?? []).map((option, index) => answer(`${index + 1}. ${option}`, option));
  return [{ label: "Answer", url: answer_url }];
}

/** The letter that asks an owner once more, because their first answer could be read in more than one way. */
export function askedAgainLetters(asked: {
  question: Question;
  title: string | null;
  text: string;
  inbox_email: string;
  display_name: string | null;
  answer_url: string;
  style_url: string;
}): { shown: Letter; sealed: Letter } {
  const { question, inbox_email, display_name, answer_url, style_url } = asked;
  const headline = headlineOf(asked satisfies Pick<Update, "title" | "text">);
  const who = display_name === null ? inbox_email : `${display_name} (${inbox_email})`;
  const letter = (url: string | null) =>
    layOut({
      subject: `Re: [Needs input] ${headline}`,
      blocks: [
        { kind: "heading", text: headline },
        {
          kind: "text",
          text: "Thank you for your answer. It could be read in more than one way, so here is the question once more.",
        },
        ...questionBlocks(question, url),
      ],
      footer: [
        { kind: "note", text: `Sent on behalf of ${who}.` },
        ...(url === null ? [] : [stylePageLink({ style_url })]),
      ],
    });
  return { shown: letter(null), sealed: letter(answer_url) };
}
