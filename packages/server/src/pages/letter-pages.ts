import type { ForwardingConfirmation, OwnerPreferences, QuestionReview } from "@letterslot/core";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { answeredPage, questionPage } from "./answer-markup.ts";
import { forwardingPage } from "./forwarding-markup.ts";
import { type Markup, page } from "./layout.ts";
import { onwardMarkup } from "./onward.ts";
import { styleFields, stylePage } from "./style-markup.ts";
import { mountTokenPage } from "./token-pages.ts";

type LifecycleEmails = { lifecycle_emails: "on" | "off"; account_name: string };

/**
 * Mounts the pages linked from letters: an owner's preferences, the answer to a question, and unsubscribing
 * from the weekly product note.
 */
export function mountLetterPages(app: Hono<ServerEnv>, state: ServerState): void {
  mountTokenPage<OwnerPreferences>(app, state, {
    path: "/api/v1/owners/style",
    show: "owners.preferences",
    act: "owners.choose",
    fieldsOf: styleFields,
    readerOf: ({ email }) => email,
    render: (shown, token) => stylePage(shown, token),
    done: (shown, token) => stylePage(shown, token, true),
  });
  mountTokenPage<QuestionReview>(app, state, {
    path: "/api/v1/owners/answer",
    show: "questions.review",
    act: "questions.answer",
    fieldsOf: ({ value = "" }) => ({ value }),
    readerOf: ({ owner_email }) => owner_email,
    render: (shown, token, { value }) => questionPage(shown, token, value),
    done: (shown) => answeredPage(shown, onwardMarkup(state)),
    mends: {
      code: "invalid_answer",
      render: (shown, token, { value }, problem) => questionPage(shown, token, value, problem),
    },
  });
  mountTokenPage<ForwardingConfirmation>(app, state, {
    path: "/api/v1/forwarding/confirm",
    show: "forwarding.confirmation",
    act: "forwarding.confirm",
    fieldsOf: ({ code = "" }) => ({ code }),
    readerOf: ({ email }) => email,
    render: (shown, token) => forwardingPage(shown, token),
    done: (shown, token) => forwardingPage(shown, token),
    mends: {
      code: "forwarding_code_invalid",
      render: (shown, token, _form, problem) => forwardingPage(shown, token, problem),
    },
  });
  mountTokenPage<LifecycleEmails>(app, state, {
    path: "/api/v1/lifecycle/unsubscribe",
    show: "lifecycle.subscription",
    act: "lifecycle.unsubscribe",
    fieldsOf: () => ({}),
    render: stopNotePage,
    done: noteStoppedPage,
  });
}

function stopNotePage(shown: LifecycleEmails, token: string): Markup {
  if (shown.lifecycle_emails === "off") return noteStoppedPage(shown);
  return page(
    "Stop the weekly note",
    html`<div class="sheet">
<h1>Stop the weekly product note?</h1>
<p>It comes once a week to your agents at <strong>${shown.account_name}</strong>. Other mail is not affected.</p>
<form method="post" action="unsubscribe">
<input type="hidden" name="token" value="${token}">
<button type="submit">Stop the note</button>
</form>
</div>`,
  );
}

const noteStoppedPage = ({ account_name }: LifecycleEmails): Markup =>
  page(
    "The weekly note has stopped",
    html`<div class="sheet">
<h1>The weekly note has stopped</h1>
<p>It comes no more to your agents at <strong>${account_name}</strong>; all their other mail does. Whoever set them up can have it sent again.</p>
</div>`,
  );
