import type { QuestionReview } from "@letterslot/core";
import { html } from "hono/html";
import { type Markup, page } from "./layout.ts";
import { picks } from "./picks.ts";

/**
 * The page of a question: all that was asked, and the answer that the letter's button named, filled in but
 * not sent.
 */
export function questionPage(shown: QuestionReview, token: string, value = ""): Markup {
  if (shown.state !== "open") return closedPage(shown);
  const { inbox_email, inbox_display_name, owner_email, title, text, question } = shown;
  const who = inbox_display_name === null ? inbox_email : `${inbox_display_name} (${inbox_email})`;
  const until =
    question.expires_at === null ? "" : `You can answer until ${minuteOf(question.expires_at)} UTC.`;
  const otherwise =
    question.default === null ? "" : ` Without your answer it is: ${shownValue(question.default)}.`;
  return page(
    title ?? "Your agent asks you",
    html`<div class="sheet">
<h1>${title ?? "Your agent asks you"}</h1>
<p class="soft">Your software agent ${who} asks you, ${owner_email}.</p>
<p class="said">${text}</p>
<form method="post" action="answer">
<input type="hidden" name="token" value="${token}">
${field(question, value)}
<button type="submit">Send this answer</button>
</form>
<p class="soft">${until}${otherwise}</p>
</div>`,
  );
}

/** Said when the answer is sent. */
export const answeredPage = ({ answer }: QuestionReview): Markup =>
  page(
    "Your answer is sent",
    html`<div class="sheet"><h1>Your answer is sent</h1><p>${answer?.value == null ? "" : shownValue(answer.value)}</p><p>You can close this page. If you change your mind, reply to the letter.</p></div>`,
  );

function closedPage({ state, answer }: QuestionReview): Markup {
  const title = state === "answered" ? "This question is answered" : "The time to answer is over";
  const said = answer?.value == null ? "" : html`<p>It was: <strong>${shownValue(answer.value)}</strong></p>`;
  return page(
    title,
    html`<div class="sheet"><h1>${title}</h1>${said}<p>If you have more to say, reply to the letter: your agent reads it.</p></div>`,
  );
}

function field({ type, options }: QuestionReview["question"], value: string): Markup {
  if (type === "yes_no")
    return picks(
      "Your answer",
      "value",
      [
        ["yes", "Yes"],
        ["no", "No"],
      ],
      value,
    );
  if (type === "choice")
    return picks(
      "Your answer",
      "value",
      (options ?? []).map((option) => [option, option] as const),
      value,
    );
  if (type === "number")
    return html`<label for="value">Your answer, a number</label><input id="value" name="value" inputmode="decimal" required pattern="[+\\-]?[0-9]+([.,][0-9]+)?" title="A number such as 12 or 12.5">`;
  if (type === "date")
    return html`<label for="value">Your answer, a date</label><input id="value" name="value" type="date" required>`;
  return html`<label for="value">Your answer</label><textarea id="value" name="value" rows="5" maxlength="4000" required></textarea>`;
}

const shownValue = (value: string | number | boolean): string =>
  value === true ? "Yes" : value === false ? "No" : String(value);

const minuteOf = (time: string): string => time.slice(0, 16).replace("T", " ");
