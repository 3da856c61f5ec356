import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The facts about a machine that decide whether the stack can run there. */
export interface Machine {
  exists(path: string): boolean;
  /** The text of /etc/passwd. */
  users: string;
  root: boolean;
}

/** The programs as Debian's packages install them. `/usr/sbin` is on few users' PATH. */
export const PROGRAMS = {
  postfix: "/usr/sbin/postfix",
  rspamd: "/usr/bin/rspamd",
  "dovecot-core": "/usr/sbin/dovecot",
  "dovecot-lmtpd": "/usr/lib/dovecot/lmtp",
  notmuch: "/usr/bin/notmuch",
};

/** The users that the programs run as; Debian's packages create them. */
const USERS = ["postfix", "_rspamd", "dovecot", "dovenull", "nobody"];

/** Why the stack can't run on a machine, as a sentence; undefined if it can. */
export function whyNot({ exists, users, root }: Machine): string | undefined {
  const packages = Object.entries(PROGRAMS).filter(([, path]) => !exists(path));
  if (packages.length > 0)
    return `skipped: the stack needs Debian's packages; apt-get install --no-install-recommends ${packages.map(([name]) => name).join(" ")}`;
  const missing = USERS.filter((name) => !new RegExp(`^${name}:`, "m").test(users));
  if (missing.length > 0) return `skipped: the stack runs as users that are not here: ${missing.join(", ")}`;
  if (!root) return "skipped: Postfix and Dovecot need root, to run their parts as different users";
  return undefined;
}

/** This machine. */
export const thisMachine = (): Machine => ({
  exists: existsSync,
  users: existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "",
  root: process.getuid?.() === 0,
});

/** The numeric user and group of a name in /etc/passwd. */
export function idsOf(name: string): { uid: number; gid: number } {
  const line = readFileSync(join("/etc", "passwd"), "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}
