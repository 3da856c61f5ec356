import { spawn } from "node:child_process";
import { join } from "node:path";
import { createRandom } from "@letterslot/core/conformance";
import { expect, test } from "vitest";
import { builtCrashWriter } from "../../../test/support/built-programs.ts";
import { casesOf } from "../../../test/support/case-count.ts";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteStorage, type SqliteStorage } from "./sqlite-storage.ts";

const SEED = 20261120;
const ROUNDS = casesOf(6, 15);
const PAGE = 1_000;

interface Acknowledged {
  name: string;
  sequence: number;
}

test("after kill -9 at any moment every acknowledged write exists once, and none is incomplete", {
  timeout: 240_000,
}, async () => {
  const { folder, remove } = await temporaryFolder();
  const path = join(folder, "mail.db");
  const random = createRandom(SEED);
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    acknowledged.push(...(await writeAndKill(path, `r${round}`, 1 + random.below(150), random.next() * 8)));
    const storage = createSqliteStorage({ path });
    await check(storage, acknowledged);
    await storage.close();
  }
  expect(acknowledged.length).toBeGreaterThan(ROUNDS);
  await remove();
});

/** Lets a process write until it acknowledged enough writes, then kills it. Returns its output. */
async function writeAndKill(
  path: string,
  round: string,
  answers: number,
  linger_ms: number,
): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [await builtCrashWriter(), path, round], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const before = printed.split("\n").length;
    printed += text;
    if (before <= answers && printed.split("\n").length > answers)
      setTimeout(() => child.kill("SIGKILL"), linger_ms);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (...end) => resolve(end)),
  );
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  // The last line may be cut off: then it acknowledged nothing.
  return printed
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [writer, number, sequence] = line.split(" ");
      return { name: `${round}-${writer}-${number}`, sequence: Number(sequence) };
    });
}

async function check(storage: SqliteStorage, acknowledged: Acknowledged[]): Promise<void> {
  const events = new Map<string, number>();
  const [account] = await storage.find("accounts", { where: {}, limit: 2 });
  for (let last = 0; ; ) {
    const page = await storage.find("events", {
      where: { account_id: "acct_1", sequence: { gt: last } },
      order: { by: "sequence", direction: "asc" },
      limit: PAGE,
    });
    for (const { id, sequence } of page) {
      expect(sequence).toBe(last + 1);
      events.set(id.replace("evt_", ""), sequence);
      last = sequence;
    }
    if (page.length < PAGE) break;
  }
  expect(account?.event_sequence).toBe(events.size);

  const jobs = await storage.find("jobs", { where: {}, limit: 1_000_000 });
  expect(jobs.map(({ id }) => id.replace("job_", "")).toSorted()).toEqual([...events.keys()].toSorted());
  const query = { account_id: "acct_1", inbox_id: null, thread_id: null, before: null, limit: 1_000_000 };
  const found = await storage.search({
    ...query,
    terms: [{ words: ["common"], prefix: false, field: null }],
  });
  expect(found.length).toBe(events.size);

  const counters = new Map(
    (await storage.find("counters", { where: {}, limit: 1_000_000 })).map(({ name, count }) => [name, count]),
  );
  for (const [name, sequence] of counters) expect(events.get(name)).toBe(sequence);
  for (const { name, sequence } of acknowledged) {
    expect(events.get(name), `event of ${name}`).toBe(sequence);
    expect(counters.get(name), `counter of ${name}`).toBe(sequence);
  }
}
