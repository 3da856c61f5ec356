import { parseArgs } from "node:util";
import { PROOF_SEED } from "../test/support/case-count.ts";
import { neededFor, provideNeeds } from "./needs.ts";
import { run } from "./run-command.ts";
import { soakMemory } from "./soak-memory.ts";
import { soakStreams } from "./soak-streams.ts";
import { duration, styled } from "./terminal.ts";

const HELP = `Runs the random tests for longer than "test" does: random requests and mail, races, a model, 10,000 streams, memory under load.

Usage: npx -y pnpm@12 soak [options] [test files…]

Options:
  --only <part>     "proofs" (test/proofs, kill -9 and chaos with many more cases), "streams" (10,000 idle ones on a real server) or
                    "memory" (rounds of load and rest on a real server)
  --minutes <n>     total duration of the rounds of load and rest; default 5
  --seed <n>        seed of the random cases; the default is always the same
  --help            show this help

It prints its progress, and the result in its last line. With names of test files, only those proofs run.
`;

const DEFAULT_MINUTES = 5;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: {
      only: { type: "string" },
      minutes: { type: "string", default: String(DEFAULT_MINUTES) },
      seed: { type: "string", default: String(PROOF_SEED) },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}.`);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be a whole number, not ${values.seed}.`);
  const soaks: Record<string, () => Promise<string[]>> = {
    proofs: () => runProofs(positionals, seed),
    streams: soakStreams,
    memory: () => soakMemory(minutes, seed),
  };
  const parts = positionals.length > 0 ? ["proofs"] : [values.only ?? Object.keys(soaks)].flat();

  const began = performance.now();
  const problems: string[] = [];
  for (const [index, part] of parts.entries()) {
    const soak = soaks[part];
    if (soak === undefined) throw new Error(`There is no part ${part}.`);
    console.log(styled("bold", `\n[${index + 1}/${parts.length}] ${part}`));
    problems.push(...(await soak()));
  }
  for (const problem of problems) console.log(styled("red", problem));
  const told = problems.length === 0 ? "soak passed" : `soak failed, ${problems.length} problems`;
  console.log(`${told}: ${parts.join(" and ")}, ${duration(performance.now() - began)}`);
  return problems.length === 0 ? 0 : 1;
}

async function runProofs(files: string[], seed: number): Promise<string[]> {
  const named = files.length > 0 ? files : ["test/proofs", "test/crash.test.ts", "test/chaos.test.ts"];
  const needs = await provideNeeds((line) => console.log(`  ${line}`), neededFor(named));
  console.log(`  seed ${seed}`);
  const env = { ...needs, SOAK: "1", PROOF_SEED: String(seed) };
  // The verbose reporter names each test as it ends; long tests print their own progress.
  return run("vitest", ["run", "--reporter=verbose", ...named], { env }).then(
    () => [],
    () => [`A proof failed with seed ${seed}; see its output above.`],
  );
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});
