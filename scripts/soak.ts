import { parseArgs } from "node:util";
import { proofSeed } from "../test/support/case-count.ts";
import { provideNeeds } from "./needs.ts";
import { run } from "./run-command.ts";
import { soakMemory } from "./soak-memory.ts";
import { soakStreams } from "./soak-streams.ts";
import { duration, styled } from "./terminal.ts";

const HELP = `Tries for long what "test" tries for seconds: random requests and mail, races, a model, 10,000 streams, memory under load.

Usage: npx -y pnpm@12 soak [options] [test files…]

Options:
  --only <part>     "proofs" (test/proofs, kill -9 and chaos with many more cases), "streams" (10,000 idle ones on a real server) or
                    "memory" (rounds of load and rest on a real server)
  --minutes <n>     how long the rounds of load and rest take together; 5 unless stated
  --seed <n>        another seed for what is random, which is always the same unless stated
  --help            show this

It says how far it is all the way, and in its last line how it went. With names of test files, only those proofs run.
`;

const defaultMinutes = 5;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: {
      only: { type: "string" },
      minutes: { type: "string", default: String(defaultMinutes) },
      seed: { type: "string", default: String(proofSeed) },
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
    proofs: () => proofs(positionals, seed),
    streams: soakStreams,
    memory: () => soakMemory(minutes, seed),
  };
  const parts = positionals.length > 0 ? ["proofs"] : [values.only ?? Object.keys(soaks)].flat();

  const began = performance.now();
  const troubles: string[] = [];
  for (const [index, part] of parts.entries()) {
    const soak = soaks[part];
    if (soak === undefined) throw new Error(`There is no part ${part}.`);
    console.log(styled("bold", `\n[${index + 1}/${parts.length}] ${part}`));
    troubles.push(...(await soak()));
  }
  for (const trouble of troubles) console.log(styled("red", trouble));
  const told = troubles.length === 0 ? "soak passed" : `soak failed, ${troubles.length} troubles`;
  console.log(`${told}: ${parts.join(" and ")}, ${duration(performance.now() - began)}`);
  return troubles.length === 0 ? 0 : 1;
}

async function proofs(files: string[], seed: number): Promise<string[]> {
  const needs = await provideNeeds((line) => console.log(`  ${line}`));
  console.log(`  seed ${seed}`);
  const env = { ...needs, SOAK: "1", PROOF_SEED: String(seed) };
  const named = files.length > 0 ? files : ["test/proofs", "test/crash.test.ts", "test/chaos.test.ts"];
  // Verbose names each test as it ends; the long ones say themselves how many of their cases are done.
  return run("vitest", ["run", "--reporter=verbose", ...named], { env }).then(
    () => [],
    () => [`A proof failed with seed ${seed}; what it says stands above.`],
  );
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});
