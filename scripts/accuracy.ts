import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BOUNCE_SETS } from "./accuracy/bounce-sets.ts";
import type { AnyTestSet, Check } from "./accuracy/check.ts";
import { CODE_SETS, NO_CODE_SETS } from "./accuracy/code-sets.ts";
import { MIME_SETS } from "./accuracy/mime-sets.ts";
import { REPLY_SETS } from "./accuracy/reply-sets.ts";
import { failuresOf, type Line, linesOf, reaches, tableOf } from "./accuracy/report.ts";
import { screeningCost } from "./accuracy/screening-cost.ts";
import { SCREENING_SETS } from "./accuracy/screening-sets.ts";
import { SENDER_SETS } from "./accuracy/sender-sets.ts";
import { SPAM_TARGETS, scoreSpam } from "./accuracy/spam-set.ts";
import { duration } from "./terminal.ts";

const HELP = `Scores what the service says about mail on public test sets, through the code that production runs.

Usage: npx -y pnpm@12 accuracy [options] [FOLDER]

FOLDER holds the sets, one JSON case a line: ${[...REPLY_SETS, ...MIME_SETS].map(({ file }) => `${file}.jsonl`).join(", ")} …
Sets that are not there are left out; the SpamAssassin corpus is a development dependency and always there.

Options:
  --only <sets>  these sets only, separated by commas ("spam_assassin" is the corpus)
  --failures     print every failure
  --cost         measure what screening costs as well
  --help         show this
`;

const SPAM = "spam_assassin";
const SETS: AnyTestSet[] = [
  ...REPLY_SETS,
  ...MIME_SETS,
  ...SENDER_SETS,
  ...SCREENING_SETS,
  ...BOUNCE_SETS,
  ...CODE_SETS,
  ...NO_CODE_SETS,
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
    for (const text of tableOf(more)) console.log(text);
  };

  for (const set of folder === undefined ? [] : SETS.filter(({ file }) => wanted(file))) {
    const path = join(folder ?? "", `${set.file}.jsonl`);
    if (existsSync(path)) add(linesOf(set.file, await scoreFile(set, path), set.targets));
  }
  if (wanted(SPAM)) add(linesOf(SPAM, await scoreSpam(), SPAM_TARGETS));

  if (values.cost === true) {
    const { of_3_kb, per_kb_short, per_kb_long } = await screeningCost();
    console.log(`\nScreening a mail of 3 KB takes ${of_3_kb.toFixed(0)} µs of processor time; limit: 500`);
    console.log(
      `A kilobyte of a longer text takes ${per_kb_short.toFixed(0)} µs, of one eight times as long ${per_kb_long.toFixed(0)}`,
    );
  }
  if (values.failures === true) for (const text of lines.flatMap(failuresOf)) console.log(`\n${text}`);
  const short = lines.filter((line) => !reaches(line));
  console.log(
    `\n${lines.length - short.length} of ${lines.length} measures reach their target (${duration(performance.now() - began)})`,
  );
  return short.length === 0 ? 0 : 1;
}

async function scoreFile(set: AnyTestSet, path: string): Promise<Check[]> {
  const checks: Check[] = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line.trim() !== "") checks.push(...(await set.score(JSON.parse(line) as never)));
  }
  return checks;
}

process.exitCode = await main();
