import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLetterslot } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { bodiesOf, composeMessage, stageBlob } from "../../packages/core/src/mailbox/messages/index.ts";
import type { MessageRecord } from "../../packages/core/src/model/messages.ts";
import type { StagedBlob } from "../../packages/core/src/ports/blobs.ts";
import { buildStore, type Store } from "../mail/store.ts";
import { inTemporaryFolder } from "../measure/cleanup.ts";
import { readCpu } from "../measure/process-cost.ts";
import { createConfig, openEngine } from "../measure/service.ts";
import { shippedServer } from "../measure/shipped-server.ts";
import { copyStore } from "../measure/store-copy.ts";
import type { Figure, Metric } from "../metric.ts";

const MAILS = 100_000;
const MAILS_AT_ONCE = 50;
const LOOK_EVERY_MS = 50;

/** Measures the time and memory of the operator's export and import of an account. */
export const exportAndImport: Metric = {
  title: "accounts export and import of an account with raw mail and attachments",
  measure: (run) =>
    inTemporaryFolder(async (folder) => {
      const built = await buildStore(Math.min(run.mails, MAILS), run.seed, run.log);
      const store = copyStore(built, folder);
      await addBytes(store, run.log);
      const out = join(folder, "out");
      const exported = await runAccounts(store.folder, "export", store.account_id, "--to", out);
      const zip = join(out, `${store.account_id}.zip`);
      const imported = await runAccounts(join(folder, "new"), "import", zip);
      const size = execFileSync("du", ["-m", zip], { encoding: "utf8" }).split("\t")[0];
      return {
        figures: [...figuresOf("export", exported), ...figuresOf("import", imported)],
        notes: [
          `${store.mails} mails, each as it came, every tenth with 20 KB attached: a zip of ${size} MB.`,
        ],
      };
    }),
};

const figuresOf = (name: string, { seconds, cpu_seconds, peak_mb }: Cost): Figure[] => [
  { name: `accounts ${name}: time`, unit: "s", value: seconds, target: { at_most: 60 } },
  { name: `accounts ${name}: CPU`, unit: "s", value: cpu_seconds },
  { name: `accounts ${name}: most memory`, unit: "MB", value: peak_mb, target: { at_most: 200 } },
];

interface Cost {
  seconds: number;
  cpu_seconds: number;
  peak_mb: number;
}

/** Runs an `accounts` command on a folder, and returns its cost. */
async function runAccounts(folder: string, ...args: string[]): Promise<Cost> {
  const { PATH = "", HOME = "" } = process.env;
  const profile = process.env["BENCH_PROFILE"];
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const main = await shippedServer();
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, main, "accounts", ...args], {
    env: { PATH, HOME, DATA_DIR: folder, MAIL_DOMAIN: "agents.example.org", ONBOARDING: "closed" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-2_000);
  });
  let [cpu, peak_mb] = [0, 0];
  const look = setInterval(() => {
    cpu = readCpu(child.pid ?? 0) ?? cpu;
    peak_mb = Math.max(peak_mb, readOwnMb(child.pid ?? 0) ?? 0);
  }, LOOK_EVERY_MS);
  const [status] = (await once(child, "exit")) as [number | null];
  clearInterval(look);
  if (status !== 0) throw new Error(`accounts ${args[0]} ended with ${status}:\n${said}`);
  return { seconds: (performance.now() - began) / 1000, cpu_seconds: cpu / 1e6, peak_mb };
}

/**
 * The memory of a process's own, in MB; undefined once it is gone. Without pages of files, which are the system's
 * cache: SQLite maps the database.
 */
function readOwnMb(pid: number): number | undefined {
  try {
    const kb = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

/** Gives each mail of a store its raw form, and each attachment its bytes. */
async function addBytes({ folder, account_id, inbox_id, mails }: Store, log: (line: string) => void) {
  const { services } = createLetterslot(createConfig(await openEngine({ folder })));
  const { storage, blobs, clock } = services;
  let after = "";
  let done = 0;
  for (;;) {
    const found = await storage.find("messages", {
      where: { inbox_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: MAILS_AT_ONCE,
    });
    const bodies = await bodiesOf(storage, found);
    const changed: { message: MessageRecord; staged: StagedBlob }[] = [];
    for (const message of found) {
      const attachments = [];
      for (const each of message.attachments)
        attachments.push({ ...each, hash: await blobs.put(randomBytes(each.size_bytes)) });
      const whole = { ...message, attachments };
      const body = bodies.get(message.id);
      if (body === undefined) throw new Error(`${message.id} has no body`);
      const staged = await stageBlob(services, await composeMessage(services, whole, body));
      changed.push({ message: { ...whole, raw_hash: staged.hash }, staged });
    }
    await unitOfWork(services, account_id, clock.now(), async (work) => {
      for (const { message, staged } of changed) {
        staged.put(work);
        const { id, attachments, raw_hash } = message;
        await work.update("messages", { id }, { attachments, raw_hash });
        const hashes = [staged.hash, ...attachments.map(({ hash }) => hash)];
        for (const hash of hashes) await work.insert("blob_uses", { hash, message_id: id });
      }
    });
    done += found.length;
    if (found.length > 0 && done % 10_000 === 0) log(`adding raw mail: ${done} of ${mails}`);
    if (found.length < MAILS_AT_ONCE) break;
    after = found.at(-1)?.id ?? after;
  }
  await storage.close();
}
