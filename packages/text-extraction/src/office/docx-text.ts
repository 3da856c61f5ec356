import { Parser } from "htmlparser2";
import { type ClippedText, collectText, type TextCollector } from "../clipped-text.ts";
import { tooLarge } from "../limits.ts";
import { isMathForm, MATH_PARTS, writeMath } from "./docx-math.ts";
import { type DocxStyles, isOn, readDocxStyles } from "./docx-styles.ts";
import { localName, MAX_DEPTH, type PackageParts } from "./package-parts.ts";

/** The roles of a DOCX's parts that contain text, in output order. */
const TEXT_ROLES = ["main", "footnotes", "endnotes", "comments", "chart", "diagramdata"];

/** Plain text for elements (ECMA-376, part 1, section 17.3.3). */
const ELEMENT_TEXTS: Record<string, string> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "\u2011",
};

/**
 * Elements that a reader of the document does not see: a repetition for programs that don't support the newer form,
 * text that was moved away, readings above words, numbers behind a chart, and former properties.
 */
const SKIPPED_ELEMENTS = [
  ...["Fallback", "moveFrom", "rt", "numCache", "numLit"],
  ...["rPrChange", "pPrChange", "tblPrChange", "trPrChange", "tcPrChange", "sectPrChange"],
];

/** Nesting of tables; deeper ones are read as flat text. */
const MAX_TABLE_DEPTH = 100;

/** Half points of text that is too small to be seen. */
const MAX_INVISIBLE_SIZE = 2;

/**
 * Reads a DOCX while its archive is inflated, and keeps only the text: an element tree would take a hundred
 * times the size of the file.
 */
export interface DocxReader {
  /**
   * Returns a consumer for the bytes of a part, if the part contains text; it throws where elements are nested
   * too deeply.
   */
  visit(name: string): ((chunk: Uint8Array) => void) | undefined;
  /** The text; undefined if the file is not a document. */
  take(): ClippedText | undefined;
}

/**
 * Extracts paragraphs, one per line, with tabs between table cells and text boxes below the paragraph that they
 * belong to; then notes, comments, and the words of charts and diagrams. Tracked changes count as accepted;
 * hidden text is left out.
 */
export function readDocx(chars: number, parts: PackageParts): DocxReader {
  const texts: { role: string; out: TextCollector }[] = [];
  const styles = readDocxStyles();
  let is_document = false;
  return {
    visit(name) {
      if (parts.isWorkbook()) return undefined;
      const role = parts.role(name);
      if (role === "styles") return styles.read;
      if (role === undefined || !TEXT_ROLES.includes(role)) return undefined;
      const out = collectText(chars);
      texts.push({ role, out });
      return partReader(out, chars, styles, (root) => {
        if (role === "main") is_document = root === "document";
      });
    },
    take() {
      if (!is_document) return undefined;
      const whole = collectText(chars);
      for (const role of TEXT_ROLES) {
        for (const { out } of texts.filter((text) => text.role === role)) {
          const part = out.take();
          if (part.text !== "") whole.write(part.text);
          // Later parts must not follow text that is cut off.
          if (part.truncated) return { ...whole.take(), truncated: true };
        }
      }
      const { text, truncated } = whole.take();
      return { text: truncated ? text : text.trimEnd(), truncated };
    },
  };
}

/** The destination of text and its context: the document, a text box, or a part of an equation. */
interface Scope {
  out: TextCollector;
  /** Open table rows, outermost first: cells in the row so far, and paragraphs in the current cell. */
  rows: { cells: number; paragraphs: number }[];
  /** Text boxes of the current paragraph. */
  boxes: string[];
  in_run: boolean;
  in_paragraph_properties: boolean;
  /** Whether the paragraph has no end of its own: a drop cap, or a deleted paragraph mark. */
  joins_next: boolean;
  paragraph_hidden: boolean;
  run_hidden: boolean;
  /** The parts of an equation's element so far, and its characters. */
  parts: Record<string, string[]>;
  characters: Record<string, string>;
}

function newScope(out: TextCollector): Scope {
  return {
    out,
    rows: [],
    boxes: [],
    in_run: false,
    in_paragraph_properties: false,
    joins_next: false,
    paragraph_hidden: false,
    run_hidden: false,
    parts: {},
    characters: {},
  };
}

function partReader(
  out: TextCollector,
  chars: number,
  styles: DocxStyles,
  onRoot: (name: string) => void,
): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const outer: Scope[] = [];
  let here = newScope(out);
  let element = "";
  let in_text = false;
  let depth = 0;
  let math_depth = 0;
  /** The depth at which an element began that is skipped with all in it; 0 outside. */
  let skipped_from = 0;
  /** Choices so far in each open AlternateContent: only the first counts. */
  const choices: number[] = [];

  const begin: Record<string, () => void> = {
    tr() {
      if (here.rows.length < MAX_TABLE_DEPTH) here.rows.push({ cells: 0, paragraphs: 0 });
    },
    tc() {
      const row = here.rows.at(-1);
      if (row === undefined) return;
      if (row.cells > 0) here.out.write("\t");
      row.cells += 1;
      row.paragraphs = 0;
    },
    p() {
      here.joins_next = false;
      here.paragraph_hidden = false;
      const row = here.rows.at(-1);
      if (row === undefined) return;
      if (row.paragraphs > 0) here.out.write(" ");
      row.paragraphs += 1;
    },
    pPr() {
      here.in_paragraph_properties = true;
    },
    r() {
      here.in_run = true;
      here.run_hidden = here.paragraph_hidden;
    },
    vanish() {
      if (here.in_run) here.run_hidden = true;
    },
    del() {
      if (here.in_paragraph_properties) here.joins_next = true;
    },
    AlternateContent: () => choices.push(0),
    txbxContent: enter,
    oMath() {
      math_depth += 1;
    },
  };

  const properties: Record<string, (value: string, attribute: string) => void> = {
    framePr(value, attribute) {
      if (attribute === "dropCap" && value !== "none") here.joins_next = true;
    },
    pStyle(value) {
      here.paragraph_hidden = styles.hides(value);
    },
    rStyle(value) {
      if (here.in_run && styles.hides(value)) here.run_hidden = true;
    },
    vanish(value) {
      if (here.in_run) here.run_hidden = isOn(value);
    },
    sz(value, attribute) {
      if (here.in_run && attribute === "val" && Number(value) <= MAX_INVISIBLE_SIZE) here.run_hidden = true;
    },
    chr: (value) => setCharacter("chr", value),
    begChr: (value) => setCharacter("begChr", value),
    sepChr: (value) => setCharacter("sepChr", value),
    endChr: (value) => setCharacter("endChr", value),
  };

  const end: Record<string, () => void> = {
    p() {
      const boxes = here.boxes.splice(0).join("\n");
      const inTable = here.rows.length > 0;
      if (inTable) return here.out.write(boxes === "" ? "" : ` ${boxes.replaceAll("\n", " ")}`);
      if (!here.joins_next) here.out.write("\n");
      if (boxes !== "") here.out.write(`${boxes}\n`);
    },
    pPr() {
      here.in_paragraph_properties = false;
    },
    r() {
      here.in_run = false;
      here.run_hidden = false;
    },
    v: () => here.out.write("\n"),
    tr() {
      here.rows.pop();
      here.out.write(here.rows.length > 0 ? " " : "\n");
    },
    AlternateContent: () => choices.pop(),
    txbxContent() {
      const { text } = leave().out.take();
      if (text !== "" && !out.full()) here.boxes.push(text.trimEnd());
    },
    oMath() {
      math_depth -= 1;
    },
  };

  function enter(): void {
    outer.push(here);
    here = newScope(collectText(chars));
  }

  function leave(): Scope {
    const inner = here;
    here = outer.pop() ?? here;
    return inner;
  }

  function setCharacter(name: string, value: string): void {
    here.characters[name] = value;
  }

  function isSkipped(name: string): boolean {
    if (name !== "Choice") return SKIPPED_ELEMENTS.includes(name);
    const seen = choices.pop() ?? 0;
    choices.push(seen + 1);
    return seen > 0;
  }

  function isMath(name: string): boolean {
    return math_depth > 0 && (isMathForm(name) || MATH_PARTS.has(name));
  }

  function endMath(name: string): void {
    const { out: own, parts, characters } = leave();
    const text = isMathForm(name) ? writeMath(name, parts, characters) : own.take().text;
    if (!MATH_PARTS.has(name)) return here.out.write(text);
    here.parts[name] ??= [];
    here.parts[name].push(text);
  }

  const parser = new Parser(
    {
      onopentagname(tag) {
        depth += 1;
        if (depth > MAX_DEPTH) throw tooLarge("nesting");
        element = localName(tag);
        if (depth === 1) onRoot(element);
        if (skipped_from > 0) return;
        in_text = element === "t" || element === "v";
        if (isSkipped(element)) {
          skipped_from = depth;
          return;
        }
        if (isMath(element)) return enter();
        // Tabs in the properties of a paragraph say where tabs stop.
        if (!here.in_paragraph_properties && !here.run_hidden)
          here.out.write(lookUp(ELEMENT_TEXTS, element) ?? "");
        lookUp(begin, element)?.();
      },
      onattribute(name, value) {
        if (skipped_from === 0) lookUp(properties, element)?.(value, localName(name));
      },
      ontext(text) {
        if (in_text && skipped_from === 0 && !here.run_hidden) here.out.write(text);
      },
      onclosetag(tag) {
        const name = localName(tag);
        depth -= 1;
        if (skipped_from > 0) {
          if (depth < skipped_from) skipped_from = 0;
          return;
        }
        in_text = false;
        if (isMath(name)) return endMath(name);
        lookUp(end, name)?.();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return (chunk) => {
    if (!out.full()) parser.write(decoder.decode(chunk, { stream: true }));
  };
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
