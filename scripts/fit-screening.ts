import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SignalType } from "../packages/core/src/catalogue/signals.ts";
import { GIVEN_WEIGHTS } from "../packages/core/src/mail/screening/score/weights.ts";
import type { FittedWeights } from "../packages/core/src/model/screening.ts";
import { run } from "./run-command.ts";
import { readScreenedCases } from "./screening/cases.ts";
import { fitWeights, judgeHeldOut } from "./screening/fit.ts";
import { heldOutLines } from "./screening/report.ts";

const HELP = `Fits the weights of screening's signals to real mail, and writes packages/core/src/mail/screening/score/weights.json.

Usage: npx -y pnpm@12 fit-screening FOLDER

FOLDER contains the sets that "pnpm accuracy" measures on. Only which signals a mail has is used of them, and none of its
words. The figures that are printed are of mail that the weights were not fitted on: each of five parts is judged by what
was fitted on the other four.`;

const target = fileURLToPath(
  new URL("../packages/core/src/mail/screening/score/weights.json", import.meta.url),
);
const folder = process.argv.slice(2).find((argument) => argument !== "--");
if (folder === undefined || folder === "--help") {
  console.log(HELP);
} else {
  const cases = await readScreenedCases(folder);
  for (const line of heldOutLines(judgeHeldOut(cases))) console.log(line);
  writeFileSync(target, formatWeights(fitWeights(cases)));
  await run("biome", ["check", "--write", target]);
}

/** The file with the fitted weights instead of those before. */
function formatWeights({ alone, together }: FittedWeights): string {
  const signals = Object.entries(GIVEN_WEIGHTS).map(([type, given]) => {
    const fitted = alone[type as SignalType];
    return [type, { given, ...(fitted === undefined ? {} : { fitted }) }];
  });
  const pairs = together.map(([one, other, weight]) => [`${one} ${other}`, weight]);
  return JSON.stringify({ signals: Object.fromEntries(signals), together: Object.fromEntries(pairs) });
}
