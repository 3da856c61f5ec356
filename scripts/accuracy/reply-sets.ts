import { parseMail } from "../../packages/core/src/mail/parse.ts";
import {
  extractNewText,
  htmlToText,
  type Sender,
} from "../../packages/core/src/mail/reply-extraction/extract.ts";
import { type Check, check, type TestSet } from "./check.ts";
import { countMissingWords, normaliseText } from "./likeness.ts";
import { decodeRaw, type Raw } from "./raw-mail.ts";

interface ReplyCase {
  id: string;
  input: string | Raw;
  kind?: "plain" | "html" | "eml";
  from?: string;
  any_of?: string[];
  op?: "==" | "startswith" | "endswith";
  value?: string;
}

const EXTRACTED = "extracted text";
/** Losing new text is worse than showing quoted text, so it is counted separately. */
const COMPLETE = "no word lost";

/** Text may be lost in one case of a hundred; the largest set has 99. */
const replySet = (file: string, share: number): TestSet<ReplyCase> => ({
  file,
  targets: { [EXTRACTED]: share, [COMPLETE]: 0.985 },
  score: scoreReply,
});

/** Sets of replies with the expected new text, in text or HTML. */
export const REPLY_SETS = [
  replySet("discourse_trim", 0.9),
  replySet("talon", 0.93),
  replySet("quotequail", 0.9),
  replySet("crisp_common", 0.95),
  replySet("edgetier", 0.85),
  replySet("forge", 0.85),
  replySet("measure-only/quagga_asf", 0.91),
  replySet("measure-only/quagga_enron", 0.91),
];

const REWRAPPED = "wrapped again at 64";
const COLUMNS = 64;

/**
 * The same replies as passed on by a server that wraps lines without regard to quotes. Nothing was fitted to these;
 * only mails with quoted lines that this changes are counted.
 */
export const REWRAPPED_SETS: TestSet<ReplyCase>[] = ["measure-only/quagga_asf", "discourse_trim"].map(
  (file) => {
    return {
      file,
      targets: { [REWRAPPED]: 0 },
      score({ id, input, any_of = [] }) {
        const text = typeof input === "string" ? input.replace(/\r\n/g, "\n") : "";
        const again = wrapLines(text);
        if (!/^>/m.test(text) || again === text || /<\/\w+>/.test(text)) return [];
        const found = onOneLine(
          extractNewText({ text: again, html: null, subject: "", is_reply: false }).extracted_text,
        );
        const right = any_of.some((expected) => onOneLine(expected) === found);
        return [check(REWRAPPED, id, right, () => ["other text", abbreviate(found)])];
      },
    };
  },
);

const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

const wrapLines = (text: string): string =>
  text.replace(new RegExp(`(?=.{${COLUMNS + 1}})(.{10,${COLUMNS}}) `, "g"), "$1\n");

async function scoreReply(entry: ReplyCase): Promise<Check[]> {
  const body = await readBody(entry);
  const { extracted_text, method } = extractNewText({
    ...body,
    subject: "",
    is_reply: false,
    sender: parseSender(entry.from),
  });
  const found = normaliseText(extracted_text);
  const isHtml = body.html !== null;
  const expected = (entry.any_of ?? []).map((text) =>
    normaliseText(isHtml && /<\w/.test(text) ? htmlToText(text) : text),
  );
  const right =
    entry.op === undefined
      ? expected.some((text) => isSame(text, found, isHtml))
      : assertionHolds(entry, found);
  const wanted = entry.value === undefined ? expected : [normaliseText(entry.value)];
  const lost = wanted.length === 0 ? 0 : Math.min(...wanted.map((text) => countMissingWords(text, found)));
  const detail = `by ${method}: ${abbreviate(found)}\n      expected: ${abbreviate(entry.value ?? expected[0] ?? "")}`;
  return [
    check(EXTRACTED, entry.id, right, () => [lost > 0 ? "text lost" : "too much kept", detail]),
    check(COMPLETE, entry.id, lost === 0, () => [`by ${method}`, detail]),
  ];
}

async function readBody({ input, kind }: ReplyCase): Promise<{ text: string; html: string | null }> {
  if (typeof input !== "string") return parseMail(decodeRaw(input));
  const markup =
    kind === "html" ||
    (kind === undefined && /<(?:html|body|div|p|blockquote)\b/i.test(input) && /<\//.test(input));
  return markup ? { text: "", html: input } : { text: input, html: null };
}

/** In HTML the browser chooses the line breaks, so all whitespace is equal. */
function isSame(expected: string, found: string, html: boolean): boolean {
  return expected === found || (html && expected.replace(/\s+/g, " ") === found.replace(/\s+/g, " "));
}

function assertionHolds({ op, value = "" }: ReplyCase, found: string): boolean {
  if (op === "==") return found === normaliseText(value);
  return op === "startswith" ? found.startsWith(normaliseText(value)) : found.endsWith(normaliseText(value));
}

/** The set writes From without following RFC 5322: `Field, Ann`, `Ann [mailto:ann@…]`. */
function parseSender(from: string | undefined): Sender | undefined {
  const match = /^"?([^"<[]*)"?\s*(?:[<[](?:mailto:)?([^>\]]*))?/.exec(from ?? "");
  return from === undefined ? undefined : { name: match?.[1]?.trim() ?? "", address: match?.[2] ?? "" };
}

const SHOWN_CHARS = 160;

function abbreviate(text: string): string {
  const line = JSON.stringify(text);
  return line.length <= 2 * SHOWN_CHARS
    ? line
    : `${line.slice(0, SHOWN_CHARS)} […] ${line.slice(-SHOWN_CHARS)}`;
}
