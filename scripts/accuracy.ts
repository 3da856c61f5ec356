import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ATTACHMENT_SETS, closeAttachmentSets } from "./accuracy/attachment-sets.ts";
import { BOUNCE_SETS } from "./accuracy/bounce-sets.ts";
import { type AnyTestSet, type Check, check } from "./accuracy/check.ts";
import { CODE_SETS, NO_CODE_SETS } from "./accuracy/code-sets.ts";
import { HONEST_SETS } from "./accuracy/honest-sets.ts";
import { MIME_SETS } from "./accuracy/mime-sets.ts";
import { REPLY_SETS, REWRAPPED_SETS } from "./accuracy/reply-sets.ts";
import { createLines, formatFailures, formatTable, type Line, meetsTarget } from "./accuracy/report.ts";
import { type Cost, measureScreeningCost } from "./accuracy/screening-cost.ts";
import { SCREENING_SETS } from "./accuracy/screening-sets.ts";
import { SENDER_SETS } from "./accuracy/sender-sets.ts";
import { SPAM_TARGETS, scoreSpam } from "./accuracy/spam-set.ts";
import { readScreenedCases } from "./screening/cases.ts";
import { judgeHeldOut } from "./screening/fit.ts";
import { heldOutLines } from "./screening/report.ts";
import { duration } from "./terminal.ts";

const HELP = `Measures how accurately the service reads mail, on public test sets and with the code that runs in production.

Usage: npx -y pnpm@12 accuracy [options] [FOLDER]

FOLDER contains the sets, one JSON case per line: ${[...REPLY_SETS, ...MIME_SETS].map(({ file }) => `${file}.jsonl`).join(", ")} …
Missing sets are skipped; the SpamAssassin corpus is a development dependency and always available.

Options:
  --only <sets>  run only these sets, separated by commas ("spam_assassin" is the corpus, "held_out" screening on mail
                 that its weights were not fitted on)
  --failures     print every failure
  --cost         also measure the cost of screening
  --help         show this help
`;

const SPAM = "spam_assassin";
const HELD_OUT = "held_out";
const SETS: AnyTestSet[] = [
  ...REPLY_SETS,
  ...REWRAPPED_SETS,
  ...MIME_SETS,
  ...SENDER_SETS,
  ...SCREENING_SETS,
  ...HONEST_SETS,
  ...BOUNCE_SETS,
  ...CODE_SETS,
  ...NO_CODE_SETS,
  ...ATTACHMENT_SETS,
];

async function main(): Promise<number> {
  const args = process.argv.slice(2).filter((argument) => argument !== "--");
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: "string" },
      failures: { type: "boolean" },
      cost: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  const began = performance.now();
  const wanted = (file: string) => values.only === undefined || values.only.split(",").includes(file);
  const [folder] = positionals;
  const lines: Line[] = [];
  const add = (more: Line[]) => {
    lines.push(...more);
    for (const text of formatTable(more)) console.log(text);
  };

  if (folder !== undefined && wanted(HELD_OUT)) {
    console.log("Held out: each mail is judged by weights that were fitted on others (five parts).\n");
    for (const line of heldOutLines(judgeHeldOut(await readScreenedCases(folder)))) console.log(line);
    console.log("\nAt hand: these cases could be seen while the rules were written.\n");
  }
  for (const set of folder === undefined ? [] : SETS.filter(({ file }) => wanted(file))) {
    const path = join(folder ?? "", `${set.file}.jsonl`);
    if (existsSync(path)) add(createLines(set.file, await scoreFile(set, path), set.targets));
  }
  await closeAttachmentSets();
  if (wanted(SPAM)) add(createLines(SPAM, await scoreSpam(), SPAM_TARGETS));

  if (values.cost === true) {
    const { of_3_kb, of_pages, per_kb_short, per_kb_long } = await measureScreeningCost(folder);
    const say = (what: string, { screening, parsing }: Cost, limit: string) =>
      console.log(
        `Screening ${what} takes ${screening.toFixed(0)} µs of CPU, ${(screening / parsing).toFixed(2)} × its parsing; limit: ${limit}`,
      );
    console.log("");
    say("a mail of 3 KB", of_3_kb, "1.1 ×");
    if (of_pages !== null) say("a page of 47 KB", of_pages, "0.6 ×");
    console.log(
      `A kilobyte of a longer text takes ${per_kb_short.toFixed(0)} µs, of one eight times as long ${per_kb_long.toFixed(0)} µs`,
    );
  }
  if (values.failures === true) for (const text of lines.flatMap(formatFailures)) console.log(`\n${text}`);
  const missed = lines.filter((line) => !meetsTarget(line));
  console.log(
    `\n${lines.length - missed.length} of ${lines.length} measures reach their targets (${duration(performance.now() - began)})`,
  );
  return missed.length === 0 ? 0 : 1;
}

/** Scores every case of a file; a case that can't be read, or that throws, is one failure of the first measure. */
async function scoreFile(set: AnyTestSet, path: string): Promise<Check[]> {
  const [measure = "cases"] = Object.keys(set.targets);
  const checks: Check[] = [];
  for (const [index, line] of readFileSync(path, "utf8").split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      checks.push(...(await set.score(JSON.parse(line) as never)));
    } catch (error) {
      checks.push(check(measure, `line ${index + 1}`, false, () => ["failed", String(error)]));
    }
  }
  return checks;
}

process.exitCode = await main();
