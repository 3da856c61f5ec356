import type { Overview, Person, Session } from "@letterslot/core";
import { CHIPS, shownTime } from "@letterslot/core/internal";
import { showHidden } from "@letterslot/core/mail";
import { html } from "hono/html";
import type { ServerState } from "../../request/context.ts";
import type { Markup } from "../layout.ts";
import { consolePath } from "../onward.ts";

/** What waits for a person, of one kind. */
interface Waiting {
  kind: "approvals" | "questions" | "held";
  items: { title: string; about: string; view: string; account_id: string }[];
  /** There is more than these. */
  more: boolean;
}

/** What waits for a person in all accounts in which they have authority: requests, questions, and mail that is held. */
export async function waitingFor(
  { letterslot }: ServerState,
  person: Person,
  { accounts, inboxes }: Session,
): Promise<Waiting[]> {
  const emails = new Map(inboxes.map(({ id, email }) => [id, email]));
  const overviews = await Promise.all(
    accounts.map(async ({ id: account_id }) => {
      const caller = await letterslot.callerFor(person, "overview.get", { account_id });
      return { account_id, overview: await letterslot.as(caller).overview.get({}) };
    }),
  );
  return KINDS.map((kind) => ({
    kind,
    items: overviews.flatMap(({ account_id, overview }) =>
      itemsOf(overview, emails)[kind].map((item) => ({ ...item, account_id })),
    ),
    more: overviews.some(({ overview }) => overview.more[kind]),
  })).filter(({ items }) => items.length > 0);
}

const KINDS = ["approvals", "questions", "held"] as const;

const itemsOf = (
  { approvals, questions, held }: Overview,
  emails: ReadonlyMap<string, string>,
): Record<Waiting["kind"], Omit<Waiting["items"][number], "account_id">[]> => ({
  approvals: approvals.map(({ id, summary, inbox_id, expires_at }) => ({
    title: summary,
    about: `From ${emails.get(inbox_id) ?? "your agent"}, until ${shownTime(expires_at)}.`,
    view: `/approvals/${id}`,
  })),
  questions: questions.map(({ inbox_id, inbox_email, update: { id, title, text, question } }) => ({
    title: title ?? text,
    about: `From ${inbox_email}${question?.expires_at == null ? "" : `, until ${shownTime(question.expires_at)}`}.`,
    view: `/inboxes/${inbox_id}/agent/question/${id}`,
  })),
  held: held.map(({ inbox_id, thread_id, subject, from, from_name }) => ({
    title: showHidden(subject || "(no subject)"),
    about: `From ${showHidden(from_name ?? from)}, to ${emails.get(inbox_id) ?? "your agent"}.`,
    view: `/inboxes/${inbox_id}/threads/${thread_id}`,
  })),
});

const CHIP: Record<Waiting["kind"], { tone: keyof typeof CHIPS; word: string }> = {
  approvals: { tone: "approval", word: CHIPS.approval.word },
  questions: { tone: "question", word: CHIPS.question.word },
  held: { tone: "problem", word: "Held email" },
};

/** How many, and that there are more than are listed. */
function countOf(waiting: readonly Waiting[]): string {
  const count = waiting.reduce((sum, { items }) => sum + items.length, 0);
  if (waiting.some(({ more }) => more)) return `More than ${count} things wait for you`;
  return count === 1 ? "One thing waits for you" : `${count} things wait for you`;
}

/** What waits for a person, each with a link to where they decide; without a console, that is in its email. */
export function waitingMarkup(state: ServerState, waiting: readonly Waiting[]): Markup {
  const home = consolePath(state);
  const onward = home === undefined ? "" : html`<p><a class="button" href="${home}">Open the console</a></p>`;
  if (waiting.length === 0)
    return html`<h2>Nothing waits for you</h2>
<p>When an agent needs you, you get an email, and it is here too.</p>
${onward}`;
  return html`<h2>${countOf(waiting)}</h2>
${home === undefined ? html`<p class="soft">Open the link in its email to see all of it, and to decide or answer. Held email is released when your agent asks you for it.</p>` : ""}
<ul class="waiting">${waiting.flatMap(({ kind, items }) => items.map((item) => itemMarkup(state, kind, item)))}</ul>
${onward}`;
}

function itemMarkup(state: ServerState, kind: Waiting["kind"], item: Waiting["items"][number]): Markup {
  const { title, about, view, account_id } = item;
  const path = consolePath(state, view, account_id);
  const { tone, word } = CHIP[kind];
  return html`<li><span class="chip ${tone}">${word}</span> ${path === undefined ? html`<strong>${title}</strong>` : html`<a href="${path}">${title}</a>`}<br><span class="soft">${about}</span></li>`;
}
