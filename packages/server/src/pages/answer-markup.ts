import type { LetterslotError, QuestionReview } from "@letterslot/core";
import { shownTime } from "@letterslot/core/internal";
import { html } from "hono/html";
import { agentName, type Markup, page, radioGroup, whoMarkup } from "./layout.ts";

const YES_OR_NO = [
  ["yes", "Yes"],
  ["no", "No"],
] as const;

/**
 * The page of a question, with the answer of the clicked button filled in but not sent; after an answer that was not
 * understood, with what was written and what would be understood.
 */
export function questionPage(
  review: QuestionReview,
  token: string,
  value = "",
  problem?: Pick<LetterslotError, "message" | "fix">,
): Markup {
  if (review.state !== "open") return closedPage(review);
  const { owner_email, title, text, question } = review;
  const until = question.expires_at === null ? "" : `You can answer until ${shownTime(question.expires_at)}.`;
  const otherwise =
    question.default === null ? "" : ` Without an answer, it will be: ${valueText(question.default)}.`;
  return page(
    title ?? "A question from your agent",
    html`<div class="sheet">
${whoMarkup(review)}
<h1>${title ?? "A question from your agent"}</h1>
<p class="soft">From your software agent ${agentName(review)}, to ${owner_email}.</p>
<p class="said">${text}</p>
<form method="post" action="answer">
<input type="hidden" name="token" value="${token}">
${problem === undefined ? "" : html`<p class="bad" role="alert">${problem.message} ${problem.fix}</p>`}
${field(question, value)}
<button type="submit">Send this answer</button>
</form>
<p class="soft">${until}${otherwise}</p>
</div>`,
  );
}

/** Confirms that the answer was sent, and says what becomes of it. */
export const answeredPage = (review: QuestionReview, onward: Markup): Markup =>
  page(
    "Your answer was sent",
    html`<div class="sheet">
${whoMarkup(review)}
<h1>Your answer was sent</h1>
${answerMarkup(review)}
<p>Your agent has it now, and goes on with it. If you change your mind, reply to the email: your agent reads that too.</p>
${onward}
</div>`,
  );

function closedPage(review: QuestionReview): Markup {
  const answered = review.state === "answered";
  const title = answered ? "This question was answered" : "The time to answer is over";
  return page(
    title,
    html`<div class="sheet">
${whoMarkup(review)}
<h1>${title}</h1>
${answerMarkup(review)}
<p>${answered ? "Your agent has it." : review.question.default === null ? "Your agent goes on without an answer." : `Your agent goes on with what it had planned for that: ${valueText(review.question.default)}.`} If you want to add something, reply to the email: your agent will read it.</p>
</div>`,
  );
}

const answerMarkup = ({ answer }: QuestionReview): Markup =>
  answer?.value == null ? html`` : html`<p>The answer: <strong>${valueText(answer.value)}</strong></p>`;

function field({ type, options }: QuestionReview["question"], value: string): Markup {
  if (type === "yes_no") return radioGroup("Your answer", "value", YES_OR_NO, value);
  if (type === "choice")
    return radioGroup(
      "Your answer",
      "value",
      (options ?? []).map((option) => [option, option] as const),
      value,
    );
  if (type === "number")
    return html`<label for="value">Your answer (a number)</label><input id="value" name="value" inputmode="decimal" value="${value}" required>`;
  if (type === "date")
    return html`<label for="value">Your answer (a date)</label><input id="value" name="value" type="date" value="${value}" required>`;
  return html`<label for="value">Your answer</label><textarea id="value" name="value" rows="5" maxlength="4000" required>${value}</textarea>`;
}

const valueText = (value: string | number | boolean): string =>
  value === true ? "Yes" : value === false ? "No" : String(value);
