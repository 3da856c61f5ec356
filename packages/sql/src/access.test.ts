import { describe, expect, test } from "vitest";
import { areIndependent } from "./access.ts";
import type { Access, Row } from "./sql-dialect.ts";

const jobs = (does: Access["does"], where?: Row, change?: Row): Access => ({
  table: "jobs",
  does,
  ...(where === undefined ? {} : { where }),
  ...(change === undefined ? {} : { change }),
});

describe("two statements", () => {
  const task = (where: Row): Access => ({ table: "tasks", does: "inserts", where });
  const add = { attempts: { add: 1 } };
  test.each<[string, Access, Access, boolean]>([
    ["of different tables", jobs("changes"), { table: "slots", does: "changes" }, true],
    ["that read", jobs("reads"), jobs("reads"), true],
    ["that insert the same key", jobs("inserts", { id: "a" }), jobs("inserts", { id: "a" }), false],
    ["that insert other keys", jobs("inserts", { id: "a" }), jobs("inserts", { id: "b" }), true],
    [
      "that insert the same in a unique column",
      task({ id: "a", message_id: "m" }),
      task({ id: "b", message_id: "m" }),
      false,
    ],
    [
      "that insert others in a unique column",
      task({ id: "a", message_id: "m" }),
      task({ id: "b", message_id: "n" }),
      true,
    ],
    [
      "that insert null in a unique column",
      task({ id: "a", message_id: null }),
      task({ id: "b", message_id: null }),
      true,
    ],
    [
      "that add to the same record",
      jobs("changes", { id: "a" }, add),
      jobs("changes", { id: "a" }, add),
      false,
    ],
    [
      "of which one adds and one sets",
      jobs("changes", { id: "a" }, add),
      jobs("changes", { id: "a" }, { attempts: 1 }),
      false,
    ],
    [
      "that add on a condition",
      jobs("changes", { id: "a", attempts: { lt: 3 } }, add),
      jobs("changes", { id: "a" }, add),
      false,
    ],
    [
      "of which one reads what one adds to",
      jobs("reads", { id: "a" }),
      jobs("changes", { id: "a" }, add),
      false,
    ],
    ["about other keys", jobs("reads", { id: "a" }), jobs("changes", { id: "b" }, { lease: "x" }), true],
    [
      "about lists with nothing in common",
      jobs("reads", { id: { in: ["a", "b"] } }),
      jobs("changes", { id: { in: ["c"] } }, { lease: "x" }),
      true,
    ],
    [
      "about lists with something in common",
      jobs("reads", { id: { in: ["a", "b"] } }),
      jobs("changes", { id: { in: ["b"] } }, { lease: "x" }),
      false,
    ],
    ["of which one may delete any", jobs("changes", {}), jobs("reads", { id: "a" }), false],
    ["of which nobody knows the records of one", jobs("changes"), jobs("reads", { id: "a" }), false],
    [
      "about columns that can't be compared",
      jobs("reads", { kind: "x" }),
      jobs("changes", { id: "a" }),
      false,
    ],
    [
      "of which one brings records into what the other one reads",
      jobs("reads", { lease: "x" }),
      jobs("changes", { lease: "y" }, { lease: "x" }),
      false,
    ],
    [
      "of which one may take the key that the other one inserts",
      jobs("inserts", { id: "b", lease: "y" }),
      jobs("changes", { lease: "x" }, { id: "b" }),
      false,
    ],
    [
      "of which one deletes what the other one inserts",
      jobs("inserts", { id: "a" }),
      jobs("changes", { id: "a" }),
      false,
    ],
    [
      "about texts that a database may take for equal",
      jobs("reads", { id: "a\0" }),
      jobs("changes", { id: "a" }),
      false,
    ],
    [
      "of which one may delete what has the key that the other one inserts",
      jobs("inserts", { id: "a", lease: "y" }),
      jobs("changes", { lease: "x" }),
      false,
    ],
    [
      "of which one deletes another key than the other one inserts",
      jobs("inserts", { id: "a" }),
      jobs("changes", { id: "b" }),
      true,
    ],
    ["about numbers that differ", jobs("reads", { attempts: 1 }), jobs("changes", { attempts: 2 }), true],
    ["about null", jobs("reads", { lease: null }), jobs("changes", { lease: "x" }), false],
  ])("%s", (_, one, other, independent) => {
    expect(areIndependent(one, other)).toBe(independent);
    expect(areIndependent(other, one)).toBe(independent);
  });
});
