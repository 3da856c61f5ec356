import { Tokenizer } from "htmlparser2";
import { restOf } from "../reply-extraction/html-rest.ts";
import { MAX_HTML_ELEMENTS } from "../reply-extraction/limits.ts";

const DOCTYPE = /^<!doctype html[^<>]*>$/i;

/** An opening tag as it is read. */
export interface Tag {
  /** In lower case. */
  name: string;
  /** Values without character references by names in lower case: of those with the same name the first, as in browsers. */
  attributes: ReadonlyMap<string, string>;
  /** An attribute was given more than once. */
  repeats: boolean;
  /** The tag as it was written. */
  source: string;
}

/** The receiver of tags and texts as HTML is read. */
export interface TagWriter {
  /** Elements of which neither tags nor content is told. */
  unshown: ReadonlySet<string>;
  /** Words as they stand in the source, or the content of a style sheet. */
  text(source: string): void;
  open(tag: Tag): void;
  close(name: string): void;
  /** What says that the source is HTML of today. */
  doctype(declaration: string): void;
}

/**
 * Reads HTML tag by tag and tells `writer` what there is. Returns the words after MAX_HTML_ELEMENTS elements, in which every
 * `<` is a character reference: they are for the end. Never throws; linear.
 */
export function readTags(source: string, writer: TagWriter): string {
  let start = 0;
  let name = "";
  let attributes = new Map<string, string>();
  let repeats = false;
  let attribute = "";
  let value = "";
  let elements = 0;
  let rest = "";
  /** The element that is open and of which nothing is told. */
  let unshown = "";
  /** The words of the source that weren't told yet: their start and end. */
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
    if (text_end > text_start) writer.text(source.slice(text_start, text_end));
    text_start = text_end;
  };
  const openTag = (end: number, closes: boolean) => {
    // When stopped within a tag, the tokenizer still reports its end.
    if (unshown !== "" || elements > MAX_HTML_ELEMENTS) return;
    if (!writer.unshown.has(name))
      writer.open({ name, attributes, repeats, source: source.slice(start, end) });
    else if (!closes) unshown = name;
  };
  const closeTag = (closed: string) => {
    if (unshown === "") writer.close(closed);
    else if (unshown === closed) unshown = "";
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
        attributes = new Map();
        repeats = false;
      },
      onattribname(from, to) {
        attribute = source.slice(from, to).toLowerCase();
        value = "";
      },
      onattribdata(from, to) {
        value += source.slice(from, to);
      },
      onattribentity(codepoint) {
        value += String.fromCodePoint(codepoint);
      },
      onattribend() {
        if (attributes.has(attribute)) repeats = true;
        else attributes.set(attribute, value);
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
        if (DOCTYPE.test(declaration)) writer.doctype(declaration);
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
  return rest;
}
