import { Tokenizer } from "htmlparser2";
import { VOID } from "../reply-extraction/html-parse.ts";
import { escapeLess, restOf } from "../reply-extraction/html-rest.ts";
import { MAX_HTML_CHARS, MAX_HTML_ELEMENTS } from "../reply-extraction/limits.ts";
import { quietCss } from "./css.ts";
import { ELEMENTS, UNSHOWN, WHOLE } from "./elements.ts";
import { followElements } from "./open-elements.ts";
import type { Pictures } from "./pictures.ts";
import { type Attribute, firstOfEach, unmarked, writeTag } from "./write-tag.ts";

const DOCTYPE = /^<!doctype html[^<>]*>$/i;
/** What a mail says of itself that a browser reads and that loads nothing. */
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
  const source = unmarked(html.slice(0, MAX_HTML_CHARS));
  const out: string[] = [];
  const elements = followElements();
  let doctype = "";
  let name = "";
  let attributes: Attribute[] = [];
  let value = "";
  let count = 0;
  let rest = "";
  /** The element that is open and of which nothing is shown. */
  let unshown = "";
  /** The opening tag and the text of the style sheet that is open. */
  let sheet: { tag: string; css: string } | undefined;
  /** The words of the source that are not in `out` yet: their start and end. */
  let text_start = 0;
  let text_end = 0;

  const addText = (from: number, to: number) => {
    if (unshown !== "") return;
    if (from !== text_end) {
      endText();
      text_start = from;
    }
    text_end = to;
  };
  const endText = () => {
    const text = source.slice(text_start, Math.max(text_start, text_end));
    text_start = text_end;
    if (sheet !== undefined) sheet.css += text;
    else if (text !== "") out.push(escapeLess(text));
  };
  const endSheet = () => {
    if (sheet === undefined) return;
    out.push(sheet.tag, quietCss(sheet.css, pictures).replaceAll("</", "<\\/"), "</style>");
    sheet = undefined;
  };
  const openTag = (closes: boolean) => {
    // When stopped within a tag, the tokenizer still reports its end.
    if (unshown !== "" || count > MAX_HTML_ELEMENTS) return;
    if (UNSHOWN.has(name)) {
      if (!closes) unshown = name;
      return;
    }
    if (name === "meta") return void out.push(writeMeta(attributes));
    // A form without anything to send is a block like any other.
    if (name === "form") name = "div";
    if (!ELEMENTS.has(name)) return;
    const tag = writeTag(name, attributes, pictures);
    if (name === "style") sheet = { tag, css: "" };
    else if (WHOLE.has(name) || VOID.has(name)) out.push(tag);
    else {
      const ended = elements.open(name);
      if (ended !== undefined) out.push(ended, tag);
    }
  };
  const closeTag = (closed: string) => {
    if (unshown !== "") {
      if (unshown === closed) unshown = "";
      return;
    }
    if (closed === "style") return endSheet();
    const written = closed === "form" ? "div" : closed;
    if (ELEMENTS.has(written) && !WHOLE.has(written)) out.push(elements.close(written));
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: addText,
      // A reference has no other ampersand, so its source begins at the last one. Some references encode two
      // characters.
      ontextentity(_codepoint, end) {
        if (end > text_end) addText(source.lastIndexOf("&", end - 1), end);
      },
      onopentagname(from, to) {
        endText();
        count += 1;
        if (count > MAX_HTML_ELEMENTS) {
          rest = restOf(source, from - 1);
          return tokenizer.pause();
        }
        name = source.slice(from, to).toLowerCase();
        attributes = [];
      },
      onattribname(from, to) {
        attributes.push([source.slice(from, to).toLowerCase(), ""]);
        value = "";
      },
      onattribdata(from, to) {
        value += source.slice(from, to);
      },
      onattribentity(codepoint) {
        value += String.fromCodePoint(codepoint);
      },
      onattribend() {
        const last = attributes.at(-1);
        if (last !== undefined) last[1] = unmarked(value);
      },
      onopentagend: () => openTag(false),
      onselfclosingtag: () => openTag(true),
      onclosetag(from, to) {
        endText();
        closeTag(source.slice(from, to).toLowerCase());
      },
      ondeclaration(from, to) {
        endText();
        const declaration = source.slice(source.lastIndexOf("<", from), to + 1);
        if (doctype === "" && DOCTYPE.test(declaration)) doctype = declaration;
      },
      oncdata: () => undefined,
      oncomment: endText,
      onprocessinginstruction: endText,
      onend: () => undefined,
      isInForeignContext: () => unshown === "svg" || unshown === "math",
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  endText();
  endSheet();
  return { doctype, html: out.join("") + rest };
}

function writeMeta(attributes: readonly Attribute[]): string {
  const given = firstOfEach(attributes);
  const name = given.get("name") ?? "";
  const content = given.get("content") ?? "";
  return META_NAMES.test(name) && /^[\w\s=.,;-]{0,200}$/.test(content)
    ? `<meta name="${name}" content="${content}">`
    : "";
}
