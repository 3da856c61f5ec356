import { type Guard, guard } from "./guard.ts";

const config = "packages/cli/src/profile/config-file.ts";
const connecting = "packages/cli/src/profile/connect.ts";
const keeping = "packages/cli/src/profile/config-file.test.ts";
const login = "test/cli/login.test.ts";
const texts = "packages/cli/src/frame/text.test.ts";

/** What the command line keeps, whom it sends it to, and what it shows. */
export const cli: Guard[] = [
  guard(
    "command line: a configuration that others can write isn't read",
    [config, "if ((mode & OTHERS_MAY_WRITE) === 0 && !foreign) return;", "if (mode !== 0) return;"],
    [keeping, "it isn't read if others can write the file"],
  ),
  guard(
    "command line: keys are kept where only their user reads",
    [
      "packages/cli/src/frame/write-file.ts",
      `openSync(temporary, "wx", 0o600)`,
      `openSync(temporary, "wx", 0o644)`,
    ],
    [keeping, "it is for its user alone"],
  ),
  guard(
    "command line: a profile's key goes to its own server only",
    [
      connecting,
      "profile !== undefined && sameServer(profile.url, base_url)",
      'profile !== undefined && base_url !== ""',
    ],
    [keeping, "a profile's key goes to its own server only"],
  ),
  guard(
    "command line: a login takes the answer to its own question only",
    [
      "packages/cli/src/profile/browser.ts",
      'searchParams.get("state") === state',
      'searchParams.has("state")',
    ],
    [login, "comes back to this machine"],
  ),
  guard(
    "command line: a login's answer is from the server that was asked",
    ["packages/cli/src/commands/login.ts", ' || answer?.get("iss") !== issuer', ""],
    [login, "answered by another server gets nothing"],
  ),
  guard(
    "command line: a login goes to the server that was named",
    ["packages/cli/src/profile/oauth.ts", "if (issuer !== base_url)", 'if (issuer === "")'],
    [login, "a server that is called otherwise"],
  ),
  guard(
    "command line: a terminal obeys nothing that a stranger wrote",
    ["packages/cli/src/frame/text.ts", 'text.replace(UNSHOWN, " ").replace', "text.replace"],
    [texts, "obeys nothing"],
  ),
  guard(
    "command line: JSON on a terminal has nothing that it would obey",
    ["packages/cli/src/frame/text.ts", ".replace(UNESCAPED, ", ".replace(/^$/, "],
    [texts, "is safe as JSON"],
  ),
];
