import { VOID } from "../reply-extraction/html-parse.ts";
import { escapeLess } from "../reply-extraction/html-rest.ts";
import { MAX_HTML_CHARS } from "../reply-extraction/limits.ts";
import { quietCss } from "./css.ts";
import { ELEMENTS, UNSHOWN, WHOLE } from "./elements.ts";
import { followElements } from "./open-elements.ts";
import type { Pictures } from "./pictures.ts";
import { readTags, type Tag } from "./tag-reader.ts";
import { unmarked, writeTag } from "./write-tag.ts";

/** The names of `meta` elements that a browser reads and that load nothing. */
const META_NAMES = /^(?:viewport|color-scheme|supported-color-schemes)$/i;

/** HTML as it is shown, and whether it says at its beginning how browsers are to read it. */
export interface RenderedHtml {
  doctype: string;
  html: string;
}

/**
 * A mail's HTML as a browser may show it: its own elements, styles and words, without what runs, loads, asks for something
 * or leads away by itself. Links open a page of their own; pictures are those that `pictures` shows. Reads MAX_HTML_CHARS
 * characters; after MAX_HTML_ELEMENTS elements only text is kept. Never throws; linear. However a browser parses the
 * source, the result contains only the tags written here: every other `<` is escaped.
 */
export function renderHtml(html: string, pictures: Pictures): RenderedHtml {
  const out: string[] = [];
  const elements = followElements();
  let doctype = "";
  /** The opening tag and the text of the style sheet that is open. */
  let sheet: { tag: string; css: string } | undefined;

  const endSheet = () => {
    if (sheet === undefined) return;
    out.push(sheet.tag, quietCss(sheet.css, pictures).replaceAll("</", "<\\/"), "</style>");
    sheet = undefined;
  };
  const rest = readTags(unmarked(html.slice(0, MAX_HTML_CHARS)), {
    unshown: UNSHOWN,
    text(source) {
      if (sheet === undefined) out.push(escapeLess(source));
      else sheet.css += source;
    },
    open({ name: said, attributes }) {
      // A form without anything to send is a block like any other.
      const name = said === "form" ? "div" : said;
      if (name === "meta") return void out.push(writeMeta(attributes));
      if (!ELEMENTS.has(name)) return;
      const tag = writeTag(name, attributes, pictures);
      if (name === "style") sheet = { tag, css: "" };
      else if (WHOLE.has(name) || VOID.has(name)) out.push(tag);
      else {
        const ended = elements.open(name);
        if (ended !== undefined) out.push(ended, tag);
      }
    },
    close(said) {
      if (said === "style") return endSheet();
      const name = said === "form" ? "div" : said;
      if (ELEMENTS.has(name) && !WHOLE.has(name)) out.push(elements.close(name));
    },
    doctype(declaration) {
      if (doctype === "") doctype = declaration;
    },
  });
  endSheet();
  return { doctype, html: out.join("") + rest };
}

function writeMeta(given: Tag["attributes"]): string {
  const name = given.get("name") ?? "";
  const content = given.get("content") ?? "";
  return META_NAMES.test(name) && /^[\w\s=.,;-]{0,200}$/.test(content)
    ? `<meta name="${name}" content="${content}">`
    : "";
}
