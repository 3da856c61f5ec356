import { html } from "hono/html";
import type { Markup } from "../pages/layout.ts";
import { boundsOf, type DocumentedField, fieldsOf, objectIn } from "./fields.ts";
import { type Components, referenceOf, resolved, type Schema } from "./schemas.ts";

const MAX_DEPTH = 4;

/** Returns rows for fields, each with its type, its description, and the fields within it. */
export function fieldRows(fields: readonly DocumentedField[], components: Components, depth = 0): Markup[] {
  return fields.map(({ name, description, schema, note }) => {
    const fallback = schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`;
    const notes = [note, fallback, boundsOf(schema)].filter((each) => each !== "").join(", ");
    return html`<div class="field"><span class="name"><code>${name}</code></span> ${typeMarkup(schema)} <span class="soft">${notes}</span>
${description === undefined ? "" : html`<p>${prose(description)}</p>`}${within(schema, components, depth)}</div>`;
  });
}

/** The fields of an object within a field, to be opened; a record has a section of its own instead. */
function within(schema: Schema, components: Components, depth: number): Markup | string {
  const object = objectIn(schema);
  if (object?.properties === undefined || depth >= MAX_DEPTH) return "";
  const rows = fieldRows(fieldsOf(resolved(object, components), "answer"), components, depth + 1);
  return html`<details class="within"><summary>Its fields</summary>${rows}</details>`;
}

/** A schema's type in words; records are links to their section. */
export function typeMarkup(schema: Schema): Markup {
  const record = referenceOf(schema);
  if (record !== undefined)
    return html`<a href="${record === "Event" ? "#events" : `#record-${record}`}">${record}</a>`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined)
    return html`${options.map((option, index) => html`${index === 0 ? "" : " or "}${typeMarkup(option)}`)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return html`${schema.enum.map((word, index) => html`${index === 0 ? "" : " | "}<code>${String(word)}</code>`)}`;
  const types = [schema.type ?? "any JSON"].flat();
  if (types.includes("array")) return html`array of ${typeMarkup(schema.items ?? {})}`;
  return html`${types.join(" or ")}${schema.format === "date-time" ? " (time)" : ""}`;
}

/** A sentence in which words between backticks are code. */
export function prose(text: string): Markup[] {
  return text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
}
