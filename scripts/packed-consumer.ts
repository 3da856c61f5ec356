import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CommandFailed, pnpm, ROOT, run } from "./run-command.ts";

/**
 * Installs the tarballs into an empty project outside the workspace, imports every export of every package in
 * Node, parses a mail in a worker thread, and type-checks the same imports including our declarations, and the
 * programs in the packages' READMEs. This shows what a package forgot to declare or to pack. Throws with the
 * failed command's output.
 */
export async function tryAsConsumer(packages: (PublishedPackage & { tarball: string })[]): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), "letterslot-consumer-"));
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  const tarballs = Object.fromEntries(packages.map(({ name, tarball }) => [name, `file:${tarball}`]));
  const specifiers = packages.flatMap(listSpecifiers);

  const dependencies = {
    ...tarballs,
    "@types/node": rootVersion("@types/node"),
    // The server's README mounts its app.
    "@hono/node-server": "*",
  };
  write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }));
  write("pnpm-workspace.yaml", consumerWorkspace(tarballs));
  write("imports.js", specifiers.map((specifier) => `await import("${specifier}");`).join("\n"));
  write("one-error.js", ONE_ERROR);
  write("read-mail.js", READ_IN_THREAD);
  write("lazy-imports.js", LAZY_IMPORTS);
  write(
    "types.ts",
    specifiers.map((specifier, index) => `export * as e${index} from "${specifier}";`).join("\n"),
  );
  write("client-types.ts", CLIENT_TYPES);
  for (const { name, directory } of packages)
    for (const [index, program] of programsIn(join(directory, "README.md")).entries())
      write(`readme-${name.replaceAll(/[@/]/g, "")}-${index}.ts`, program);
  write(
    "tsconfig.json",
    JSON.stringify({
      compilerOptions: CONSUMER_OPTIONS,
      include: ["types.ts", "client-types.ts", "readme-*.ts"],
    }),
  );

  try {
    await pnpm(["install", "--prefer-offline"], { cwd, quiet: true });
    await run("node", ["imports.js"], { cwd, quiet: true });
    await run("node", ["one-error.js"], { cwd, quiet: true });
    await run("node", ["read-mail.js"], { cwd, quiet: true });
    await run("node", ["lazy-imports.js"], { cwd, quiet: true });
    await checkTypes(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Whatever entrance of core an adapter imports, its errors are those that the service knows. */
const ONE_ERROR = `
import { LetterslotError } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";

if (!(fail("inbox_not_found") instanceof LetterslotError)) throw new Error("core has more than one LetterslotError");
`;

/** A worker is loaded by path, so the imports don't show whether it was packed. */
const READ_IN_THREAD = `
import { createMailParser } from "@letterslot/adapter-smtp";

const parser = createMailParser();
const raw = Buffer.from("Subject: Hi\\r\\n\\r\\n" + "word ".repeat(100_000));
const { text } = await parser.parse(raw, { screeningTimeoutMs: 1_000 });
await parser.close();
if (!text.startsWith("word word")) throw new Error("the worker parsed another mail");
`;

/**
 * Checks that lazily loaded packages export the names we use: a bundled CommonJS module has its default export alone.
 */
const LAZY_IMPORTS = `
import { globSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

let taken = 0;
const packages = globSync("node_modules/@letterslot/*").map((path) => realpathSync(path));
for (const file of packages.flatMap((cwd) => globSync("dist/**/*.js", { cwd }).map((each) => join(cwd, each)))) {
  const code = readFileSync(file, "utf8");
  for (const [, names, path] of code.matchAll(/\\{([^{}]*)\\}\\s*=\\s*await import\\("(\\.[^"]+)"\\)/g)) {
    const found = await import(join(dirname(file), path));
    for (const name of names.split(",").map((each) => each.split(":")[0].trim()).filter(Boolean)) {
      taken++;
      if (!(name in found)) throw new Error(file + " takes " + name + " from " + path + ", which hasn't it");
    }
  }
}
if (taken === 0) throw new Error("no lazy import was found");
`;

/** Checks the client's published types; they are printed, not taken from core's source. */
const CLIENT_TYPES = `
import { type Approval, createClient, type Draft, type ErrorCode, LetterslotApiError, whole } from "@letterslot/client";
import type { Inbox, LetterslotEvent, Message, Owner, Replayed, Task } from "@letterslot/client";

const client = createClient({ baseUrl: "http://localhost", apiKey: "ls_live_x" });
export async function use(): Promise<(Inbox | Message | Draft | Owner | Approval | Task | LetterslotEvent)[]> {
  const inbox: Inbox = whole(await client.inboxes.create({ username: "ada" }));
  const sent = await client.messages.send({ inbox_id: inbox.id, to: ["bo@example.org"], text: "Hi" });
  const made = whole(sent);
  if (made.object === "send_check") throw new Error("it was only tried");
  const mail: Message | Draft = made;
  const replay: Replayed | undefined = sent.object === "replayed" ? sent : undefined;
  // @ts-expect-error: a replay has no status
  if (replay !== undefined) sent.status;
  const owner = await client.owners.create({ inbox_id: inbox.id, email: "grace@example.com" });
  const held: Owner | Approval = owner.object === "owner" ? owner : whole(owner);
  const tasks: Task[] = [];
  for await (const task of client.tasks.list({ wait: 25, limit: 10 })) tasks.push(task);
  // @ts-expect-error: a wait is a number of seconds
  await client.tasks.list({ wait: "25" });
  // @ts-expect-error: no such field
  await client.messages.send({ inbox_id: inbox.id, to: ["bo@example.org"], body: "Hi" });
  const [event] = (await client.events.list()).data;
  if (event?.type === "message.bounced") event.data.recipients.includes("bo@example.org");
  return [inbox, mail, held, ...tasks, ...(event === undefined ? [] : [event])];
}
export function isGone(error: unknown): boolean {
  const gone: ErrorCode = "inbox_not_found";
  return error instanceof LetterslotApiError && (error.code === gone || error.code === "connection_failed");
}
`;

const CONSUMER_OPTIONS = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: ["node"],
};

/** Third-party declarations have their own errors: only errors in ours, or in importing them, count. */
async function checkTypes(cwd: string): Promise<void> {
  const tsc = join(ROOT, "node_modules/ts7/bin/tsc");
  await run("node", [tsc, "--pretty", "false"], { cwd, quiet: true }).catch((error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error;
    const ours = error.output
      .split("\n")
      .filter((line) => /^types\.ts|^client-types\.ts|^readme-|\/@letterslot\/[^/]+\/dist\//.test(line));
    if (ours.length > 0) throw new CommandFailed("tsc", 1, ours.join("\n"));
  });
}

/** The TypeScript programs that a README shows. */
function programsIn(path: string): string[] {
  return [...readFileSync(path, "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, program = ""]) => program);
}

function rootVersion(name: string): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const version = manifest.devDependencies[name];
  if (version === undefined) throw new Error(`${name} is not a dev dependency of the workspace`);
  return version;
}

/**
 * The packages depend on each other by version; the overrides replace these versions with the tarballs.
 * Without hoisting, a package sees only its declared dependencies.
 */
function consumerWorkspace(tarballs: Record<string, string>): string {
  const overrides = Object.entries(tarballs).map(([name, tarball]) => `  "${name}": "${tarball}"`);
  // BullMQ's optional native dependency has a build script, which a consumer must allow or deny.
  const builds = ["allowBuilds:", "  msgpackr-extract: false"];
  return ["packages: []", "hoist: false", ...builds, "overrides:", ...overrides, ""].join("\n");
}

function listSpecifiers({ name, directory }: PublishedPackage): string[] {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    exports: Record<string, string>;
  };
  return Object.keys(manifest.exports).map((path) => name + path.slice(1));
}

/** A package to publish: its name, and its folder as an absolute path. */
export interface PublishedPackage {
  name: string;
  directory: string;
  /** How many paths of it can be imported. */
  exports: number;
}
