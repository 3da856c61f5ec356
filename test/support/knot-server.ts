import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

/** A record as a zone's owner writes it; the value of a TXT is its text. */
interface OwnRecord {
  name: string;
  type: string;
  value: string;
  priority: number | null;
  /** The length of its text's strings; 255 bytes by default. */
  string_bytes?: number;
}

/** A TSIG key of the server. */
interface KnotKey {
  key_name: string;
  algorithm: "hmac-sha256" | "hmac-sha384" | "hmac-sha512";
  /** In Base64. */
  secret: string;
}

/** A Knot DNS server of its own on 127.0.0.1, whose zones take updates. */
export interface KnotServer {
  port: number;
  /** Keys that may update each zone, by their algorithm. */
  writers: readonly KnotKey[];
  /** A key that the server knows, and that may not update. */
  reader: KnotKey;
  /** Adds records to a zone, as its owner does. */
  put(zone: string, records: readonly OwnRecord[]): Promise<void>;
  /** Adds the records of a zone file, each on a line of its own, as `name ttl class type data`. */
  load(zone: string, file: string): Promise<void>;
  /** Removes all records of a name and type from a zone. */
  remove(zone: string, name: string, type: string): Promise<void>;
  /** All records of a zone, a line each, as `name ttl type data`. */
  read(zone: string): Promise<string[]>;
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}

const TTL_SECONDS = 60;
const SECRET_BYTES = 32;

const secretOf = (word: string) => Buffer.alloc(SECRET_BYTES, word).toString("base64");
const WRITERS: KnotKey[] = (["hmac-sha256", "hmac-sha384", "hmac-sha512"] as const).map((algorithm) => ({
  key_name: `writer-${algorithm.slice(5)}.letterslot`,
  algorithm,
  secret: secretOf(algorithm),
}));
const READER: KnotKey = {
  key_name: "reader.letterslot",
  algorithm: "hmac-sha256",
  secret: secretOf("reader"),
};

/**
 * Starts Knot DNS with these zones, each empty but for SOA and NS. Uses KNOTD_PATH or `knotd` on the PATH, and the
 * `knotc` beside it.
 */
export async function startKnot(zones: readonly string[]): Promise<KnotServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "letterslot-knot-"));
  const program = process.env["KNOTD_PATH"] ?? "knotd";
  const knotc = program.includes("/") ? join(dirname(program), "knotc") : "knotc";
  mkdirSync(join(folder, "zones"));
  for (const zone of zones) writeFileSync(join(folder, "zones", `${zone}.zone`), zoneText(zone));
  writeFileSync(join(folder, "knot.conf"), configuration(folder, port, zones));

  const child = spawn(program, ["-c", join(folder, "knot.conf")], { stdio: ["ignore", "pipe", "inherit"] });
  await untilStarted(child);
  const order = async (...args: string[]) =>
    (await promisify(execFile)(knotc, ["-s", join(folder, "knot.sock"), ...args])).stdout;
  const change = async (zone: string, changes: readonly string[][]) => {
    await order("zone-begin", zone);
    for (const args of changes) await order(...args);
    await order("zone-commit", zone);
  };
  return {
    port,
    writers: WRITERS,
    reader: READER,
    put: (zone, records) =>
      change(
        zone,
        records.map((record) => [
          ...["zone-set", zone, `${record.name}.`, String(TTL_SECONDS), record.type],
          dataText(record),
        ]),
      ),
    load: (zone, file) =>
      change(
        zone,
        [...file.matchAll(/^([^;$\s]+)\s+(\d+)\s+IN\s+(\w+)\s+(.+)$/gm)].map(
          ([, name = "", ttl = "", type = "", data = ""]) => ["zone-set", zone, name, ttl, type, data],
        ),
      ),
    remove: (zone, name, type) => change(zone, [["zone-unset", zone, `${name}.`, type]]),
    read: async (zone) =>
      (await order("zone-read", zone))
        .split("\n")
        .map((line) => line.replace(/^\[[^\]]*\] /, "").trim())
        .filter((line) => line !== ""),
    async close() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilStarted(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once("error", (error) =>
      reject(new Error("knotd can't be run: see scripts/needs.ts", { cause: error })),
    );
    child.once("exit", (code) => reject(new Error(`knotd exited with ${code}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      if (/server started/.test(line)) resolve();
    });
  });
}

const zoneText = (zone: string) =>
  [
    `$ORIGIN ${zone}.`,
    `@ ${TTL_SECONDS} SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 ${TTL_SECONDS}`,
    `@ ${TTL_SECONDS} NS ns.${zone}.`,
    `ns ${TTL_SECONDS} A 127.0.0.1`,
    "",
  ].join("\n");

function configuration(folder: string, port: number, zones: readonly string[]): string {
  const keys = [...WRITERS, READER].map(({ key_name, algorithm, secret }) =>
    [`  - id: ${key_name}`, `    algorithm: ${algorithm}`, `    secret: ${secret}`].join("\n"),
  );
  return [
    ...["server:", `    rundir: "${folder}"`, `    listen: 127.0.0.1@${port}`],
    ...["control:", `    listen: "${join(folder, "knot.sock")}"`],
    ...["database:", `    storage: "${folder}"`],
    ...["log:", "  - target: stdout", "    any: info"],
    ...["key:", ...keys],
    ...["acl:", "  - id: write", `    key: [${WRITERS.map(({ key_name }) => key_name).join(", ")}]`],
    "    action: update",
    ...["  - id: read", `    key: ${READER.key_name}`, "    action: query"],
    ...["template:", "  - id: default", `    storage: "${join(folder, "zones")}"`, '    file: "%s.zone"'],
    ...["    zonefile-sync: -1", "    acl: [write, read]"],
    ...["zone:", ...zones.map((zone) => `  - domain: ${zone}`)],
    "",
  ].join("\n");
}

/** The data of a record as zone files have it: each byte of a text as `\DDD`. */
function dataText({ type, value, priority, string_bytes = 255 }: OwnRecord): string {
  if (type !== "TXT") return `${priority === null ? "" : `${priority} `}${value}.`;
  const bytes = [...Buffer.from(value)].map((byte) => `\\${String(byte).padStart(3, "0")}`);
  const strings = Array.from({ length: Math.ceil(bytes.length / string_bytes) }, (_, index) =>
    bytes.slice(index * string_bytes, (index + 1) * string_bytes).join(""),
  );
  return strings.map((string) => `"${string}"`).join(" ");
}
