import { join } from "node:path";
import { makeFolder, writeConfig } from "./folders.ts";
import { idsOf, PROGRAMS } from "./needs.ts";
import { type Service, startService } from "./service.ts";

/** The user that owns the mail. */
const MAIL_USER = "nobody";

/** Starts Dovecot's LMTP at the socket `lmtp`; it stores each address's mail as a Maildir below `mail`. */
export function startDovecot(folder: string, { lmtp, mail }: { lmtp: string; mail: string }): Service {
  const home = makeFolder(join(folder, "dovecot"));
  makeFolder(mail, MAIL_USER);
  const { uid, gid } = idsOf(MAIL_USER);
  const config = join(home, "dovecot.conf");
  writeConfig(config, [
    "protocols = lmtp",
    `base_dir = ${join(home, "run")}`,
    `state_dir = ${join(home, "state")}`,
    `log_path = ${join(home, "dovecot.log")}`,
    "ssl = no",
    "listen = 127.0.0.1",
    `mail_location = maildir:${mail}/%n/Maildir`,
    "first_valid_gid = 1",
    "passdb {",
    "  driver = static",
    "  args = nopassword=y",
    "}",
    "userdb {",
    "  driver = static",
    `  args = uid=${uid} gid=${gid} home=${mail}/%n allow_all_users=yes`,
    "}",
    "service lmtp {",
    "  process_limit = 50",
    `  unix_listener ${lmtp} {`,
    "    mode = 0666",
    "  }",
    "}",
  ]);
  return startService(PROGRAMS["dovecot-core"], ["-F", "-c", config]);
}
