import { hash, randomUUID } from "node:crypto";
import { LetterslotError, LIMITS, type OwnerCaller, type Person } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { ownerCallerOf, personOf } from "../request/session.ts";
import { CODE_FIELD, inSession } from "./ask-code.ts";
import { agentName, type Markup, page, whoMarkup } from "./layout.ts";
import { answerForm, answerPage, type Form, pick } from "./page-request.ts";

const PAGE = "/api/v1/owners/write";

/** An agent that a person may write to. */
interface Agent {
  id: string;
  inbox_email: string;
  inbox_display_name: string | null;
}

/** A text that wasn't sent and is shown again, with the reason. */
interface Unsent {
  fields: Record<string, unknown>;
  problem: LetterslotError;
}

/** Mounts the page on which a person writes to their agent, after they have signed in. */
export function mountWritePage(app: Hono<ServerEnv>, state: ServerState): void {
  app.get(PAGE, (c) =>
    answerPage(c, state, async () => {
      const person = await personOf(c, state);
      return person === undefined ? emailPage() : formPage(c, state, person);
    }),
  );
  app.post(PAGE, (c) => answerForm(c, state, (form) => afterButton(c, state, form)));
  refuseOtherMethods(app, PAGE);
}

async function afterButton(c: ServerContext, state: ServerState, form: Form): Promise<Markup> {
  const email = (form["email"] ?? "").trim().toLowerCase();
  const fields = pick(form, ["email", "inbox_id", "text", "client_id", CODE_FIELD]);
  const act = { operation: "ownerMessages.create", email, form: fields as Record<string, string> };
  const caller = await inSession(c, state, act);
  if ("page" in caller) return caller.page;
  if (form["text"] === undefined) return formPage(c, state, caller);
  const { inbox_id = "", client_id } = form;
  const text = form["text"].replaceAll("\r\n", "\n");
  // The form sent again is the same message; other words in it, after a way back, are another one.
  const same = client_id === undefined ? {} : { client_id: hash("sha256", `${client_id}\n${text}`) };
  try {
    // Before anything is stored: what fails after that would ask for the message again.
    const agent = (await agentsOf(c, state, caller)).find(({ id }) => id === inbox_id);
    if (agent === undefined) throw fail("inbox_not_found");
    await state.letterslot.as(caller).ownerMessages.create({ inbox_id, text, ...same });
    return await sentPage(email, agent);
  } catch (error) {
    if (!(error instanceof LetterslotError)) throw error;
    return formPage(c, state, caller, { fields: { ...fields, text }, problem: error });
  }
}

/** The agents that a person may write to: those whose owner they are, and those that they have charge of. */
async function agentsOf(
  c: ServerContext,
  state: ServerState,
  person: Person | OwnerCaller,
): Promise<Agent[]> {
  const caller = await ownerCallerOf(c, state, person, "sessions.get");
  const [{ inboxes }, { accounts }] = await Promise.all([
    state.letterslot.as(caller).sessions.get({}),
    state.letterslot.choicesOf(person),
  ]);
  const agents = new Map<string, Agent>();
  for (const { id, email } of inboxes) agents.set(id, { id, inbox_email: email, inbox_display_name: null });
  for (const { id, email, display_name } of accounts.flatMap((account) => account.inboxes))
    agents.set(id, { id, inbox_email: email, inbox_display_name: display_name });
  return [...agents.values()].toSorted((a, b) => (a.inbox_email < b.inbox_email ? -1 : 1));
}

const emailPage = (): Markup =>
  page(
    "Write to your agent",
    html`<div class="sheet">
<h1>Write to your agent</h1>
<p>Sign in first, so that your agent knows that it is you.</p>
<form method="post" action="write">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button type="submit">Email me a code</button>
</form>
</div>`,
  );

async function formPage(
  c: ServerContext,
  state: ServerState,
  person: Person | OwnerCaller,
  unsent?: Unsent,
): Promise<Markup> {
  const agents = await agentsOf(c, state, person);
  const [only] = agents;
  if (only === undefined) return nobodyPage(person.email);
  const { fields = {}, problem } = unsent ?? {};
  const chosen = fields["inbox_id"] ?? c.req.query("inbox_id");
  const to =
    agents.length === 1
      ? html`${whoMarkup(only)}<input type="hidden" name="inbox_id" value="${only.id}">`
      : html`<label for="inbox_id">To</label>
<select id="inbox_id" name="inbox_id">
${agents.map((agent) => html`<option value="${agent.id}"${agent.id === chosen ? " selected" : ""}>${agentName(agent)}</option>`)}
</select>`;
  return page(
    "Write to your agent",
    html`<div class="sheet">
<h1>Write to your agent</h1>
${problem === undefined ? "" : html`<p class="bad" role="alert">${problem.message} ${problem.fix}</p>`}
<form method="post" action="write">
<input type="hidden" name="email" value="${person.email}">
<input type="hidden" name="client_id" value="${fields["client_id"] ?? randomUUID()}">
${to}
<label for="text">What should it do, or know?</label>
<textarea id="text" name="text" rows="7" maxlength="${LIMITS.owner_message_chars}" required>
${fields["text"] ?? ""}</textarea>
<button type="submit">Send</button>
</form>
<p class="soft">You are signed in as ${person.email}. Your agent gets this as a task from you, and answers by email to that address.</p>
</div>`,
  );
}

const nobodyPage = (email: string): Markup =>
  page(
    "Write to your agent",
    html`<div class="sheet">
<h1>You have no agent here yet</h1>
<p>You are signed in as <strong>${email}</strong>, and no agent has you as its owner.</p>
<p><a href="pair">Let an agent in</a></p>
</div>`,
  );

const sentPage = (email: string, agent: Agent): Markup =>
  page(
    "Your message was sent",
    html`<div class="sheet">
${whoMarkup(agent)}
<h1>Your message was sent</h1>
<h2>What happens next</h2>
<p>${agentName(agent)} has a new task from you, and begins with it as soon as its program looks for work.</p>
<p>Its answers and questions come to <strong>${email}</strong>. You can reply to those emails, or write here again.</p>
<p><a href="write?inbox_id=${agent.id}">Write another message</a></p>
</div>`,
  );
