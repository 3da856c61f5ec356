import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { blocksOf, typedLines } from "./documented.ts";
import { folderIn, freePort, shellOf, start, type, untilItAnswers } from "./installed-project.ts";
import { startLocalRegistry } from "./local-registry.ts";
import { packPackages, withFailureOutput } from "./packages.ts";
import { CommandFailed, ROOT } from "./run-command.ts";

const PAGE = "docs/mount.md";
const ROUTE = "app/api/v1/[...path]/route.ts";
const MAX_COMMANDS = 6;
/** The program that a person embeds the service with, and its output. */
const EMBEDDING = "examples/embed/index.ts";
const PRINTS = "grace@example.org: Please order paper.";
/** The versions of Node on which it must run; later ones where they can be had. */
const NODES = { 22: true, 24: true, 26: false };

interface Bench {
  home: string;
  shell: Record<string, string>;
  log: (line: string) => void;
}

/**
 * Builds and serves programs of frameworks and bundlers with the packed packages: a Next app as docs/mount.md says, typing its
 * lines, and a Vite SSR app; and runs the embedding program on several versions of Node, and on Bun. Needs a build.
 */
export async function checkFrameworks(log: (line: string) => void): Promise<void> {
  const packages = await packPackages(() => undefined);
  await withFailureOutput(() =>
    tryAll(
      packages.map(({ tarball }) => tarball),
      log,
    ),
  );
}

/** The same, from packed packages. */
async function tryAll(tarballs: string[], log: (line: string) => void): Promise<void> {
  const registry = await startLocalRegistry(tarballs);
  const home = mkdtempSync(join(tmpdir(), "letterslot-frameworks-"));
  try {
    const bench = { home, shell: await shellOf(home, registry.url), log };
    for (const each of [tryNext, tryVite, tryRuntimes]) await each(bench);
  } finally {
    registry.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Types the lines of the page in an empty folder; a mail that comes in is then the agent's. */
async function tryNext({ home, shell, log }: Bench): Promise<void> {
  const cwd = folderIn(home, "next");
  const [make = "", build = "", use = ""] = blocksOf(PAGE, "sh");
  const [route = ""] = blocksOf(PAGE, "ts");
  const [installs, serves, calls] = [make, build, use].map(typedLines);
  const commands = [installs, serves, calls].flat().length;
  if (commands > MAX_COMMANDS) throw new Error(`${PAGE} needs ${commands} commands for a Next app`);
  for (const line of installs ?? []) await type(line, cwd, shell);
  mkdirSync(dirname(join(cwd, ROUTE)), { recursive: true });
  writeFileSync(join(cwd, ROUTE), route);
  const port = await freePort();
  const [builds = "", runs = ""] = serves ?? [];
  const began = performance.now();
  await type(builds, cwd, { ...shell, NEXT_TELEMETRY_DISABLED: "1" });
  const seconds = Math.round((performance.now() - began) / 1000);
  const server = start("sh", ["-c", runs], cwd, { ...shell, PORT: `${port}`, NEXT_TELEMETRY_DISABLED: "1" });
  try {
    const base_url = `http://localhost:${port}`;
    await untilItAnswers(server, `${base_url}/api/v1/me`);
    const [opened = "", came = ""] = await typeAll(calls ?? [], cwd, shell, port);
    const { api_key, inbox } = JSON.parse(opened) as { api_key: string; inbox: { id: string } };
    if (!/"accepted": ?true/.test(came)) throw new Error(`the mail was answered with ${came}`);
    // A long one is read in a thread, which the bundler has to find.
    const [, secret = ""] = /INBOUND_SECRET=(\S+)/.exec(runs) ?? [];
    const long = await fetch(`${base_url}/api/v1/internal/inbound`, {
      method: "POST",
      headers: {
        "content-type": "message/rfc822",
        "x-svc-inbound-secret": secret,
        "x-svc-mail-from": "grace@example.org",
        "x-svc-rcpt-to": "ada@agents.example.com",
      },
      body: `From: grace@example.org\r\nSubject: Long\r\n\r\n${"word ".repeat(100_000)}`,
    });
    const listed = await fetch(`${base_url}/api/v1/inboxes/${inbox.id}/messages`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    const { data = [] } = (await listed.json()) as { data?: { subject: string }[] };
    const subjects = data.map(({ subject }) => subject).toSorted();
    if (long.status !== 200 || subjects.join() !== "Long,Paper")
      throw new CommandFailed("the Next app", `${long.status}, it has ${subjects.join()}`, server.said());
    log(`Next (Turbopack), ${commands} commands and one file: built in ${seconds} s, and mail comes in`);
  } finally {
    await server.stop();
  }
}

const VITE_SERVER = `
import { createServer } from "node:http";
import { createSqliteLetterslot } from "@letterslot/adapter-sqlite";
import { createApp } from "@letterslot/server";
import { toNodeHandler } from "@letterslot/server/node";

const letterslot = createSqliteLetterslot({ folder: "data", mailDomain: "agents.example.com" });
createServer(toNodeHandler(createApp({ letterslot }))).listen(Number(process.env.PORT), "127.0.0.1");
`;

async function tryVite({ home, shell, log }: Bench): Promise<void> {
  const cwd = folderIn(home, "vite");
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(cwd, "server.ts"), VITE_SERVER);
  await type("npm install vite@8 @letterslot/server", cwd, shell);
  await type("npx vite build --ssr server.ts", cwd, shell);
  const port = await freePort();
  const server = start("node", ["dist/server.js"], cwd, { ...shell, PORT: `${port}` });
  try {
    await untilItAnswers(server, `http://127.0.0.1:${port}/docs/`);
    log("Vite (SSR): built and served");
  } finally {
    await server.stop();
  }
}

async function tryRuntimes({ home, shell, log }: Bench): Promise<void> {
  const cwd = folderIn(home, "embed");
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(cwd, "index.ts"), readFileSync(join(ROOT, EMBEDDING)));
  await type("npm install @letterslot/adapter-sqlite", cwd, shell);
  const runs = async (program: string): Promise<void> => {
    rmSync(join(cwd, "data"), { recursive: true, force: true });
    const printed = await type(`${program} index.ts`, cwd, shell);
    if (!printed.includes(PRINTS)) throw new Error(`on ${program} the embedding program printed ${printed}`);
  };
  for (const [major, needed] of Object.entries(NODES)) {
    const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
    const folder = folderIn(home, `node-${major}`);
    const got = await type(`npm install --prefix ${folder} ${name}@${major}`, folder, shell).catch(
      (error: unknown) => {
        if (needed) throw error;
        return undefined;
      },
    );
    const program = join(folder, `node_modules/${name}/bin/node`);
    if (got === undefined) log(`Node ${major} couldn't be had`);
    else {
      await runs(program);
      log(`Node ${(await type(`${program} --version`, cwd, shell)).trim()} runs the embedding program`);
    }
  }
  const folder = folderIn(home, "bun");
  const bun = join(folder, "node_modules/.bin/bun");
  const version = await type(`npm install --prefix ${folder} bun@1 && ${bun} --version`, folder, shell).catch(
    () => undefined,
  );
  if (version === undefined) return log("Bun couldn't be had");
  await runs(bun);
  log(`Bun ${version.trim().split("\n").at(-1)} runs the embedding program`);
}

/** Types lines that call the server at the page's port. */
async function typeAll(
  lines: readonly string[],
  cwd: string,
  shell: Record<string, string>,
  port: number,
): Promise<string[]> {
  const printed: string[] = [];
  for (const line of lines)
    printed.push(
      await type(line.replaceAll("curl ", "curl -sS ").replaceAll(":3000", `:${port}`), cwd, shell),
    );
  return printed;
}
