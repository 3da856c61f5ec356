import type { TextKind } from "../../packages/core/src/model/attachments.ts";
import {
  createTextExtraction,
  type ThreadedTextExtraction,
} from "../../packages/text-extraction/src/text-extraction.ts";
import { type AnyTestSet, type Check, check, type TestSet } from "./check.ts";
import { wordSimilarity } from "./likeness.ts";
import { decodeRaw, type Raw } from "./raw-mail.ts";

interface SheetCase {
  id: string;
  input: Raw;
  /** Each sheet as Excel exports it. */
  sheets_csv: string[];
}

interface DocumentCase {
  id: string;
  input: Raw;
  expected?: string;
  expected_markdown?: string;
}

interface RejectedCase {
  id: string;
  input: Raw;
  /** "text_extraction_failed", with a remark, or a longer sentence: any clean answer. */
  expected: string;
}

/** The limits of the interface ("Attachment text"), by which the expectation is cut too. */
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 256;
const MAX_CHARS = 200_000;
const MAX_SECONDS = 10;
const MAX_MEMORY_BYTES = 300 * 1024 * 1024;
/** A text below this similarity is listed among the failures. */
const LISTED_BELOW = 0.9;
/** Characters of a text in the list of failures. */
const LISTED_CHARS = 600;
const MEASURE_INTERVAL_MS = 10;

/** One at a time, so that memory is measured per file; with production's threads and limits. */
let extraction: ThreadedTextExtraction | undefined;

function extract(id: string, input: Raw): Promise<string> {
  extraction ??= createTextExtraction({ threads: 1 });
  return extraction.extract({ bytes: decodeRaw(input), kind: kindOf(id) }).then(({ text }) => text);
}

/** Ends the threads that the sets started. */
export async function closeAttachmentSets(): Promise<void> {
  await extraction?.close();
}

/** The declared type, by the name of the file. */
function kindOf(id: string): TextKind {
  const extension = /\.(?:pdf|doc|xls)(?=[a-z]?$)/i.exec(id)?.[0].toLowerCase();
  if (extension === ".pdf") return "pdf";
  if (extension === ".doc") return "docx";
  return id.toLowerCase().endsWith(".xls") ? "xls" : "xlsx";
}

async function scoreText(id: string, input: Raw, expected: string): Promise<Check[]> {
  const measure = "words";
  const found = await extract(id, input).catch((error: Error) => error);
  if (found instanceof Error) return [{ ...check(measure, id, false, () => [found.message, ""]), score: 0 }];
  const score = wordSimilarity(expected, found);
  const listed = (text: string) => JSON.stringify(text.slice(0, LISTED_CHARS));
  const result = check(measure, id, score >= LISTED_BELOW, () => [
    `below ${LISTED_BELOW}`,
    `${score.toFixed(3)}: expected ${listed(expected)}, got ${listed(found)}`,
  ]);
  return [{ ...result, score }];
}

const sheets: TestSet<SheetCase> = {
  file: "xls",
  targets: { words: 0.96 },
  score: ({ id, input, sheets_csv }) => scoreText(id, input, clipSheets(sheets_csv)),
};

const documents = (file: string, target: number): TestSet<DocumentCase> => ({
  file,
  targets: { words: target },
  score: ({ id, input, expected, expected_markdown }) =>
    scoreText(id, input, (expected ?? wordsOfMarkdown(expected_markdown ?? "")).slice(0, MAX_CHARS)),
});

const rejected: TestSet<RejectedCase> = {
  file: "attach_reject",
  targets: { "answered cleanly": 1 },
  async score({ id, input, expected }) {
    const before = process.memoryUsage().rss;
    const began = performance.now();
    let peak = before;
    const measuring = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, MEASURE_INTERVAL_MS);
    const outcome = await extract(id, input).then(
      () => "text",
      (error: { code?: string }) => error.code ?? "other",
    );
    clearInterval(measuring);
    const seconds = (performance.now() - began) / 1_000;
    const answers = expected.startsWith("no crash")
      ? ["text", "text_extraction_failed", "attachment_too_large"]
      : ["text_extraction_failed", "attachment_too_large"];
    const clean = answers.includes(outcome) && seconds < MAX_SECONDS && peak - before < MAX_MEMORY_BYTES;
    return [
      check("answered cleanly", id, clean, () => [
        answers.includes(outcome) ? "time or memory" : outcome,
        `${outcome} after ${seconds.toFixed(1)} s and ${Math.round((peak - before) / 1e6)} MB`,
      ]),
    ];
  },
};

/** Spreadsheets, PDFs, documents, and files that must be refused or read within the limits. */
export const ATTACHMENT_SETS: AnyTestSet[] = [
  sheets,
  documents("pdf", 0.95),
  documents("measure-only/docx", 0.96),
  rejected,
];

/** The rows and columns of each sheet that may be read, without empty cells at the end of a row. */
function clipSheets(sheets_csv: readonly string[]): string {
  const rows = sheets_csv.flatMap((csv) =>
    parseCsv(csv)
      .slice(0, MAX_ROWS)
      .map((cells) => cells.slice(0, MAX_COLUMNS).join(",").replace(/,+$/, "")),
  );
  return rows
    .filter((row) => row !== "")
    .join("\n")
    .slice(0, MAX_CHARS);
}

function parseCsv(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ",") rows.push([]);
  }
  return rows;
}

/** Returns Markdown's text without comments, with escapes and character references decoded. */
function wordsOfMarkdown(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->/gs, " ")
    .replace(/\\([_*#<>[\]|])/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
