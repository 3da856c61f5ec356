import { Tokenizer } from "htmlparser2";
import { escapeLess, restOf } from "./html-rest.ts";
import { MAX_HTML_CHARS, MAX_HTML_ELEMENTS } from "./limits.ts";

/** Elements that show words and pictures. Others are reduced to their content, unless they are `UNSHOWN`. */
const ELEMENTS = named(
  "a abbr address article aside b bdi bdo big blockquote body br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr html i img ins kbd li main mark nav o:p ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr",
);
/** Elements whose content isn't shown either. */
const UNSHOWN = named("script style title");
const ATTRIBUTES =
  /^(?:abbr|align|alt|bgcolor|border|cellpadding|cellspacing|cite|class|clear|color|cols?pan|compact|data-[\w-]+|aria-[a-z-]+|datetime|dir|face|frame|headers|height|hspace|id|lang|name|noshade|nowrap|open|rel|reversed|role|rowspan|rules|scope|size|span|start|summary|target|title|type|valign|value|vspace|width|xmlns(?::\w+)?)$/;
/** The allowed targets of a link, none of which runs anything. A link without a scheme leads nowhere from a mail. */
const LINK = /^(?:(?:https?|mailto|tel|sms|cid|mid|ftp):|[^:]*(?:[/?#]|$))/i;
/** Pictures that come with the mail. */
const PICTURE = /^(?:cid:|data:image\/(?:png|gif|jpe?g|webp|avif|bmp)[;,])/i;
/** The parts of a style that load or run something, or that could conceal doing so. */
const LOADS = /url|image|src|expression|behavior|binding|element|cross-fade|paint|[\\<]|\/\*/i;
/** White space and controls, which browsers skip in a URL. */
const SKIPPED_IN_URL = /[\u0000-\u0020\u007f-\u00a0]+/g;
/** A tag as a program writes it: it may stay byte for byte if nothing in it has to be removed. */
const PLAIN_TAG =
  /^<[a-z][a-z0-9:]*(?:\s+[a-z][a-z0-9:_-]*(?:\s*=\s*(?:"[^"<>`]*"|'[^'<>`]*'|[^\s"'<>=`]+))?)*\s*\/?>$/i;
const BARE_TAG = /^<[a-z][a-z0-9:]*[ \t\r\n]{0,9}\/?>$/i;
const MAX_PLAIN_TAG_CHARS = 4_000;
const DOCTYPE = /^<!doctype html[^<>]*>$/i;

/** An attribute: its name in lower case and its value without character references. */
type Attribute = [name: string, value: string];

/**
 * HTML that loads and runs nothing in whatever reads it: no script, style sheet, form, event handler or remote image,
 * and no comment. Everything that shows words stays, byte for byte where possible; a remote image becomes its text.
 * Reads MAX_HTML_CHARS characters; after MAX_HTML_ELEMENTS elements only text is kept. Never throws; linear. However a
 * browser parses the source, the result contains only the tags written here: every other `<` is escaped.
 */
export function safeHtml(html: string): string {
  const source = html.slice(0, MAX_HTML_CHARS);
  const out: string[] = [];
  let start = 0;
  let name = "";
  let attributes: Attribute[] = [];
  let value = "";
  let elements = 0;
  let rest = "";
  let unshown = "";
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
    if (text_end > text_start) out.push(escapeLess(source.slice(text_start, text_end)));
    text_start = text_end;
  };
  const openTag = (end: number, closes: boolean) => {
    // When stopped within a tag, the tokenizer still reports its end.
    if (unshown !== "" || elements > MAX_HTML_ELEMENTS) return;
    if (UNSHOWN.has(name)) {
      if (!closes) unshown = name;
      return;
    }
    if (name === "img" && !attributes.some(isPicture)) {
      out.push(escapeAttribute(attributes.find(([attribute]) => attribute === "alt")?.[1] ?? ""));
      return;
    }
    if (ELEMENTS.has(name)) out.push(writeTag(source.slice(start, end), name, attributes));
  };
  const closeTag = (closed: string) => {
    if (unshown === closed) unshown = "";
    else if (unshown === "" && ELEMENTS.has(closed)) out.push(`</${closed}>`);
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
        elements += 1;
        start = from - 1;
        if (elements > MAX_HTML_ELEMENTS) {
          rest = restOf(source, start);
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
        if (last !== undefined) last[1] = value;
      },
      onopentagend: (end) => openTag(end + 1, false),
      onselfclosingtag: (end) => openTag(end + 1, true),
      onclosetag(from, to) {
        endText();
        closeTag(source.slice(from, to).toLowerCase());
      },
      ondeclaration(from, to) {
        endText();
        const declaration = source.slice(source.lastIndexOf("<", from), to + 1);
        if (out.length === 0 && DOCTYPE.test(declaration)) out.push(declaration);
      },
      oncdata: () => undefined,
      oncomment: () => undefined,
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
  endText();
  return out.join("") + rest;
}

const isPicture = ([name, value]: Attribute): boolean =>
  name === "src" && PICTURE.test(value.replace(SKIPPED_IN_URL, ""));

/** Writes a tag with the attributes that may stay; unchanged when all of them may. */
function writeTag(tag: string, name: string, attributes: readonly Attribute[]): string {
  if (attributes.length === 0) return BARE_TAG.test(tag) ? tag : `<${name}>`;
  const kept = attributes.map((attribute) => keptAttribute(name, attribute));
  const whole = kept.every((attribute, index) => attribute === attributes[index]);
  if (whole && tag.length <= MAX_PLAIN_TAG_CHARS && PLAIN_TAG.test(tag)) return tag;
  const written = kept.map((attribute) =>
    attribute === undefined ? "" : ` ${attribute[0]}="${escapeAttribute(attribute[1])}"`,
  );
  return `<${name}${written.join("")}>`;
}

/** Returns the allowed form of an attribute: unchanged, without parts that load or run something, or nothing at all. */
function keptAttribute(element: string, attribute: Attribute): Attribute | undefined {
  const [name, value] = attribute;
  if (name === "style") return keptStyle(attribute);
  if (name === "href" && element === "a")
    return LINK.test(value.replace(SKIPPED_IN_URL, "")) ? attribute : undefined;
  if (name === "src" && element === "img") return attribute;
  return ATTRIBUTES.test(name) ? attribute : undefined;
}

function keptStyle(attribute: Attribute): Attribute | undefined {
  const [name, value] = attribute;
  if (!LOADS.test(value)) return attribute;
  const kept = value
    .split(";")
    .filter((declaration) => !LOADS.test(declaration) && declaration.trim() !== "");
  return kept.length === 0 ? undefined : [name, kept.join(";").trim()];
}

const escapeAttribute = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function named(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
