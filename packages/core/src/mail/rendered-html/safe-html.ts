import { escapeLess } from "../reply-extraction/html-rest.ts";
import { MAX_HTML_CHARS } from "../reply-extraction/limits.ts";
import { readTags, type Tag } from "./tag-reader.ts";
import { escapeAttribute } from "./write-tag.ts";

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

/** An attribute: its name in lower case and its value without character references. */
type Attribute = [name: string, value: string];

/**
 * HTML that loads and runs nothing in whatever reads it: no script, style sheet, form, event handler or remote image,
 * and no comment. Everything that shows words stays, byte for byte where possible; a remote image becomes its text.
 * Reads MAX_HTML_CHARS characters; after MAX_HTML_ELEMENTS elements only text is kept. Never throws; linear. However a
 * browser parses the source, the result contains only the tags written here: every other `<` is escaped.
 */
export function safeHtml(html: string): string {
  const out: string[] = [];
  const rest = readTags(html.slice(0, MAX_HTML_CHARS), {
    unshown: UNSHOWN,
    text: (source) => out.push(escapeLess(source)),
    open(tag) {
      const { name, attributes } = tag;
      if (name === "img" && !isPicture(attributes.get("src") ?? ""))
        out.push(escapeAttribute(attributes.get("alt") ?? ""));
      else if (ELEMENTS.has(name)) out.push(writeTag(tag));
    },
    close(name) {
      if (ELEMENTS.has(name)) out.push(`</${name}>`);
    },
    doctype(declaration) {
      if (out.length === 0) out.push(declaration);
    },
  });
  return out.join("") + rest;
}

const isPicture = (url: string): boolean => PICTURE.test(url.replace(SKIPPED_IN_URL, ""));

/** Writes a tag with the attributes that may stay; unchanged when all of them may. */
function writeTag({ name, attributes, repeats, source }: Tag): string {
  if (attributes.size === 0) return BARE_TAG.test(source) ? source : `<${name}>`;
  const given = [...attributes];
  const kept = given.map((attribute) => keptAttribute(name, attribute));
  const whole = !repeats && kept.every((attribute, index) => attribute === given[index]);
  if (whole && source.length <= MAX_PLAIN_TAG_CHARS && PLAIN_TAG.test(source)) return source;
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

function named(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}
