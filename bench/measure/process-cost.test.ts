import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { readAnonymousMb, readCpu, readResidentMb, readTreeCpu, readTreeWrites } from "./process-cost.ts";

const GONE = 2 ** 22 + 1;
const BUSY_MS = 300;

test("anonymous memory is the part of the resident memory that is no file", () => {
  const anonymous = readAnonymousMb(process.pid) ?? 0;
  expect(anonymous).toBeGreaterThan(1);
  expect(anonymous).toBeLessThan(readResidentMb(process.pid) ?? 0);
});

test("a tree's CPU has that of children that live and of those that have ended", async () => {
  const busy = `while (process.cpuUsage().user < ${BUSY_MS * 1000});`;
  const parent = spawn(
    process.execPath,
    [
      "-e",
      `require("child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(busy)}]); console.log("done"); setInterval(() => {}, 1000);`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await once(parent.stdout, "data");
    const pid = parent.pid ?? 0;
    const own = readCpu(pid) ?? Number.NaN;
    expect((readTreeCpu([pid]) ?? 0) - own).toBeGreaterThan((BUSY_MS / 2) * 1000);
    expect(readTreeCpu([process.pid]) ?? 0).toBeGreaterThan(readTreeCpu([pid]) ?? 0);
  } finally {
    parent.kill();
  }
});

test("what a child has written counts for its parent", () => {
  const before = readTreeWrites([process.pid]) ?? Number.NaN;
  spawnSync("dd", ["if=/dev/zero", "of=/var/tmp/letterslot-bench-writes", "bs=1M", "count=2", "conv=fsync"]);
  spawnSync("rm", ["/var/tmp/letterslot-bench-writes"]);
  expect((readTreeWrites([process.pid]) ?? 0) - before).toBeGreaterThanOrEqual(2 * 2 ** 20);
});

test.each([readCpu, readResidentMb, readAnonymousMb])("%o of a process that has ended is unknown", (read) => {
  expect(read(GONE)).toBeUndefined();
});

test("a tree of which nothing is left has no cost", () => {
  expect(readTreeCpu([GONE])).toBeUndefined();
  expect(readTreeWrites([GONE])).toBeUndefined();
});
