import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./run-command.ts";

/** A part of a page that leads with a clone's commands until the packages are on npm, and with npm's from then on. */
interface FirstLines {
  page: string;
  clone: string;
  npm: string;
}

const CONSOLE =
  "People see and decide on the [console](docs/console.md), at <http://localhost:8025/console/>.";
const TOUR = `Open <http://localhost:8025/console/> to see it as people do ([the console](console.md)). [The tour](tour.md) plays the
same by hand, in ten commands.
`;
const ALL = "# an agent, its owner, a forged mail, an approval: nothing to set up";
const SERVICE = "# the service: http://localhost:8025, SMTP on port 2525, all data in ./data";
const TESTS = "# linters, types, package checks and every test";
/** The short name is the README's alone. */
const SHORT = "letterslot";

const PARTS: readonly FirstLines[] = [
  {
    page: "README.md",
    clone: `\`\`\`sh
npx -y pnpm@12 demo    # from a clone: an agent, its owner, a forged mail, an approval; nothing to set up
npx -y pnpm@12 start   ${SERVICE}
npx -y pnpm@12 test    ${TESTS}
\`\`\`

A machine with Node 20 or newer and npm needs nothing else. ${CONSOLE}
From npm (0.1 and later), the first line is \`npx -y ${SHORT} demo\`.
`,
    npm: `\`\`\`sh
npx -y ${SHORT} demo           ${ALL}
npx -y @letterslot/cli serve   ${SERVICE}
\`\`\`

A machine with Node 22.19 or newer needs nothing else. ${CONSOLE}
From a clone (Node 20 is enough) these are \`npx -y pnpm@12 demo\` and \`npx -y pnpm@12 start\`, and \`npx -y pnpm@12 test\` runs every test.
`,
  },
  {
    page: "docs/getting-started.md",
    clone: `## From a clone

You need Node 20 or newer and npm; the workspace brings its own Node 24 and everything else.

\`\`\`sh
npx -y pnpm@12 demo    ${ALL}
npx -y pnpm@12 start   ${SERVICE}
npx -y pnpm@12 test    ${TESTS}
\`\`\`

${TOUR}
Everything below is from npm (0.1 and later).
`,
    npm: `## The first minute

\`\`\`sh
npx -y @letterslot/cli demo    ${ALL}
npx -y @letterslot/cli serve   ${SERVICE}
\`\`\`

From a clone, \`npx -y pnpm@12 demo\` and \`npx -y pnpm@12 start\` do the same, and \`npx -y pnpm@12 test\` runs every check; Node 20 is enough
for that. ${TOUR}`,
  },
];

/** The pages of which a part turns around. */
export const PAGES: readonly string[] = PARTS.map(({ page }) => page);

/** Whether the packages are on npm: the one switch, `on_npm` in the root's package.json. */
export const isOnNpm = (): boolean => (JSON.parse(read("package.json")) as { on_npm: boolean }).on_npm;

/** A page's text with its part turned as wanted. Throws if it has neither of the two. */
export function turned(page: string, text: string, on_npm: boolean): string {
  const part = PARTS.find((each) => each.page === page);
  const wanted = on_npm ? part?.npm : part?.clone;
  const other = on_npm ? part?.clone : part?.npm;
  if (wanted === undefined || other === undefined) throw new Error(`${page} has no first lines`);
  if (text.includes(wanted)) return text;
  if (!text.includes(other)) throw new Error(`${page} has other first lines than scripts/first-lines.ts`);
  return text.replace(other, () => wanted);
}

/** The files that say how a program starts the CLI: a client of models, or an agent with a pairing code. */
export const CLIENTS: readonly string[] = [
  "README.md",
  "docs/mcp.md",
  "docs/getting-started.md",
  "docs/pairing.md",
  "packages/cli/src/commands/mcp.ts",
  "packages/client/skills/letterslot/SKILL.md",
  "packages/core/src/account/pairing/ways-to-use.ts",
  "packages/mcp/src/prompts.ts",
];

/** A text whose lines for programs name the CLI's minor version: npx would take any that it fetched once. */
export const withVersion = (text: string, version: string): string =>
  text.replace(
    /(@letterslot\/cli)(?:@[\d.]+)?(?=(?:", "| )mcp| init --url)/g,
    `$1@${version.split(".").slice(0, 2).join(".")}`,
  );

/** The version of the CLI that this is. */
export const cliVersion = (): string =>
  (JSON.parse(read("packages/cli/package.json")) as { version: string }).version;

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

if (import.meta.main) {
  if (process.argv.includes("--on-npm"))
    writeFileSync(
      join(ROOT, "package.json"),
      read("package.json").replace('"on_npm": false', '"on_npm": true'),
    );
  for (const page of PAGES) writeFileSync(join(ROOT, page), turned(page, read(page), isOnNpm()));
  for (const file of CLIENTS) writeFileSync(join(ROOT, file), withVersion(read(file), cliVersion()));
}
