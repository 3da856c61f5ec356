import { decodeCharset } from "./charset.ts";
import { decodeEncodedWords } from "./encoded-words.ts";

/**
 * A structured header such as `text/plain; charset=utf-8`: the value in lower case, and the decoded
 * parameters by lower-case name.
 */
export interface StructuredHeader {
  value: string;
  parameters: Map<string, string>;
}

/** Parameters read per header; RFC 2231 continuations never need more. */
export const MAX_PARAMETERS = 100;

/**
 * Reads a structured header (RFC 2045 section 5.1, RFC 2183) with continuations and charsets (RFC 2231), and
 * encoded words even where they aren't allowed. Of two parameters with the same name, the first wins. Linear.
 */
export function parseStructuredHeader(header: string): StructuredHeader {
  if (header === "") return { value: "", parameters: new Map() };
  const pieces = splitOutsideQuotes(stripComments(header));
  const [value = "", first = ""] = splitAtBlank((pieces[0] ?? "").trim());
  const plain = new Map<string, string>();
  for (const piece of [first, ...pieces.slice(1, MAX_PARAMETERS + 1)]) {
    const equals = piece.indexOf("=");
    const name = (equals < 0 ? piece : piece.slice(0, equals)).trim().toLowerCase();
    if (name !== "" && !plain.has(name)) plain.set(name, equals < 0 ? "" : unquote(piece.slice(equals + 1)));
  }
  return { value: value.replace(/^"|"$/g, "").toLowerCase(), parameters: joinContinuations(plain) };
}

/** "text/plain charset=utf-8": some senders omit the semicolon. */
function splitAtBlank(text: string): string[] {
  return /^([^\s,]+)[\s,]+([\w*-]+=[^]*)$/.exec(text)?.slice(1) ?? [text];
}

/** `utf-8''%C3%BC.pdf` in a parameter without a star: nothing else looks like this. */
const EXTENDED_VALUE =
  /^(?:utf-?8|us-ascii|iso-[\w-]{1,20}|windows-\d{3,4}|gbk|gb\d{4,5}|big5|shift_jis|euc-\w\w|koi8-\w)'[\w-]{0,20}'/i;

function joinContinuations(plain: Map<string, string>): Map<string, string> {
  const parameters = new Map<string, string>();
  const continued = new Map<string, { index: number; encoded: boolean; text: string }[]>();
  for (const [name, text] of plain) {
    const match = /^([^*]+)\*(?:(\d{1,3})(\*?))?$/.exec(name);
    if (match === null) {
      parameters.set(
        name,
        EXTENDED_VALUE.test(text)
          ? decodeSections([{ index: 0, encoded: true, text }])
          : decodeEncodedWords(text),
      );
      continue;
    }
    const sections = continued.get(match[1] ?? "") ?? [];
    sections.push({
      index: Number(match[2] ?? 0),
      encoded: match[2] === undefined || match[3] === "*",
      text,
    });
    continued.set(match[1] ?? "", sections);
  }
  // The extended form is better when a sender wrote both.
  for (const [name, sections] of continued) parameters.set(name, decodeSections(sections));
  return parameters;
}

const ONE_QUOTE = /^([a-z][\w-]{2,40})'([^']*)$/i;

function decodeSections(sections: { index: number; encoded: boolean; text: string }[]): string {
  const ordered = sections.toSorted((a, b) => a.index - b.index);
  const first = ordered[0];
  // Some senders omit the quote after the language.
  const tagged =
    first?.encoded === true
      ? (/^([^']{0,64})'[^']{0,64}'([^]*)$/.exec(first.text) ?? ONE_QUOTE.exec(first.text))
      : null;
  const charset = tagged?.[1] === "" ? undefined : tagged?.[1];
  const bytes = ordered.map((section, index) => {
    const text = index === 0 && tagged !== null ? (tagged[2] ?? "") : section.text;
    return section.encoded ? percentDecode(text) : Buffer.from(text, "utf8");
  });
  return decodeEncodedWords(decodeCharset(Buffer.concat(bytes), charset));
}

function percentDecode(text: string): Uint8Array {
  const parts = text.split(/(%[0-9a-f]{2})/i);
  return Buffer.concat(
    parts.map((part) =>
      /^%[0-9a-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), "hex") : Buffer.from(part),
    ),
  );
}

function splitOutsideQuotes(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === "\\") at += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === ";" && !quoted) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  pieces.push(text.slice(start));
  // An unterminated quote hides the boundary after it: then split at every semicolon, quoted or not.
  return quoted && pieces.length === 1 ? text.split(";") : pieces;
}

function unquote(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return trimmed;
  const match = /^"((?:[^"\\]|\\[^])*)"?/.exec(trimmed);
  return (match?.[1] ?? "").replace(/\\([^])/g, "$1");
}

function stripComments(text: string): string {
  if (!text.includes("(")) return text;
  let out = "";
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\" && (quoted || depth > 0)) {
      if (depth === 0) out += char + (text[at + 1] ?? "");
      at += 1;
      continue;
    }
    if (char === '"' && depth === 0) quoted = !quoted;
    // `name=invoice(1).pdf` is a name: a comment starts only where white space is allowed.
    if (char === "(" && !quoted && (depth > 0 || !/[\w.-]/.test(text[at - 1] ?? ""))) depth += 1;
    else if (char === ")" && depth > 0) depth -= 1;
    else if (depth === 0) out += char;
  }
  return depth === 0 ? out : text;
}
