import { extract, htmlToText, type Sender } from "../../packages/core/src/mail/new-words/extract.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { type Check, check, type TestSet } from "./check.ts";
import { missingWords, normal } from "./likeness.ts";
import { bytesOf, type Raw } from "./raw-mail.ts";

interface ReplyCase {
  id: string;
  input: string | Raw;
  kind?: "plain" | "html" | "eml";
  from?: string;
  any_of?: string[];
  op?: "==" | "startswith" | "endswith";
  value?: string;
}

const extracted = "extracted text";
/** Losing what somebody wrote is worse than showing what they quoted, so it is counted apart. */
const kept = "no word lost";

/** Losing text is allowed in one case of a hundred; the largest set has 99. */
const set = (file: string, share: number): TestSet<ReplyCase> => ({
  file,
  targets: { [extracted]: share, [kept]: 0.985 },
  score: scoreReply,
});

/** Sets of replies: what is new in a mail, by text or HTML. */
export const REPLY_SETS = [
  set("discourse_trim", 0.9),
  set("talon", 0.93),
  set("quotequail", 0.9),
  set("crisp_common", 0.95),
  set("edgetier", 0.85),
  set("forge", 0.85),
];

async function scoreReply(entry: ReplyCase): Promise<Check[]> {
  const body = await bodyOf(entry);
  const { extracted_text, method } = extract({
    ...body,
    subject: "",
    is_reply: false,
    sender: senderOf(entry.from),
  });
  const found = normal(extracted_text);
  const isHtml = body.html !== null;
  const wanted = (entry.any_of ?? []).map((text) =>
    normal(isHtml && /<\w/.test(text) ? htmlToText(text) : text),
  );
  const right =
    entry.op === undefined ? wanted.some((text) => same(text, found, isHtml)) : holds(entry, found);
  const lost = wanted.length === 0 ? 0 : Math.min(...wanted.map((text) => missingWords(text, found)));
  const detail = `by ${method}: ${ends(found)}\n      wanted: ${ends(entry.value ?? wanted[0] ?? "")}`;
  return [
    check(extracted, entry.id, right, () => [lost > 0 ? "text lost" : "too much kept", detail]),
    check(kept, entry.id, lost === 0, () => [`by ${method}`, detail]),
  ];
}

async function bodyOf({ input, kind }: ReplyCase): Promise<{ text: string; html: string | null }> {
  if (typeof input !== "string") return parseMail(bytesOf(input));
  const markup =
    kind === "html" ||
    (kind === undefined && /<(?:html|body|div|p|blockquote)\b/i.test(input) && /<\//.test(input));
  return markup ? { text: "", html: input } : { text: input, html: null };
}

/** Where lines break in HTML is the browser's choice, so blanks of HTML count alike. */
function same(wanted: string, found: string, html: boolean): boolean {
  return wanted === found || (html && wanted.replace(/\s+/g, " ") === found.replace(/\s+/g, " "));
}

function holds({ op, value = "" }: ReplyCase, found: string): boolean {
  if (op === "==") return found === normal(value);
  return op === "startswith" ? found.startsWith(normal(value)) : found.endsWith(normal(value));
}

/** The set writes From without the rules of RFC 5322: `Field, Ann`, `Ann [mailto:ann@…]`. */
function senderOf(from: string | undefined): Sender | undefined {
  const match = /^"?([^"<[]*)"?\s*(?:[<[](?:mailto:)?([^>\]]*))?/.exec(from ?? "");
  return from === undefined ? undefined : { name: match?.[1]?.trim() ?? "", address: match?.[2] ?? "" };
}

const shownChars = 160;

function ends(text: string): string {
  const line = JSON.stringify(text);
  return line.length <= 2 * shownChars ? line : `${line.slice(0, shownChars)} […] ${line.slice(-shownChars)}`;
}
