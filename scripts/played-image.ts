import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Instruction, stagesOf } from "./dockerfile.ts";
import { MAX_IMAGE_BYTES } from "./image-context.ts";
import { CommandFailed, ROOT, run } from "./run-command.ts";

/** What a person, a program and a model look for first, with a text of each. */
const READ: Record<string, string> = {
  "/llms.txt": "# Letterslot",
  "/llms-full.txt": "/api/v1/",
  "/docs.md": "# Letterslot",
  "/docs/": "<html",
  "/docs/guides/deploying.md": "# Deploying",
  "/docs/reference/events.md": "message.received",
  "/openapi.json": '"openapi"',
  "/console/": "<html",
  "/.well-known/oauth-authorization-server": '"issuer"',
  "/.well-known/approval-keys.json": '"keys"',
};
/** The user `node` of the base image. */
const IMAGE_USER = 1000;

/** A stage as it is played: its root folder, the folder of its instructions, and what they set. */
interface Stage {
  root: string;
  cwd: string;
  env: Record<string, string>;
  command: string[];
  check: string[];
  user: string | undefined;
}

/**
 * Plays the Dockerfile without Docker: its COPY and RUN lines in empty folders, then its program with its settings, as its
 * user if this runs as root. Reads what people, programs and models read first, runs the health check and stops it. Throws if
 * a page is missing, or if what the image adds to its base is larger than promised. Returns that size in megabytes.
 */
export async function playImage(): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), "letterslot-image-"));
  chmodSync(home, 0o711);
  try {
    const stages = new Map<string, Stage>();
    let last: Stage | undefined;
    for (const { name, instructions } of stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"))) {
      last = { root: join(home, name), cwd: "/", env: {}, command: [], check: [], user: undefined };
      mkdirSync(last.root);
      for (const each of instructions) await play(each, last, stages);
      stages.set(name, last);
    }
    if (last === undefined) throw new Error("the Dockerfile has no stage");
    const bytes = diskBytes(last.root);
    if (bytes > MAX_IMAGE_BYTES)
      throw new Error(
        `the image adds ${megabytes(bytes)} MB to its base; at most ${megabytes(MAX_IMAGE_BYTES)} are promised`,
      );
    await tryServer(last, withNode(home));
    return megabytes(bytes);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** A folder with the program that the base image brings: its user may not be able to enter the one that runs this. */
function withNode(home: string): string {
  const folder = join(home, "bin");
  mkdirSync(folder);
  copyFileSync(process.execPath, join(folder, "node"));
  return folder;
}

async function play(
  { word, args }: Instruction,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
): Promise<void> {
  if (word === "WORKDIR") {
    stage.cwd = args;
    mkdirSync(join(stage.root, args), { recursive: true });
  } else if (word === "COPY") {
    const [, from, source = "", target = ""] = /^(?:--from=(\S+)\s+)?(\S+)\s+(\S+)$/.exec(args) ?? [];
    const root = from === undefined ? ROOT : (stages.get(from)?.root ?? "");
    cpSync(join(root, source), join(stage.root, stage.cwd, target), {
      recursive: true,
      verbatimSymlinks: true,
    });
  } else if (word === "RUN")
    await run("sh", ["-c", inFolder(args, stage.root)], { cwd: join(stage.root, stage.cwd), quiet: true });
  else if (word === "ENV")
    for (const [, name = "", value = ""] of args.matchAll(/(\w+)=(\S+)/g)) stage.env[name] = value;
  else if (word === "USER") stage.user = args;
  else if (word === "CMD") stage.command = JSON.parse(args) as string[];
  else if (word === "HEALTHCHECK") stage.check = JSON.parse(args.slice(args.indexOf("["))) as string[];
  else if (!["VOLUME", "EXPOSE", "STOPSIGNAL"].includes(word)) throw new Error(`${word} can't be played`);
}

/** A line of a shell whose absolute paths are below `root`; this machine doesn't have the image's users. */
const inFolder = (line: string, root: string): string =>
  line.replace(/ -[og] \w+/g, "").replace(/(?<=\s)\/(?=\w)/g, `${root}/`);

/** Starts the image's program, reads its pages, runs the health check, and stops it as Docker does. */
async function tryServer({ root, cwd, env, command, check, user }: Stage, programs: string): Promise<void> {
  if (user !== "node") throw new Error("the image has no user of its own");
  const data = join(root, env["DATA_DIR"] ?? "");
  const as = process.getuid?.() === 0 ? { uid: IMAGE_USER, gid: IMAGE_USER } : {};
  if ("uid" in as) await run("chown", [`${IMAGE_USER}:${IMAGE_USER}`, data], { quiet: true });
  const options = {
    ...as,
    cwd: join(root, cwd),
    // Only what the image sets; the ports and the address are this machine's.
    env: {
      ...env,
      PATH: `${programs}:${process.env["PATH"]}`,
      DATA_DIR: data,
      HOST: "127.0.0.1",
      SMTP_HOST: "127.0.0.1",
      PORT: "0",
      SMTP_PORT: "0",
    },
  };
  const [program = "", ...args] = command;
  const server = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(server, "close");
  try {
    const base_url = await untilStarted(server);
    for (const [path, text] of Object.entries(READ)) {
      const answer = await fetch(`${base_url}${path}`);
      const body = await answer.text();
      if (answer.status !== 200 || !body.includes(text))
        throw new Error(`in the image ${path} is ${answer.status} and ${body.slice(0, 200)}`);
    }
    const [checks = "", ...words] = check;
    const checking = spawn(checks, words, {
      ...options,
      env: { ...options.env, PORT: new URL(base_url).port },
      stdio: "ignore",
    });
    const [healthy] = (await once(checking, "close")) as [number | null];
    if (healthy !== 0) throw new Error(`the image's health check ends with ${healthy}`);
  } finally {
    server.kill("SIGTERM");
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`the image's program ends with ${code} at SIGTERM`);
}

async function untilStarted(server: ChildProcess): Promise<string> {
  let said = "";
  server.stderr?.on("data", (text: Buffer) => {
    said += text.toString();
  });
  if (server.stdout === null) throw new Error("the image's program has no output");
  for await (const line of createInterface({ input: server.stdout })) {
    said += `${line}\n`;
    const [, url] = /"base_url":"([^"]+)"/.exec(line) ?? [];
    if (url !== undefined && line.includes('"started"')) {
      server.stdout.resume();
      return url;
    }
  }
  throw new CommandFailed("the image's program", "it ended", said);
}

/** The disk space that a file or a whole folder takes, in bytes. */
export function diskBytes(path: string): number {
  const stat = lstatSync(path);
  const own = stat.blocks === undefined ? stat.size : stat.blocks * 512;
  if (!stat.isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + diskBytes(join(path, name)), own);
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
