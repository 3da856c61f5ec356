import { join } from "node:path";
import type { Announcement } from "@letterslot/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { openWriter } from "./connection.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";

let remove: () => Promise<void>;
let group: GroupCommit;

/** Waits long for announced writes, unless a test says otherwise. */
const LONG = {
  writes: 64,
  saturated_ms: 5,
  idle_ms: 5,
  announced_ms: 60_000,
  gap_ms: 60_000,
  company_ms: 60_000,
};
let open: (limits?: Partial<typeof LONG>) => GroupCommit;

beforeEach(async () => {
  const made = await temporaryFolder();
  remove = made.remove;
  const connect = () => openWriter(join(made.folder, "mail.db"), 1_000);
  open = (limits = {}) => {
    group = createGroupCommit(connect(), connect, { limits: { ...LONG, ...limits } });
    return group;
  };
});

afterEach(async () => {
  await group.finish();
  await remove();
});

const announceMany = (count: number): Announcement[] => Array.from({ length: count }, () => group.announce());
/** Longer than a batch stays open by itself. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}
const intentOf = (announced?: Announcement) => (announced === undefined ? {} : { announced });
const write = (announced?: Announcement) => group.submit(() => group.commits(), intentOf(announced));

test("a batch of announced writes waits until few of those are missing that were announced before it", async () => {
  open();
  const announced = announceMany(6);
  const written = [];
  for (const each of announced) {
    written.push(write(each));
    await someTurns();
  }
  // The first waits for the second and third: then three are missing, which share the next commits.
  expect((await Promise.all(written)).slice(0, 3)).toEqual([0, 0, 0]);
  expect(group.commits()).toBeGreaterThan(1);
});

test("a batch does not wait for writes that are announced once it is open", async () => {
  open();
  const [first] = announceMany(1);
  const written = group.submit(() => void announceMany(9), intentOf(first));
  await written;
  expect(group.commits()).toBe(1);
});

test("while writes wait for announced ones, committed data is read on the writing connection", async () => {
  open();
  const announced = announceMany(9);
  let begun = false;
  const waiting = group.submit(() => {
    begun = true;
  }, intentOf(announced[0]));
  await someTurns();
  expect(begun).toBe(false);
  expect(group.committed()).toBeDefined();
  for (const each of announced) each.withdraw();
  await waiting;
  expect(group.commits()).toBe(1);
});

test("writes that waited for each other share a commit, however long they take", async () => {
  open({ idle_ms: 0, saturated_ms: 0 });
  const announced = announceMany(6);
  const slow = (each: Announcement) =>
    group.submit(async () => {
      await someTurns();
      return group.commits();
    }, intentOf(each));
  expect(await Promise.all(announced.map(slow))).toEqual([0, 0, 0, 0, 0, 0]);
});

test("a lone announced write is committed at once, beside a few that are announced too", async () => {
  open();
  const [first] = announceMany(4);
  await write(first);
  expect(group.commits()).toBe(1);
});

test("a write that was not announced waits for nobody, nor does the batch that it joins", async () => {
  open();
  const announced = announceMany(9);
  await write();
  expect(group.commits()).toBe(1);
  const joined = write(announced[0]);
  await someTurns();
  expect(group.commits()).toBe(1);
  await Promise.all([joined, write()]);
  expect(group.commits()).toBe(2);
});

test("nobody waits for announced writes that are suspended or withdrawn, but for those that were resumed", async () => {
  open();
  const announced = announceMany(9);
  for (const each of announced.slice(1)) each.suspend();
  await write(announced[0]);
  for (const each of announced.slice(0, 6)) each.resume();
  const waiting = write(announced[1]);
  await someTurns();
  expect(group.commits()).toBe(1);
  for (const each of announced.slice(2)) each.withdraw();
  await waiting;
  for (const each of announced.slice(2)) each.resume();
  await write(announceMany(1)[0]);
  expect(group.commits()).toBe(3);
});

test.each([{ gap_ms: 5 }, { announced_ms: 5 }])("a batch waits no longer than %o", async (limits) => {
  open(limits);
  const announced = announceMany(9);
  await write(announced[0]);
  expect(group.commits()).toBe(1);
});
