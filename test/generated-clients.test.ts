import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";

/**
 * The page about generated clients, taken at its word: its commands generate clients from the document of a real server, its
 * programs compile by our own strict settings, and then they run.
 */

const ROOT = join(import.meta.dirname, "..");
const TIMEOUT_MS = 120_000;
const SHOWN_URL = "http://localhost:8025";

/** What must not compile, so that types that allow everything would be noticed. */
const MISUSES = [
  `
export const misuses = [
  // @ts-expect-error: a mail needs somebody to go to
  () => agent.POST("/api/v1/inboxes/{inbox_id}/messages", { params: { path }, body: { text: "Hi" } }),
  // @ts-expect-error: there is no such code
  () => error?.error.code === "inbox_lost",
];
export async function misuse() {
  const { data } = await agent.POST("/api/v1/inboxes/{inbox_id}/messages", { params: { path }, body: { to: [] } });
  // @ts-expect-error: neither a draft nor a replay that the key may not read has a status
  return data?.status;
}
`,
  `
export const misuses = [
  // @ts-expect-error: a mail needs somebody to go to
  () => messagesSend({ path, body: { text: "Hi" } }),
  // @ts-expect-error: there is no such code
  () => error?.error.code === "inbox_lost",
];
export async function misuse() {
  const { data } = await messagesSend({ path, body: { to: [] } });
  // @ts-expect-error: neither a draft nor a replay that the key may not read has a status
  return data?.status;
}
`,
];

const execute = promisify(execFile);

let served: Served;
let folder: string;
let programs: string[];
let printed: string[][];

beforeAll(async () => {
  served = await serve();
  folder = await mkdtemp(join(tmpdir(), "letterslot-generated-"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const page = await readFile(join(ROOT, "docs/openapi.md"), "utf8");
  const blocks = (language: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, text = ""]) =>
      text.replaceAll(SHOWN_URL, served.base_url),
    );
  await Promise.all(blocks("sh").map(generate));
  programs = blocks("ts");
  const texts = programs.map((program, n) => `${program}${MISUSES[n] ?? ""}`);
  await Promise.all(texts.map((text, n) => writeFile(join(folder, `program-${n}.ts`), text)));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await compile("program-0");
  // The runtime that hey-api writes beside its types is not made for this one option.
  await compile("program-1", { exactOptionalPropertyTypes: false });
  printed = await Promise.all(programs.map((_, n) => run(`built/program-${n}.js`)));
}, TIMEOUT_MS);

afterAll(async () => {
  await served.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command of the page with the packages of the workspace, as `npx` would with those of a user. */
async function generate(command: string): Promise<void> {
  const [npx, name = "", ...values] = command.trim().split(/\s+/);
  expect(npx).toBe("npx");
  await execute(join(folder, "node_modules/.bin", name.replace(/^@[^/]+\//, "")), values, { cwd: folder });
}

/** Compiles a program, with all that it imports, by the settings of the workspace; throws with the compiler's words. */
async function compile(program: string, changes: object = {}): Promise<void> {
  const compilerOptions = {
    ...{ noEmit: false, rootDir: ".", outDir: "built", lib: ["es2024", "dom", "dom.iterable"] },
    ...changes,
  };
  const project = join(folder, `${program}.json`);
  const settings = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions,
    include: [],
    files: [`${program}.ts`],
  };
  await writeFile(project, JSON.stringify(settings));
  const tsc = join(ROOT, "node_modules/ts7/bin/tsc");
  await execute(process.execPath, [tsc, "--project", project]).catch((error: { stdout: string }) => {
    throw new Error(error.stdout);
  });
}

async function run(file: string): Promise<string[]> {
  const { stdout } = await execute(process.execPath, [file], { cwd: folder });
  return stdout.trim().split("\n");
}

describe("a generated client signs up, sends once, reads, and knows the error", () => {
  test.each([
    [0, "openapi-typescript and openapi-fetch"],
    [1, "hey-api"],
  ])("%i: %s", (n) => {
    expect(printed[n]).toEqual([
      "Hello queued false",
      expect.stringMatching(/^Hello (?:queued|sent) true$/),
      "[ 'bo@example.org' ] Hi, Bo.",
      "inbox_not_found",
    ]);
  });

  test("the page has no other programs", () => {
    expect(programs).toHaveLength(2);
  });
});
