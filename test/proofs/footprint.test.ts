import { expect, test } from "vitest";
import { type Footprint, findGrowth, readFootprint } from "../support/footprint.ts";

const STILL: Footprint = { rss_mb: 200, handles: 40, threads: 12, wal_mb: 4 };

test("memory released after each round is not growth, however much the first round took", () => {
  expect(
    findGrowth([{ ...STILL, rss_mb: 90 }, STILL, { ...STILL, rss_mb: 210 }, { ...STILL, handles: 45 }]),
  ).toEqual([]);
});

test.each([
  ["memory", { rss_mb: 300 }, "Memory grew from 200 to 300 MB."],
  ["handles", { handles: 90 }, "Handles grew from 40 to 90."],
  ["threads", { threads: 30 }, "Threads grew from 12 to 30."],
  ["the log", { wal_mb: 900 }, "The write-ahead log is still 900 MB long."],
])("%s that is not released is reported", (_, change, told) => {
  expect(findGrowth([STILL, STILL, { ...STILL, ...change }, { ...STILL, ...change }])).toEqual([told]);
});

test("two rounds are not enough", () => {
  expect(findGrowth([STILL, STILL])).toHaveLength(1);
});

test("this process's footprint can be read", () => {
  const { rss_mb, handles, threads, wal_mb } = readFootprint(process.pid, "/nowhere");
  expect([rss_mb > 10, handles > 3, threads > 1, wal_mb]).toEqual([true, true, true, 0]);
});
