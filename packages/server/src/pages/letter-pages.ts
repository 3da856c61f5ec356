import type { LetterslotError, OwnerPreferences, QuestionReview } from "@letterslot/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { Edge, ServerEnv } from "../request/context.ts";
import { answeredPage, questionPage } from "./answer-markup.ts";
import { type Markup, page } from "./layout.ts";
import { noteEndedPage, noteEndPage } from "./lifecycle-markup.ts";
import { styleFields, stylePage } from "./style-markup.ts";
import { mountTokenPage } from "./token-pages.ts";

/**
 * The pages behind the links of reports and notes: the owner's own page, the answer to a question, the end of
 * the weekly note.
 */
export function mountLetterPages(app: Hono<ServerEnv>, edge: Edge): void {
  mountTokenPage<OwnerPreferences>(app, edge, {
    path: "/api/v1/owners/style",
    show: "owners.preferences",
    act: "owners.choose",
    fieldsOf: styleFields,
    render: (shown, token) => stylePage(shown, token),
    done: (shown, token) => stylePage(shown, token, true),
    failed,
  });
  mountTokenPage<QuestionReview>(app, edge, {
    path: "/api/v1/owners/answer",
    show: "questions.review",
    act: "questions.answer",
    fieldsOf: ({ value = "" }) => ({ value }),
    render: (shown, token, { value }) => questionPage(shown, token, value),
    done: answeredPage,
    failed,
  });
  mountTokenPage<{ lifecycle_emails: "on" | "off" }>(app, edge, {
    path: "/api/v1/lifecycle/unsubscribe",
    show: "lifecycle.subscription",
    act: "lifecycle.unsubscribe",
    fieldsOf: () => ({}),
    render: noteEndPage,
    done: noteEndedPage,
    failed,
  });
}

/** Says what went wrong. */
function failed({ message, fix }: LetterslotError): Markup {
  return page(
    "This did not work",
    html`<div class="sheet"><h1>This did not work</h1><p class="bad" role="alert">${message} ${fix}</p></div>`,
  );
}
