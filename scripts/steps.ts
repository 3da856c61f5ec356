import { checkFrameworks } from "./frameworks.ts";
import { neededFor, provideNeeds, tryOutPostgres } from "./needs.ts";
import { buildPackages, checkTarballs } from "./packages.ts";
import { run } from "./run-command.ts";
import { styled } from "./terminal.ts";
import { runVitest } from "./vitest.ts";

/** One check of the test command. `run` throws if it fails; a returned text is printed at the very end. */
export interface Step {
  name: string;
  title: string;
  /** The remedy if it fails. */
  advice: string;
  /** Runs only when it is named: it takes long, and is for a release or repeats what others check in one place. */
  on_request?: true;
  /** Begins what `run` will need, beside the steps before it; `run` throws if that fails. */
  prepare?(filters: string[]): void;
  run(filters: string[]): Promise<string | void>;
}

const log = (line: string): void => console.log(`  ${line}`);
const COLORS = process.stdout.isTTY ? "force" : "off";

let needs: Promise<{ environment: Record<string, string>; lines: string[] }> | undefined;

/** Finds the programs that these tests need, once, and the lines to print about them. */
function findNeeds(filters: string[]): NonNullable<typeof needs> {
  if (needs !== undefined) return needs;
  const lines: string[] = [];
  needs = provideNeeds((line) => void lines.push(line), neededFor(filters)).then((environment) => ({
    ...{ environment, lines },
  }));
  // A later `await` gets the error.
  needs.catch(() => undefined);
  return needs;
}

/** All checks in the order in which they run, the fast ones first. */
export const STEPS: Step[] = [
  {
    name: "format",
    title: "Format and style (biome)",
    advice: "Run `npx -y pnpm@12 format`, and fix the rest by hand.",
    run: async () => void (await run("biome", ["check", "--error-on-warnings", `--colors=${COLORS}`])),
  },
  {
    name: "lint",
    title: "Likely mistakes (oxlint, with types)",
    advice: "Fix the code; if a rule is wrong for this project, turn it off in .oxlintrc.json and say why.",
    run: async () => void (await run("oxlint", ["--type-aware", "--deny-warnings"])),
  },
  {
    name: "types",
    title: "Types",
    advice: "Fix the types; `npx -y pnpm@12 typecheck` runs only this.",
    async run() {
      await run("node", ["node_modules/ts7/bin/tsc", "--noEmit"]);
      // What runs in a browser has its own types.
      await run("node", ["node_modules/ts7/bin/tsc", "--noEmit", "-p", "packages/console/app"]);
    },
  },
  {
    name: "imports",
    title: "Who imports whom (dependency-cruiser)",
    advice: "See ARCHITECTURE.md: move the code, or pass the dependency in through a port.",
    run: async () =>
      void (await run("depcruise", [
        "packages",
        "examples",
        "scripts",
        "--config",
        ".dependency-cruiser.mjs",
      ])),
  },
  {
    name: "unused",
    title: "Dead code and dependencies (knip)",
    advice: "Delete unused code, or drop its `export`.",
    run: async () => void (await run("knip", ["--no-progress", "--no-config-hints"])),
  },
  {
    name: "build",
    title: "Build of the published packages (tsup)",
    advice: "Fix the build errors; `--only build` runs only this.",
    run: () => buildPackages(log),
  },
  {
    name: "packages",
    title: "The packed packages (publint, attw)",
    advice: "Check `exports` and `publishConfig` in the package's package.json.",
    run: () => checkTarballs(log),
  },
  {
    name: "tests",
    title: "Tests, and every branch of a rule in one of them (vitest)",
    advice:
      "Run a single file with `npx -y pnpm@12 exec vitest run <path>`; add the case of a branch to its rule's table.",
    prepare: (filters) => void findNeeds(filters),
    run: (filters) => runTests({}, filters),
  },
  {
    name: "frameworks",
    title: "Next, Vite, versions of Node and Bun, with the packed packages",
    advice: "Run `--only build,frameworks`; docs/mount.md has the lines that are typed.",
    on_request: true,
    run: () => checkFrameworks(log),
  },
  {
    name: "storages",
    title:
      "All cases of the tests that take some of them beside the others, and features on SQLite and PostgreSQL (vitest)",
    advice:
      "Run a single file with `LETTERSLOT_TEST_STORAGE=sqlite,postgres npx -y pnpm@12 exec vitest run <path>`.",
    on_request: true,
    prepare: (filters) => void findNeeds(filters),
    run: (filters) => runTests({ LETTERSLOT_TEST_STORAGE: "sqlite,postgres" }, filters),
  },
];

async function runTests(storages: Record<string, string>, filters: string[]): Promise<string> {
  const { environment, lines } = await findNeeds(filters);
  lines.forEach(log);
  if (filters.length === 0) await tryOutPostgres();
  const { summary, failed } = await runVitest({ ...environment, ...storages }, filters);
  if (failed) throw new TestsFailed(summary);
  return summary;
}

/** Tests failed; the message is the line `N passed, N failed`. */
export class TestsFailed extends Error {
  override name = "TestsFailed";
}

/** Returns the steps with these names, in the order of STEPS; throws on an unknown name. */
export function selectSteps(names: string[]): Step[] {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    const known = STEPS.map((step) => step.name).join(", ");
    throw new Error(`Unknown step ${styled("bold", unknown.join(", "))}; the steps are ${known}.`);
  }
  return STEPS.filter((step) => names.includes(step.name));
}
