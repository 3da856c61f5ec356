import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caseCount, casesOf, PROOF_SEED } from "../support/case-count.ts";
import { type CuttableDisk, cuttableDisk } from "../support/cuttable-disk.ts";
import { seeded } from "../support/seeded.ts";

const TRANSACTIONS = 400;
const moments = casesOf(12, caseCount(30, 1_000));
const PROGRAM = fileURLToPath(new URL("../support/load-writer.ts", import.meta.url));
const timeout = 120_000;

const random = seeded(PROOF_SEED);
let disk: CuttableDisk;
/** The program's lines, with the journal's position when each was read. */
const printed: { line: string; moment: number }[] = [];

beforeAll(async () => {
  disk = cuttableDisk({ random });
  const child = spawn(process.execPath, [PROGRAM, join(disk.folder, "mail.db"), String(TRANSACTIONS)], {
    env: { PATH: process.env["PATH"], ...disk.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    printed.push({ line, moment: disk.moment() });
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`The load ended with ${code ?? signal}.`);
}, timeout);
afterAll(() => disk.remove());

/** The names that a power cut at a moment leaves in the database, which must be whole; none without a database. */
function namesAt(moment: number, unlike?: { random: () => number }): Set<string> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "letterslot-cut-"));
  try {
    disk.leave(moment, folder, unlike);
    const path = join(folder, "mail.db");
    if (!existsSync(path)) return new Set();
    const database = new DatabaseSync(path);
    try {
      expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      const has = database.prepare("select 1 from sqlite_schema where name = 'counters'").get();
      if (has === undefined) return new Set();
      return new Set(
        database
          .prepare('select "name" from "counters"')
          .all()
          .map(({ name }) => String(name)),
      );
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the number of the load's transactions that survived: whole ones, each after all before it. */
function loadedOf(names: ReadonlySet<string>): number {
  const records = [...names]
    .filter((name) => name.startsWith("load "))
    .map((name) => Number(name.split(" ")[1]));
  const counts = Map.groupBy(records, (number) => number);
  const found = [...counts]
    .map(([number, of_it]) => [number, of_it.length])
    .toSorted(([a = 0], [b = 0]) => a - b);
  expect(found).toEqual(found.map((_, index) => [index, 20]));
  return found.length;
}

const momentOf = (line: string): number => printed.find((each) => each.line === line)?.moment ?? Number.NaN;

test("the journal has recorded every change", () => {
  expect(disk.findUnnoted()).toEqual([]);
});

test("beside a load, nothing else that was acknowledged is lost, and the load is lost from its end alone", {
  timeout,
}, () => {
  const end = disk.moment();
  for (let count = 0; count < moments; count++) {
    const moment = Math.ceil(random() * end);
    const names = namesAt(moment);
    const due = printed.filter((each) => each.moment <= moment && each.line.startsWith("write "));
    expect(
      due.filter(({ line }) => !names.has(line)).map(({ line }) => line),
      `seed ${PROOF_SEED}, moment ${moment}`,
    ).toEqual([]);
    loadedOf(names);
  }
});

test("a load that has resolved is durable", { timeout }, () => {
  for (const moment of [momentOf("loaded"), disk.moment()])
    expect(loadedOf(namesAt(moment, { random: () => 0 }))).toBe(TRANSACTIONS);
});

test("until then the newest of it can be lost, which is what makes it cheap", { timeout }, () => {
  const lost = printed
    .filter(({ line }) => line.startsWith("load "))
    .filter((_, index) => index % 20 === 19)
    .map(
      ({ line, moment }) => Number(line.split(" ")[1]) + 1 - loadedOf(namesAt(moment, { random: () => 0 })),
    );
  expect(Math.max(...lost)).toBeGreaterThan(0);
});
