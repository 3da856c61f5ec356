import type { SimulatedCall, SimulatedText } from "@letterslot/core/testing";
import { html } from "hono/html";
import { type Markup, page } from "../pages/layout.ts";

/** A number of an inbox, with the name of its agent. */
export interface AgentNumber {
  e164: string;
  agent: string;
}

/** The content of the page at `/phone`. */
export interface PhonePage {
  /** The person's own number. */
  me: string;
  numbers: readonly AgentNumber[];
  /** Newest first. */
  happened: readonly (SimulatedText | SimulatedCall)[];
  /** The fingerprint that the next page is compared with, to wait for changes. */
  seen: string;
}

/** The page of `/phone`: the person's current call, their possible actions, and past texts and calls. */
export function phonePage({ me, numbers, happened, seen }: PhonePage): Markup {
  const mine = happened.filter((one) => isCall(one) && isOn(one) && partnerOf(one) === me) as SimulatedCall[];
  const names = new Map(numbers.map(({ e164, agent }) => [e164, `${agent} (${e164})`]));
  const nameOf = (e164: string) => (e164 === me ? `you (${e164})` : (names.get(e164) ?? e164));
  const sheets = mine.map((call) => {
    const agent = nameOf(agentOf(call));
    return html`<div class="sheet" role="group" aria-label="Call with ${agent}">${callMarkup(me, call, agent)}</div>`;
  });
  const events = happened.map((one) => eventMarkup(one, nameOf));
  const content = html`<h1>Phone simulator</h1>
<p class="soft">No telephone provider is configured, so texts and calls stay on this machine. Calls to your number ring for half a minute; all others are answered, except those to a number that ends in 555-0190 (no answer), 555-0191 (fails) or 555-0192 (refused).</p>
${sheets}
<form method="get" action="/phone">
<input type="hidden" name="me" value="${me}">
<button type="submit" name="wait" value="${seen}" class="quiet lone">Wait for the next text or call</button>
</form>
${numbers.length === 0 ? noNumbers : reachForms(me, numbers)}
<h2>What happened</h2>
${events.length === 0 ? html`<p>No texts and no calls yet.</p>` : html`<dl>${events}</dl>`}
<h2>Your number</h2>
<form method="get" action="/phone">
<label for="me">Text and call from</label>
<input id="me" name="me" type="tel" value="${me}" required pattern="\\+1[2-9][0-9]{9}" title="+1 and ten digits">
<button type="submit" class="quiet lone">Use this number</button>
</form>`;
  return page("Phone simulator", content, "wide");
}

const noNumbers = html`<h2>No agent has a number yet</h2>
<p>Get one with <code>POST /api/v1/inboxes/:inbox_id/phone-number</code> and <code>{"area_code": "415"}</code>.</p>`;

function reachForms(me: string, numbers: readonly AgentNumber[]): Markup {
  const choices = numbers.map(({ e164, agent }) => html`<option value="${e164}">${agent} (${e164})</option>`);
  return html`<h2>Text or call an agent</h2>
<form method="post" action="/phone">
<input type="hidden" name="me" value="${me}">
<label for="text-to">Text to</label>
<select id="text-to" name="to">${choices}</select>
<label for="text">Your text</label>
<textarea id="text" name="text" rows="3" maxlength="1600" required></textarea>
<button type="submit" name="act" value="text">Send text</button>
</form>
<form method="post" action="/phone">
<input type="hidden" name="me" value="${me}">
<label for="call-to">Call to</label>
<select id="call-to" name="to">${choices}</select>
<button type="submit" name="act" value="call">Call</button>
</form>`;
}

/** Shows the person's current call: the words they hear, and their possible actions. */
function callMarkup(me: string, call: SimulatedCall, agent: string): Markup {
  const fields = html`<input type="hidden" name="me" value="${me}"><input type="hidden" name="call" value="${call.id}">`;
  if (call.status === "queued") return html`<p>${agent} is calling you.</p>`;
  if (call.status === "ringing")
    return html`<p><strong>${agent} calls you.</strong></p>
<form method="post" action="/phone">${fields}
<button type="submit" name="act" value="answer">Answer</button>
<button type="submit" name="act" value="decline" class="quiet">Don't answer</button>
</form>`;
  const recorded = call.recording_seconds !== null && call.said === null;
  return html`<p>You are on the phone with <strong>${agent}</strong>.</p>
<p>You hear:</p><p class="said"><q>${call.heard}</q></p>
${
  recorded
    ? html`<form method="post" action="/phone">${fields}
<label for="say-${call.id}">After the beep you say</label>
<textarea id="say-${call.id}" name="text" rows="3" maxlength="1000" required></textarea>
<button type="submit" name="act" value="speak">Say it and hang up</button>
</form>`
    : ""
}
<form method="post" action="/phone">${fields}
<button type="submit" name="act" value="hang_up" class="quiet lone">Hang up</button>
</form>`;
}

function eventMarkup(one: SimulatedText | SimulatedCall, nameOf: (e164: string) => string): Markup {
  const ends = `from ${nameOf(one.from)} to ${nameOf(one.to)}`;
  const time = `${one.at.slice(11, 19)} UTC`;
  if (!isCall(one))
    return html`<dt>Text ${ends}</dt><dd class="said">${one.text}</dd><dd class="soft">${one.status}, ${time}</dd>`;
  const said = one.said === null ? "" : html`<dd class="said">Recorded: <q>${one.said}</q></dd>`;
  const detail = one.detail === "" ? "" : html`<dd>${one.detail}</dd>`;
  const lasted = one.duration_seconds === null ? "" : ` after ${one.duration_seconds} s`;
  return html`<dt>Call ${ends}</dt>
${one.answered_at === null ? "" : html`<dd class="said">Heard: <q>${one.heard}</q></dd>`}${said}${detail}
<dd class="soft">${one.status}${lasted}, ${time}</dd>`;
}

const isCall = (one: SimulatedText | SimulatedCall): one is SimulatedCall => "heard" in one;

const isOn = ({ status }: SimulatedCall): boolean =>
  status === "queued" || status === "ringing" || status === "in-progress";

const agentOf = ({ placed_by, from, to }: SimulatedCall): string => (placed_by === "service" ? from : to);

const partnerOf = ({ placed_by, from, to }: SimulatedCall): string => (placed_by === "service" ? to : from);
