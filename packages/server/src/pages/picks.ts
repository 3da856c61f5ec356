import { html } from "hono/html";
import type { Markup } from "./layout.ts";

/** A group of choices of which one is picked. */
export function picks(
  title: string,
  name: string,
  choices: readonly (readonly [value: string, label: string])[],
  picked: string | undefined,
): Markup {
  const rows = choices.map(
    ([value, label]) =>
      html`<label class="pick"><input type="radio" name="${name}" value="${value}" required${value === picked ? " checked" : ""}> ${label}</label>`,
  );
  return html`<fieldset><legend>${title}</legend>${rows}</fieldset>`;
}
