import { type Figure, type Metric, meets, type Outcome, type Run } from "./metric.ts";
import { METRICS } from "./metrics.ts";
import { formatTable } from "./report/table.ts";
import { writeReport } from "./report/write-report.ts";

const USAGE = `pnpm bench [NAME …] [--full] [--quick]

Compares Letterslot with minimal programs ("floors") in the same run. Without a NAME, measures all of:
${Object.keys(METRICS).join(", ")}.
  --full    goes up to 1,000,000 stored mails instead of 100,000 (the first run builds that store)
  --quick   short rounds and 10,000 mails, to check that the programs themselves work
`;

const quick = process.argv.includes("--quick");
const run: Run = {
  mails: process.argv.includes("--full") ? 1_000_000 : quick ? 10_000 : 100_000,
  rounds: quick ? 2 : 5,
  round_ms: quick ? 1_000 : 3_000,
  seed: 20_261_120,
  quick,
  log: (line) => console.log(`    ${line}`),
};

const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const chosen = names.length === 0 ? Object.keys(METRICS) : names;
const unknown = chosen.filter((name) => METRICS[name] === undefined);
if (unknown.length > 0 || process.argv.includes("--help")) {
  process.stdout.write(
    unknown.length === 0 ? USAGE : `There is no metric ${unknown.join(", ")}.\n\n${USAGE}`,
  );
  process.exit(unknown.length === 0 ? 0 : 1);
}

const outcomes: Record<string, Outcome> = {};
for (const [index, name] of chosen.entries()) {
  const { title, measure } = METRICS[name] as Metric;
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
  console.log(formatTable(outcomes[name].figures));
  for (const note of outcomes[name].notes ?? []) console.log(`    ${note}`);
  run.log(`${((performance.now() - began) / 1000).toFixed(0)} s`);
}

const figures: Figure[] = Object.values(outcomes).flatMap((outcome) => outcome.figures);
const missed = figures.filter((figure) => !meets(figure));
console.log(
  `\n${figures.filter(({ target }) => target !== undefined).length - missed.length} targets met, ${missed.length} missed`,
);
if (missed.length > 0) console.log(formatTable(missed));
console.log(`written: ${writeReport(run, outcomes)}`);
