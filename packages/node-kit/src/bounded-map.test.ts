import { expect, test } from "vitest";
import { createBoundedMap } from "./bounded-map.ts";

const filled = () => {
  const map = createBoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  return map;
};
const all = (map: ReturnType<typeof filled>) => ["a", "b", "c"].map((key) => map.get(key));

test("an entry beyond the limit drops the one that was set longest ago", () => {
  const map = filled();
  expect(all(map)).toEqual([1, 2, undefined]);
  map.set("c", 3);
  expect(all(map)).toEqual([undefined, 2, 3]);
});

test("an entry that is set again is the newest, and drops none", () => {
  const map = filled();
  map.set("a", 4);
  expect(all(map)).toEqual([4, 2, undefined]);
  map.set("c", 3);
  expect(all(map)).toEqual([4, undefined, 3]);
});

test("reading an entry doesn't make it newer, and a deleted one makes room", () => {
  const map = filled();
  map.get("a");
  map.delete("b");
  map.set("c", 3);
  expect(all(map)).toEqual([1, undefined, 3]);
});
