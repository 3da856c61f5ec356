import { expect, test } from "vitest";
import type { TableName } from "../model/tables.ts";
import { createCachedRead } from "./cached-read.ts";

function open(version?: (tables: readonly TableName[]) => number) {
  const cachedRead = createCachedRead(version === undefined ? {} : { version });
  let reads = 0;
  const read = (name: string, tables: readonly TableName[] = ["keys"]) =>
    cachedRead(name, tables, async () => ({ name, read: ++reads }));
  return { cachedRead, read };
}

test("a record is read again after a commit, and not before", async () => {
  let commits = 0;
  const { read } = open(() => commits);
  expect([await read("a"), await read("b"), await read("a")].map((record) => record?.read)).toEqual([
    1, 2, 1,
  ]);
  commits++;
  expect((await read("a"))?.read).toBe(3);
});

test("a record read before a commit is not cached after it", async () => {
  let commits = 0;
  const { cachedRead, read } = open(() => commits);
  const { promise, resolve } = Promise.withResolvers<{ name: string; read: number }>();
  const early = cachedRead("a", ["keys"], () => promise);
  commits++;
  await read("b");
  resolve({ name: "a", read: 0 });
  expect((await early)?.read).toBe(0);
  expect((await read("a"))?.read).toBe(2);
});

test("a commit to other tables leaves a record cached", async () => {
  const commits = { keys: 0, messages: 0 };
  const { read } = open((tables) =>
    tables.reduce((sum, name) => sum + commits[name as "keys" | "messages"], 0),
  );
  await read("key");
  await read("both", ["keys", "messages"]);
  commits.messages++;
  expect([await read("key"), await read("both", ["keys", "messages"])].map((each) => each?.read)).toEqual([
    1, 3,
  ]);
  commits.keys++;
  expect([await read("key"), await read("both", ["keys", "messages"])].map((each) => each?.read)).toEqual([
    4, 5,
  ]);
});

test("a record that is gone is not found in the cache once it was looked for", async () => {
  let commits = 0;
  const { cachedRead, read } = open(() => commits);
  await read("a");
  commits++;
  expect(await cachedRead("a", ["keys"], async () => undefined)).toBeUndefined();
  expect((await read("a"))?.read).toBe(2);
});

test("nothing is cached when other processes may write", async () => {
  const { read } = open();
  expect([await read("a"), await read("a")].map((record) => record?.read)).toEqual([1, 2]);
});

test("a missing record is looked up each time", async () => {
  const { cachedRead, read } = open(() => 0);
  expect(await cachedRead("a", ["keys"], async () => undefined)).toBeUndefined();
  expect(await read("a")).toEqual({ name: "a", read: 1 });
});
