import { provideNeeds } from "./needs.ts";
import { buildPackages, checkTarballs } from "./packages.ts";
import { run } from "./run-command.ts";
import { styled } from "./terminal.ts";
import { runVitest } from "./vitest.ts";

/**
 * One check of the test command. `run` throws when the check fails; what it returns is printed as the last
 * line of all.
 */
export interface Step {
  name: string;
  title: string;
  /** What to do when it fails. */
  advice: string;
  run(filters: string[]): Promise<string | void>;
}

const say = (line: string): void => console.log(`  ${line}`);
const colors = process.stdout.isTTY ? "force" : "off";

/** All checks, in the order in which they run: the quick ones first. */
export const STEPS: Step[] = [
  {
    name: "format",
    title: "Format and style (biome)",
    advice: "Run `npx -y pnpm@12 format`; what is left needs a hand.",
    run: async () => void (await run("biome", ["check", "--error-on-warnings", `--colors=${colors}`])),
  },
  {
    name: "lint",
    title: "Likely mistakes (oxlint, with types)",
    advice:
      "Mend the code; where a rule is wrong for this project, turn it off in .oxlintrc.json and say why.",
    run: async () => void (await run("oxlint", ["--type-aware", "--deny-warnings"])),
  },
  {
    name: "types",
    title: "Types",
    advice: "Mend the types; `npx -y pnpm@12 typecheck` runs this alone.",
    run: async () => void (await run("node", ["node_modules/ts7/bin/tsc", "--noEmit"])),
  },
  {
    name: "imports",
    title: "Who imports whom (dependency-cruiser)",
    advice: "See ARCHITECTURE.md: move the code, or hand the thing in through a port.",
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
    advice: "Delete what nothing uses, or drop its `export`.",
    run: async () => void (await run("knip", ["--no-progress", "--no-config-hints"])),
  },
  {
    name: "build",
    title: "Build of the published packages (tsup)",
    advice: "Mend what the builder says; `--only build` runs this alone.",
    run: () => buildPackages(say),
  },
  {
    name: "packages",
    title: "The packed packages (publint, attw)",
    advice: "Look at `exports` and `publishConfig` in the package's package.json.",
    run: () => checkTarballs(say),
  },
  {
    name: "tests",
    title: "Tests (vitest)",
    advice: "Run one file alone with `npx -y pnpm@12 exec vitest run <path>`.",
    run: async (filters) => {
      const environment = await provideNeeds(say);
      const { summary, failed } = await runVitest(environment, filters);
      if (failed) throw new TestsFailed(summary);
      return summary;
    },
  },
];

/** Tests failed, or their coverage is under its threshold; the message is the line `N passed, N failed`. */
export class TestsFailed extends Error {
  override name = "TestsFailed";
}

/** The steps with these names, in the order of STEPS; throws for a name that is none. */
export function stepsNamed(names: string[]): Step[] {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    const known = STEPS.map((step) => step.name).join(", ");
    throw new Error(`No step is called ${styled("bold", unknown.join(", "))}; there are ${known}.`);
  }
  return STEPS.filter((step) => names.includes(step.name));
}
