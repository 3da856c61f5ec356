import { html } from "hono/html";
import type { Markup } from "../pages/layout.ts";
import type { Content, DocumentedOperation } from "./document.ts";
import { type DocumentedField, describedBy, fieldRows, fieldsOf, prose, typeMarkup } from "./field-markup.ts";
import { type Components, referenceOf } from "./schemas.ts";

/** The section of one operation: what it does, what it takes, what it answers, its errors and how to call it. */
export function operationSection(
  method: string,
  path: string,
  operation: DocumentedOperation,
  components: Components,
): Markup {
  const { operationId: name, summary, description, "x-codeSamples": samples, "x-errors": errors } = operation;
  const fields = requestFields(operation);
  return html`<section class="entry" id="${name}">
<h3><a href="#${name}">${name}</a></h3>
<p class="path"><code><span class="method">${method.toUpperCase()}</span> ${path}</code></p>
<p>${prose(summary)}</p>
<p><strong>When to use it:</strong> ${prose(description)}</p>
<p class="soft">${accessOf(operation)}</p>
${fields.length === 0 ? "" : html`<h4>Request</h4>${fieldRows(fields, components)}`}
<h4>Answer</h4>
${answer(operation, components)}
${errors.length === 0 ? "" : html`<h4>Errors</h4><ul class="list">${errors.map((code) => html`<li><a href="#${code}"><code>${code}</code></a></li>`)}</ul>`}
<p class="soft">Any call may also answer with the <a href="#errors">errors that all calls share</a>.</p>
${samples.map(({ label, source }) => html`<h4>${label}</h4>${codeBlock(source)}`)}
</section>`;
}

/** Code that can be copied. */
export const codeBlock = (text: string): Markup =>
  html`<div class="code"><pre tabindex="0">${text}</pre></div>`;

function requestFields({ parameters, requestBody }: DocumentedOperation): DocumentedField[] {
  const outside = parameters.map(({ name, in: place, required, description, schema }) => ({
    name,
    description,
    schema,
    note: required ? `${place}, required` : place,
  }));
  const { content = {} } = requestBody ?? {};
  const { schema: body = {} } =
    content["application/json"] ?? content["application/x-www-form-urlencoded"] ?? {};
  const inBody = fieldsOf(body, "request").map((field) => ({
    ...field,
    note: field.note === "" ? "body" : `body, ${field.note}`,
  }));
  return [...outside, ...inBody].toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** What must be sent comes first, and headers last. */
function rankOf({ note }: DocumentedField): number {
  if (note.endsWith("required")) return note.startsWith("path") ? 0 : 1;
  return note === "header" ? 3 : 2;
}

function answer({ responses }: DocumentedOperation, components: Components): Markup {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [[, first] = []] = successes;
  const content = first?.content ?? {};
  return html`${successes.map(([status, { description }]) => html`<p><code>${status}</code> ${prose(description ?? "")}</p>`)}
${Object.entries(content).map(([type, { schema, example }]) => answerBody(type, { schema, example }, components))}`;
}

function answerBody(type: string, { schema, example }: Content[string], components: Components): Markup {
  if (type !== "application/json") return html`<p>${ANSWERS_BY_TYPE[type] ?? type}</p>`;
  const isRecord = referenceOf(schema) !== undefined || schema.anyOf !== undefined;
  const said = describedBy(schema);
  return html`${isRecord ? html`<p>${typeMarkup(schema)}</p>` : html`${said === undefined ? "" : html`<p>${prose(said)}</p>`}${fieldRows(fieldsOf(schema, "answer"), components)}`}
<details><summary>A sample</summary>${codeBlock(JSON.stringify(example, null, 2))}</details>`;
}

const ANSWERS_BY_TYPE: Record<string, string> = {
  "*/*": "The bytes of the file.",
  "text/event-stream":
    "Server-sent events, each with an event as its data; the id is the cursor to continue at.",
};

function accessOf({ security, parameters, "x-permissions": permissions }: DocumentedOperation): string {
  const ways = security.map((way) => ("api_key" in way ? KEY : "session" in way ? SESSION : NOTHING));
  const permission = permissions === undefined ? "" : ` Permission: ${permissions.join(" or ")}.`;
  const repeats = parameters.some(({ name }) => name === "Idempotency-Key");
  return `Called ${ways.join(", or ")}.${permission}${repeats ? " Supports Idempotency-Key." : ""}`;
}

const KEY = "with an API key";
const SESSION = "in an owner's session";
const NOTHING = "without credentials";
