import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createHashList } from "./hash-list.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

test("hashes come back in their order, in batches", () => {
  const list = createHashList();
  expect([...list.batches(10)]).toEqual([]);
  const added = Array.from({ length: 3_000 }, (_, number) => hashOf(String(number)));
  for (const hash of added) list.add(hash);
  const batches = [...list.batches(1_024)];
  expect(batches.map(({ length }) => length)).toEqual([1_024, 1_024, 952]);
  expect(batches.flat()).toEqual(added);
});

test.each(["", "00", "x".repeat(64), `${hashOf("a")}00`, hashOf("a").toUpperCase()])(
  "%j is no hash, and doesn't disturb those around it",
  (strange) => {
    const list = createHashList();
    for (const each of [hashOf("a"), strange, hashOf("b")]) list.add(each);
    expect([...list.batches(10)]).toEqual([[hashOf("a"), "0".repeat(64), hashOf("b")]]);
  },
);
