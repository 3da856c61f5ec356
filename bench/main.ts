import { type Figure, type Metric, meets, type Outcome, type Run } from "./metric.ts";
import { metrics } from "./metrics.ts";
import { tableOf } from "./report/table.ts";
import { writeReport } from "./report/write-report.ts";

const usage = `pnpm bench [NAME …] [--full] [--quick]

Measures Letterslot against floors in the same run. Without a name all of: ${Object.keys(metrics).join(", ")}.
  --full    goes to 1,000,000 stored mails instead of 100,000 (built once; the first time it takes a while)
  --quick   short rounds and 10,000 mails, to try the programs themselves
`;

const quick = process.argv.includes("--quick");
const run: Run = {
  mails: process.argv.includes("--full") ? 1_000_000 : quick ? 10_000 : 100_000,
  rounds: quick ? 2 : 5,
  round_ms: quick ? 1_000 : 3_000,
  seed: 20_261_120,
  say: (line) => console.log(`    ${line}`),
};

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const chosen = names.length === 0 ? Object.keys(metrics) : names;
const unknown = chosen.filter((name) => metrics[name] === undefined);
if (unknown.length > 0 || process.argv.includes("--help")) {
  process.stdout.write(
    unknown.length === 0 ? usage : `There is no metric ${unknown.join(", ")}.\n\n${usage}`,
  );
  process.exit(unknown.length === 0 ? 0 : 1);
}

const outcomes: Record<string, Outcome> = {};
for (const [index, name] of chosen.entries()) {
  const { title, measure } = metrics[name] as Metric;
  console.log(`\n[${index + 1}/${chosen.length}] ${name}: ${title}`);
  const began = performance.now();
  try {
    outcomes[name] = await measure(run);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    outcomes[name] = {
      figures: [],
      notes: [`${name} failed: ${error instanceof Error ? error.message : String(error)}`],
    };
  }
  console.log(tableOf(outcomes[name].figures));
  for (const note of outcomes[name].notes ?? []) console.log(`    ${note}`);
  run.say(`${((performance.now() - began) / 1000).toFixed(0)} s`);
}

const figures: Figure[] = Object.values(outcomes).flatMap((outcome) => outcome.figures);
const missed = figures.filter((figure) => !meets(figure));
console.log(
  `\n${figures.filter(({ target }) => target !== undefined).length - missed.length} targets met, ${missed.length} missed`,
);
if (missed.length > 0) console.log(tableOf(missed));
console.log(`written: ${writeReport(run, outcomes)}`);
