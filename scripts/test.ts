import { parseArgs } from "node:util";
import { CommandFailed } from "./run-command.ts";
import { STEPS, type Step, selectSteps, TestsFailed } from "./steps.ts";
import { duration, styled } from "./terminal.ts";

const HELP = `Runs every check that a change must pass, and stops at the first failure.

Usage: npx -y pnpm@12 test [options] [test files…]

Options:
  --only <steps>   run only these steps, separated by commas
  --skip <steps>   skip these steps
  --keep-going     continue after a failure
  --help           show this help

Steps:
${STEPS.map((step) => `  ${step.name.padEnd(10)} ${step.title}${step.on_request ? "; only with --only" : ""}`).join("\n")}

With names of test files, only the step "tests" runs, on these files.
`;

interface Outcome {
  step: Step;
  ms: number;
  failed: boolean;
  last: string | undefined;
}

async function main(): Promise<number> {
  const args = process.argv.slice(2).filter((argument) => argument !== "--");
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: "string" },
      skip: { type: "string" },
      "keep-going": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }

  const only = positionals.length > 0 ? ["tests"] : splitNames(values.only);
  const skipped = selectSteps(splitNames(values.skip));
  const steps = (only.length > 0 ? selectSteps(only) : STEPS.filter(({ on_request }) => !on_request)).filter(
    (step) => !skipped.includes(step),
  );
  for (const step of steps) step.prepare?.(positionals);
  const outcomes: Outcome[] = [];
  for (const [index, step] of steps.entries()) {
    console.log(styled("bold", `\n[${index + 1}/${steps.length}] ${step.title}`));
    const outcome = await runStep(step, positionals);
    outcomes.push(outcome);
    if (outcome.failed && !values["keep-going"]) break;
  }
  report(outcomes, steps.length);
  return outcomes.some((outcome) => outcome.failed) ? 1 : 0;
}

async function runStep(step: Step, filters: string[]): Promise<Outcome> {
  const began = performance.now();
  try {
    const last = await step.run(filters);
    return { step, ms: performance.now() - began, failed: false, last: last ?? undefined };
  } catch (error) {
    const ms = performance.now() - began;
    if (error instanceof TestsFailed) return { step, ms, failed: true, last: error.message };
    if (!(error instanceof CommandFailed))
      console.log(error instanceof Error ? error.message : String(error));
    return { step, ms, failed: true, last: undefined };
  }
}

/** Prints the durations, the advice for each failure, and finally the test counts as a plain line. */
function report(outcomes: Outcome[], planned: number): void {
  console.log("");
  for (const { step, ms, failed } of outcomes) {
    const mark = failed ? styled("red", "failed") : styled("green", "ok    ");
    console.log(`${mark} ${step.name.padEnd(10)} ${duration(ms)}`);
  }
  console.log(`       ${"total".padEnd(10)} ${duration(outcomes.reduce((sum, { ms }) => sum + ms, 0))}`);
  for (const { step } of outcomes.filter(({ failed }) => failed)) {
    console.log(`\n${styled("red", `"${step.name}" failed.`)} ${step.advice}`);
  }
  if (outcomes.length < planned)
    console.log(`${planned - outcomes.length} steps were not run; --keep-going runs them.`);
  for (const { last } of outcomes) if (last) console.log(last);
}

function splitNames(list: string | undefined): string[] {
  return (list ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});
