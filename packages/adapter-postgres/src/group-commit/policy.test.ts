import { describe, expect, test } from "vitest";
import { RolledBack } from "../storage/postgres-errors.ts";
import {
  afterFailure,
  type Consequence,
  chooseFairly,
  type FailedGroup,
  inOrder,
  mayBegin,
} from "./policy.ts";

test.each([
  ["none runs", 0, 1, true],
  ["one runs and few wait", 1, 15, false],
  ["one runs and a full one waits", 1, 16, true],
  ["four run", 4, 99, false],
])("another group begins where %s: %4$s", (_, running, waiting, begins) => {
  expect(mayBegin(running, waiting)).toBe(begins);
});

describe("a group", () => {
  const waiting = (keys: string) => [...keys].map((key, number) => ({ key, number }));
  const keysOf = (group: readonly { key: string }[]) => group.map(({ key }) => key).join("");

  test.each([
    ["takes all that fit in", "aab", 3, "aab"],
    ["takes one of each record before a second of one", "aaab", 2, "ab"],
    ["takes the oldest of each", "abab", 3, "aba"],
  ])("%s", (_, keys, most, taken) => {
    expect(keysOf(chooseFairly(waiting(keys), most))).toBe(taken);
  });

  test("changes records in their order, and those of one record as they came", () => {
    expect(inOrder(waiting("bab")).map(({ key, number }) => `${key}${number}`)).toEqual(["a1", "b0", "b2"]);
  });
});

const withCode = (code: string) => Object.assign(new Error("it failed"), { code });
const refusal = withCode("23505");
const clash = withCode("40001");
const lost = withCode("ECONNRESET");
const own = new Error("it is refused");
const two = { keys: ["a", "b"], group: ["a", "b"], committing: false, savepoints: false };

test.each<[string, FailedGroup, Consequence]>([
  ["one of two", { ...two, error: own, errors: [own] }, { run: "together", clashed: false }],
  [
    "the only one",
    { ...two, keys: ["a"], group: ["a"], error: own, errors: [own] },
    { run: "never", clashed: false },
  ],
  [
    "the only one's connection",
    { ...two, keys: ["a"], group: ["a"], error: lost, errors: [lost] },
    { run: "alone", clashed: false },
  ],
  [
    "the first, which waited for the turns of all",
    { ...two, keys: ["a"], error: lost, errors: [lost] },
    { run: "alone", clashed: true },
  ],
  [
    "one after its last statement, with savepoints",
    { ...two, savepoints: true, error: own, errors: [own] },
    { run: "alone", clashed: false },
  ],
  ["one by a clash", { ...two, error: clash, errors: [clash] }, { run: "alone", clashed: true }],
  [
    "one of one record by a clash",
    { ...two, keys: ["a", "a"], group: ["a", "a"], error: clash, errors: [clash] },
    { run: "alone", clashed: false },
  ],
  [
    "the last writes",
    { ...two, committing: true, error: refusal, errors: [] },
    { run: "together", clashed: false },
  ],
  [
    "the commit, as the database says",
    { ...two, committing: true, error: new RolledBack(), errors: [] },
    { run: "together", clashed: false },
  ],
  [
    "the commit by a clash",
    { ...two, committing: true, error: clash, errors: [] },
    { run: "alone", clashed: true },
  ],
  [
    "the answer to the commit",
    { ...two, committing: true, error: lost, errors: [] },
    { run: "unknown", clashed: true },
  ],
])("of a group of which fails %s, is run again: %3$o", (_, group, consequence) => {
  expect(afterFailure(group)).toEqual(consequence);
});
