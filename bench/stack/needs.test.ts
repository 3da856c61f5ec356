import { expect, test } from "vitest";
import { type Machine, PROGRAMS, whyNot } from "./needs.ts";

const users = ["postfix", "_rspamd", "dovecot", "dovenull", "nobody"]
  .map((name) => `${name}:x:1:1::/:`)
  .join("\n");
const whole: Machine = { exists: () => true, users, root: true };

test.each<[name: string, machine: Partial<Machine>, said: string | undefined]>([
  ["with everything", {}, undefined],
  [
    "without notmuch",
    { exists: (path) => path !== PROGRAMS.notmuch },
    "skipped: the stack needs Debian's packages; apt-get install --no-install-recommends notmuch",
  ],
  [
    "without Dovecot",
    { exists: (path) => !path.includes("dovecot") },
    "skipped: the stack needs Debian's packages; apt-get install --no-install-recommends dovecot-core dovecot-lmtpd",
  ],
  [
    "without a user",
    { users: users.replace("dovenull", "somebody") },
    "skipped: the stack runs as users that are not here: dovenull",
  ],
  [
    "where a user's name only ends like it",
    { users: users.replace("nobody", "anybody\nxnobody") },
    "skipped: the stack runs as users that are not here: nobody",
  ],
  [
    "without root",
    { root: false },
    "skipped: Postfix and Dovecot need root, to run their parts as different users",
  ],
])("a machine %s", (_, machine, said) => {
  expect(whyNot({ ...whole, ...machine })).toBe(said);
});
