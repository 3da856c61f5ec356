import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeConfig } from "./folders.ts";
import { PROGRAMS } from "./needs.ts";
import { type Service, startService } from "./service.ts";

/** notmuch, which finds new mail and indexes it, over and over. */
export interface Notmuch extends Service {
  /** Counts the indexed mails. */
  count(): Promise<number>;
}

/** The pause between two looks for new mail: shorter costs more CPU, longer makes mail wait. */
const PAUSE_S = 0.2;

/** Starts indexing all Maildirs below `mail`. */
export function startNotmuch(folder: string, mail: string): Notmuch {
  const config = join(folder, "notmuch", "config");
  writeConfig(config, [
    "[database]",
    `path=${mail}`,
    "[user]",
    "name=Bench",
    "primary_email=bench@agents.example.org",
    "[new]",
    "tags=unread;inbox",
    "ignore=/.*dovecot.*/;maildirfolder;subscriptions",
    "[maildir]",
    "synchronize_flags=false",
  ]);
  const environment = { NOTMUCH_CONFIG: config, HOME: folder };
  const options = { env: { ...process.env, ...environment } };
  execFileSync(PROGRAMS.notmuch, ["new", "--quiet"], options);
  const loop = `while :; do ${PROGRAMS.notmuch} new --quiet; sleep ${PAUSE_S}; done`;
  const service = startService("/bin/sh", ["-c", loop], environment);
  return {
    ...service,
    async count() {
      const { stdout } = await promisify(execFile)(PROGRAMS.notmuch, ["count", "*"], options);
      return Number(stdout);
    },
  };
}
