import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as readText } from "node:stream/consumers";
import { fewAtOnce } from "./few-at-once.ts";
import { trySixLines } from "./installed-cli.ts";
import { tryAnswerWithFile, tryDemo } from "./installed-demo.ts";
import { inProject, runLine } from "./installed-project.ts";
import { startLocalRegistry } from "./local-registry.ts";
import { diskBytes } from "./played-image.ts";
import { CommandFailed, ROOT, run } from "./run-command.ts";

/**
 * The server with SQLite alone, and the limits on its packages and on megabytes on the disk. There is room for a second
 * copy of a library: smtp-server names one version of nodemailer, which comes beside ours whenever a newer one is out.
 */
const SERVER_ALONE = "npm install @letterslot/server";
const MAX_PACKAGES = 85;
const MAX_MEGABYTES = 70;

/** The first program of docs/getting-started.md, and its output. */
const PROGRAM = "examples/embed/index.ts";
const PROGRAM_PRINTS = "grace@example.org: Please order paper.\n";

/** A package manager: how it runs, and its word for installing. */
interface Manager {
  name: string;
  command: string[];
  install: string;
}

/** Fetched with npx. */
const OTHERS: Manager[] = [
  { name: "yarn", command: ["npx", "-y", "yarn@1"], install: "add" },
  { name: "bun", command: ["npx", "-y", "bun@1"], install: "add" },
];

/** The settings that need a package, and the package that the server's error must name. */
const NEEDED: { setting: Record<string, string>; name: string }[] = [
  {
    setting: { DATABASE_URL: "postgres://127.0.0.1:1/none", ENCRYPTION_KEY: "ab".repeat(32) },
    name: "@letterslot/adapter-postgres",
  },
  {
    setting: {
      DATABASE_URL: "postgres://127.0.0.1:1/none",
      ENCRYPTION_KEY: "ab".repeat(32),
      S3_URL: "s3://mail",
      S3_ACCESS_KEY_ID: "none",
      S3_SECRET_ACCESS_KEY: "0".repeat(32),
    },
    name: "@letterslot/adapter-s3",
  },
  { setting: { REDIS_URL: "redis://127.0.0.1:1" }, name: "@letterslot/adapter-redis-queue" },
  { setting: { ATTACHMENT_TEXT: "on" }, name: "@letterslot/text-extraction" },
  { setting: { CONTENT_SCAN: "on" }, name: "@letterslot/content-scan" },
  { setting: { PASSKEYS: "on" }, name: "@letterslot/passkeys" },
  { setting: { OAUTH: "on" }, name: "@letterslot/oauth" },
  { setting: { AUTOMATIC_DNS: "on" }, name: "@letterslot/adapter-dns" },
  {
    setting: {
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      TWILIO_AUTH_TOKEN: "0".repeat(32),
      BASE_URL: "https://mail.example.com",
    },
    name: "@letterslot/adapter-twilio",
  },
];

/** The paths by which apps find the authorization server. */
const WELL_KNOWN = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource/api/v1",
  "/.well-known/oauth-protected-resource/mcp",
];

/**
 * Runs the `npm install` lines of docs/getting-started.md against the tarballs, starts the server that they install, has an app request
 * access, and runs the program; installs the server alone, counts its packages, starts it and moves an account with it;
 * yarn and bun install and start it too. `beside` is run among these. Throws an error that describes the failure.
 */
export async function tryInstalled(
  tarballs: readonly string[],
  log: (line: string) => void,
  beside: readonly (() => Promise<void>)[],
): Promise<void> {
  const registry = await startLocalRegistry(tarballs);
  const [server = "", program = ""] = installLines();
  const ways: ((project: string) => Promise<void>)[] = [
    async (project) => {
      await runLine(server, project);
      await startInstalled(project, askAsApp);
      log(`"${server}": ${countInstalled(project).said}; an app can ask a person`);
    },
    async (project) => {
      await runLine(SERVER_ALONE, project);
      log(`"${SERVER_ALONE}": ${checkSize(project)}`);
      let account_id = "";
      await startInstalled(project, async (base_url) => {
        await findNoOAuth(base_url);
        account_id = await openAccount(base_url);
      });
      await moveAccount(project, account_id);
      for (const { setting, name } of NEEDED) await checkAskedFor(project, setting, name);
    },
    async (project) => {
      await runLine(program, project);
      writeFileSync(join(project, "index.ts"), readFileSync(join(ROOT, PROGRAM)));
      const printed = await run("node", ["index.ts"], { cwd: project, quiet: true });
      if (!printed.endsWith(PROGRAM_PRINTS)) throw new Error(`the page's program printed ${printed}`);
      log(`"${program}", and its program`);
    },
    async (project) => {
      await trySixLines(project);
      log("the six lines of docs/getting-started.md: a model finds, reads and answers an owner's task");
    },
    ...OTHERS.map((other) => (project: string) => tryOther(other, project, log)),
  ];
  try {
    const installed = ways.map((way) => () => inProject(registry, way));
    const demos = [tryDemo, tryAnswerWithFile].map((each) => () => each(registry.url, log));
    await fewAtOnce([...beside, ...demos, ...installed]);
  } finally {
    registry.close();
  }
}

/** The page's lines that install: the server's, then those of the program. */
function installLines(): string[] {
  const page = readFileSync(join(ROOT, "docs/getting-started.md"), "utf8");
  const lines = page.split("\n").filter((line) => /^npm install @letterslot\/(?:server|adapter-)/.test(line));
  if (lines.length !== 2)
    throw new Error("docs/getting-started.md has two lines that install the server or adapters");
  return lines;
}

/** Counts the packages and megabytes that npm installed. */
function countInstalled(project: string) {
  const modules = join(project, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  const [count, megabytes] = [Object.keys(packages).length, diskBytes(modules) / 1024 / 1024];
  return { count, megabytes, said: `${count} packages, ${megabytes.toFixed(1)} MB` };
}

/** Reports the size of the server alone; throws if it is above the promised limit. */
function checkSize(project: string): string {
  const { count, megabytes, said } = countInstalled(project);
  if (count > MAX_PACKAGES || megabytes > MAX_MEGABYTES)
    throw new Error(
      `the server with SQLite brings ${said}; at most ${MAX_PACKAGES} and ${MAX_MEGABYTES} are promised`,
    );
  return said;
}

function launch(project: string, setting: Record<string, string>, words: string[] = []) {
  const bin = join(project, "node_modules/.bin/letterslot-server");
  if (!existsSync(bin)) throw new Error("the install brought no letterslot-server");
  // Only the environment of a shell: the workspace's own settings must not decide.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: "0", SMTP_PORT: "0", ...setting };
  return spawn(bin, words, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Starts the server, asks whether it is healthy, tries it, and stops it. */
async function startInstalled(
  project: string,
  tryServer: (base_url: string) => Promise<void>,
): Promise<void> {
  const server = launch(project, {});
  let said = "";
  server.stderr.on("data", (text: Buffer) => {
    said += text.toString();
  });
  const ended = once(server, "close");
  const base_url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: server.stdout }).on("line", (line) => {
      said += `${line}\n`;
      const [, url] = /"base_url":"([^"]+)"/.exec(line) ?? [];
      if (url !== undefined && line.includes('"started"')) resolve(url);
    });
    void ended.then(() => reject(new CommandFailed("letterslot-server", "it ended", said)));
  });
  const { status } = await fetch(`${base_url}/readyz`);
  await tryServer(base_url).finally(() => server.kill("SIGTERM"));
  const [code] = await ended;
  if (status !== 200 || code !== 0)
    throw new CommandFailed("letterslot-server", `/readyz ${status}, exit ${code}`, said);
}

/** Finds the authorization server, registers an app, and goes to the consent page. */
async function askAsApp(base_url: string): Promise<void> {
  await checkWellKnown(base_url, 200);
  const redirect_uri = "http://127.0.0.1:9/done";
  const registered = await fetch(`${base_url}/oauth/register`, {
    method: "POST",
    body: JSON.stringify({ client_name: "Test app", redirect_uris: [redirect_uri] }),
  });
  const { client_id = "" } = (await registered.json()) as { client_id?: string };
  const code_challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
  const query = new URLSearchParams({ client_id, redirect_uri, code_challenge, response_type: "code" });
  query.set("code_challenge_method", "S256");
  const asked = await fetch(`${base_url}/oauth/authorize?${query.toString()}`, { redirect: "manual" });
  const cookie = asked.headers.getSetCookie().join("; ");
  const page = asked.headers.get("location") ?? "";
  const shown = page.startsWith(`${base_url}/oauth/consent/`)
    ? await fetch(page, { headers: { cookie } })
    : undefined;
  if (shown?.status !== 200 || !(await shown.text()).includes("Test app"))
    throw new Error(
      `an app's request was answered with ${asked.status} ${page}, and that with ${shown?.status}`,
    );
}

/**
 * Checks that a server without `@letterslot/oauth` promises apps nothing, that it brought the pages of its documentation,
 * and that it speaks MCP.
 */
async function findNoOAuth(base_url: string): Promise<void> {
  await checkWellKnown(base_url, 404);
  const guide = await fetch(`${base_url}/docs/guides/deploying.md`);
  if (guide.status !== 200) throw new Error(`a page of the documentation is ${guide.status}`);
  const mcp = await fetch(`${base_url}/mcp`, { method: "POST" });
  if (mcp.status !== 401) throw new Error(`/mcp without a key is ${mcp.status}`);
  const { headers } = await fetch(`${base_url}/api/v1/me`);
  const challenge = headers.get("www-authenticate");
  if (challenge !== "Bearer") throw new Error(`without OAuth, WWW-Authenticate is ${challenge}`);
}

/** Opens an account with a draft in it. */
async function openAccount(base_url: string): Promise<string> {
  const post = async (path: string, body: object, key = "") => {
    const headers = {
      "content-type": "application/json",
      ...(key !== "" && { authorization: `Bearer ${key}` }),
    };
    const answer = await fetch(`${base_url}/api/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok)
      throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { account_id: string; api_key: string; inbox: { id: string } };
  };
  const { account_id, api_key, inbox } = await post("/onboard", { username: "ada" });
  const draft = { to: ["grace@example.org"], subject: "Paper", text: "We need paper." };
  await post(`/inboxes/${inbox.id}/drafts`, draft, api_key);
  return account_id;
}

/** Takes an account of the stopped server to another data folder: by commands that start threads of their own. */
async function moveAccount(project: string, account_id: string): Promise<void> {
  const operate = async (words: string[], setting: Record<string, string> = {}) => {
    const command = launch(project, setting, ["accounts", ...words]);
    const ended = once(command, "close");
    const [printed, said] = await Promise.all([readText(command.stdout), readText(command.stderr)]);
    const [code] = await ended;
    if (code !== 0) throw new CommandFailed(`letterslot-server accounts ${words.join(" ")}`, code, said);
    return printed;
  };
  await operate(["export", account_id, "--to", "."]);
  const elsewhere = { DATA_DIR: join(project, "elsewhere") };
  await operate(["import", `${account_id}.zip`], elsewhere);
  const shown = await operate(["show", account_id, "--json"], elsewhere);
  if (!shown.includes(account_id)) throw new Error(`the account that was moved is ${shown}`);
}

async function checkWellKnown(base_url: string, expected: number): Promise<void> {
  for (const path of WELL_KNOWN) {
    const { status } = await fetch(`${base_url}${path}`);
    if (status !== expected) throw new Error(`${path} is ${status} instead of ${expected}`);
  }
}

/** Checks that a server that lacks a package says so by its name. */
async function checkAskedFor(project: string, setting: Record<string, string>, name: string): Promise<void> {
  const server = launch(project, setting);
  let said = "";
  server.stderr.on("data", (text: Buffer) => {
    said += text.toString();
  });
  server.stdout.resume();
  const [code] = await once(server, "close");
  if (code !== 1 || !said.includes(`npm install ${name}`))
    throw new CommandFailed("letterslot-server", `it didn't ask for ${name}; exit ${code}`, said);
}

async function tryOther(
  { name, command: [program = "", ...first], install }: Manager,
  project: string,
  log: (line: string) => void,
): Promise<void> {
  const options = { cwd: project, quiet: true };
  const version = await run(program, [...first, "--version"], options);
  await run(program, [...first, install, "@letterslot/server"], options);
  await startInstalled(project, findNoOAuth);
  log(`${name} ${version.trim().split("\n").at(-1)} installs and starts it too`);
}
