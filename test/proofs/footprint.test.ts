import { expect, test } from "vitest";
import { type Footprint, findGrowth, readFootprint } from "../support/footprint.ts";

const still: Footprint = { rss_mb: 200, handles: 40, threads: 12, wal_mb: 4 };

test("what comes back after each round is no growth, however much the first round took", () => {
  expect(
    findGrowth([{ ...still, rss_mb: 90 }, still, { ...still, rss_mb: 210 }, { ...still, handles: 45 }]),
  ).toEqual([]);
});

test.each([
  ["memory", { rss_mb: 300 }, "Memory grew from 200 to 300 MB."],
  ["handles", { handles: 90 }, "Handles grew from 40 to 90."],
  ["threads", { threads: 30 }, "Threads grew from 12 to 30."],
  ["the log", { wal_mb: 900 }, "The write-ahead log is still 900 MB long."],
])("%s that does not come back is named", (_, change, told) => {
  expect(findGrowth([still, still, { ...still, ...change }, { ...still, ...change }])).toEqual([told]);
});

test("two rounds say nothing", () => {
  expect(findGrowth([still, still])).toHaveLength(1);
});

test("a process's own footprint is read", () => {
  const { rss_mb, handles, threads, wal_mb } = readFootprint(process.pid, "/nowhere");
  expect([rss_mb > 10, handles > 3, threads > 1, wal_mb]).toEqual([true, true, true, 0]);
});
