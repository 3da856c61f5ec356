import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FittedWeights } from "../packages/core/src/model/screening.ts";
import { run } from "./run-command.ts";
import { readScreenedCases } from "./screening/cases.ts";
import { fitWeights, judgeHeldOut } from "./screening/fit.ts";
import { heldOutLines } from "./screening/report.ts";

const HELP = `Fits the weights of screening's signals to real mail, and writes packages/core/src/mail/screening/fitted-weights.ts.

Usage: npx -y pnpm@12 fit-screening FOLDER

FOLDER contains the sets that "pnpm accuracy" measures on. Only which signals a mail has is used of them, and none of its
words. The figures that are printed are of mail that the weights were not fitted on: each of five parts is judged by what
was fitted on the other four.`;

const target = fileURLToPath(
  new URL("../packages/core/src/mail/screening/fitted-weights.ts", import.meta.url),
);
const folder = process.argv.slice(2).find((argument) => argument !== "--");
if (folder === undefined || folder === "--help") {
  console.log(HELP);
} else {
  const cases = await readScreenedCases(folder);
  for (const line of heldOutLines(judgeHeldOut(cases))) console.log(line);
  const sizes = Map.groupBy(cases, ({ set }) => set);
  const sets = [...sizes].map(([set, { length }]) => `${length.toLocaleString("en")} ${set}`).join(", ");
  writeFileSync(target, formatWeights(fitWeights(cases), sets));
  await run("biome", ["check", "--write", target]);
}

function formatWeights({ alone, together }: FittedWeights, sets: string): string {
  return [
    "// Written by scripts/fit-screening.ts; change that, not this.",
    'import type { FittedWeights } from "../../model/screening.ts";',
    "",
    `/** Fitted on which signals these mails have: ${sets}. */`,
    `export const FITTED: FittedWeights = ${JSON.stringify({ alone, together })};`,
    "",
  ].join("\n");
}
