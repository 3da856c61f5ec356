import { parseArgs } from "node:util";
import { GUARDS } from "./guards/all.ts";
import { copyWorkspace } from "./guards/copy.ts";
import { type Outcome, passesWith, tryGuard } from "./guards/try-guards.ts";
import { neededFor, provideNeeds } from "./needs.ts";
import { duration, styled } from "./terminal.ts";

const HELP = `Removes each guard of scripts/guards, one at a time, in a copy of the workspace, and runs the test that must then fail.

Usage: npx -y pnpm@12 guards [options] [part of a name…]

Options:
  --check      first run each test with its guard in place: it must pass
  --from <n>   start at the n-th guard, to resume an interrupted run
  --help       show this help

The last line says how many guards could be removed without a failing test. A full run takes a quarter of an hour, or
half an hour on a busy machine.
`;

const OUTCOME_TEXTS: Record<Outcome, string> = {
  seen: "its test fails without it",
  unseen: "NO TEST FAILS without it",
  broken: "its test could not be run, which proves nothing",
};

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: {
      check: { type: "boolean", default: false },
      from: { type: "string", default: "1" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const first = Number(values.from);
  if (!(first >= 1)) throw new Error(`--from must be a number of at least 1, not ${values.from}.`);
  const asked = GUARDS.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  const env = await provideNeeds(
    (line) => console.log(`  ${line}`),
    neededFor(asked.map(({ test: [file] }) => file)),
  );
  const began = performance.now();
  const copy = await copyWorkspace();
  const unseen: string[] = [];
  const tried = Math.max(asked.length - first + 1, 0);
  try {
    for (const [index, guard] of asked.entries().drop(first - 1)) {
      const good = !values.check || (await passesWith(copy.folder, guard, env));
      const outcome = good ? await tryGuard(copy.folder, guard, env) : "broken";
      if (outcome !== "seen") unseen.push(guard.name);
      const line = `[${index + 1}/${asked.length}] ${guard.name}: ${OUTCOME_TEXTS[outcome]}`;
      console.log(outcome === "seen" ? line : styled("red", `${line} (${guard.test[0]})`));
    }
  } finally {
    copy.remove();
  }
  const summary = `${tried - unseen.length} guards proved to be needed, ${unseen.length} not`;
  console.log(`${summary}, ${duration(performance.now() - began)}`);
  return tried > 0 && unseen.length === 0 ? 0 : 1;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
});
