import { html } from "hono/html";
import type { Markup } from "../pages/layout.ts";
import type { DocumentedOperation } from "./document.ts";
import { fieldRows, prose, typeMarkup } from "./field-markup.ts";
import { describedBy, fieldsOf, isOfRecords } from "./fields.ts";
import { ANSWERS_BY_TYPE, accessOf, requestFields } from "./operation-facts.ts";
import type { Components, Schema } from "./schemas.ts";

/** Returns the section of one operation: its description, input, answer and errors, and examples. */
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

function answer({ responses }: DocumentedOperation, components: Components): Markup {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return html`${successes.map(
    ([status, { description = "", content = {} }]) =>
      html`<p><code>${status}</code> ${prose(description)}</p>
${Object.entries(content).map(([type, body]) => answerBody(type, body, components))}`,
  )}`;
}

function answerBody(
  type: string,
  { schema, example }: { schema: Schema; example?: unknown },
  components: Components,
): Markup {
  if (type !== "application/json") return html`<p>${ANSWERS_BY_TYPE[type] ?? type}</p>`;
  const isRecord = isOfRecords(schema);
  const said = describedBy(schema);
  return html`${isRecord ? html`<p>${typeMarkup(schema)}</p>` : html`${said === undefined ? "" : html`<p>${prose(said)}</p>`}${fieldRows(fieldsOf(schema, "answer"), components)}`}
<details><summary>A sample</summary>${codeBlock(JSON.stringify(example, null, 2))}</details>`;
}
