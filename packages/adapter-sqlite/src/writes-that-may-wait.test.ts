import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { openWriter } from "./connection.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";

const LIMITS = { writes: 3, saturated_ms: 5, idle_ms: 5, announced_ms: 60_000, gap_ms: 60_000 };
let remove: () => Promise<void>;
let group: GroupCommit;
let open: (company_ms: number) => void;

beforeEach(async () => {
  const made = await temporaryFolder();
  remove = made.remove;
  const connect = () => openWriter(join(made.folder, "mail.db"), 1_000);
  open = (company_ms) => {
    group = createGroupCommit(connect(), connect, { limits: { ...LIMITS, company_ms } });
  };
});

afterEach(async () => {
  await group.finish();
  await remove();
});

/** Resolves with the number of commits before its own. */
const write = (may_wait: boolean) => group.submit(() => group.commits(), { may_wait });
const someTurns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test("a write that may wait shares the commit of the next one that doesn't", async () => {
  open(60_000);
  const patient = write(true);
  await someTurns();
  expect(group.commits()).toBe(0);
  expect(await Promise.all([patient, write(false)])).toEqual([0, 0]);
  expect(group.commits()).toBe(1);
});

test("if none comes, those that may wait are committed together after a while", async () => {
  open(1);
  expect(await Promise.all([write(true), write(true)])).toEqual([0, 0]);
  expect(await write(true)).toBe(1);
});

test("as many as a batch holds wait no longer, and what it has no room for waits for the next one", async () => {
  open(60_000);
  const patient = [write(true), write(true), write(true), write(true)];
  expect(await Promise.all(patient.slice(0, 3))).toEqual([0, 0, 0]);
  await someTurns();
  expect(group.commits()).toBe(1);
  expect(await Promise.all([patient[3], write(false)])).toEqual([1, 1]);
});

test("so do as many that come while a batch is open that has no room for them", async () => {
  open(60_000);
  let patient: Promise<number>[] = [];
  await group.submit(() => {
    patient = Array.from({ length: 5 }, () => write(true));
  });
  expect(await Promise.all(patient)).toEqual([0, 0, 1, 1, 1]);
});

test("one that comes while a batch is open joins it", async () => {
  open(60_000);
  let joined: Promise<number> | undefined;
  const first = group.submit(() => {
    joined = write(true);
    return group.commits();
  });
  expect(await first).toBe(0);
  expect(await joined).toBe(0);
  expect(group.commits()).toBe(1);
});

test("the end waits for nobody", async () => {
  open(60_000);
  const patient = [write(true), write(true)];
  await group.finish();
  expect(await Promise.all(patient)).toEqual([0, 0]);
});

test("beside announced writes it waits as they do", async () => {
  open(60_000);
  const announced = Array.from({ length: 6 }, () => group.announce());
  const first = group.submit(() => group.commits(), { announced: announced[0] as never });
  const patient = write(true);
  await someTurns();
  expect(group.commits()).toBe(0);
  for (const each of announced) each.withdraw();
  expect(await Promise.all([first, patient])).toEqual([0, 0]);
});
