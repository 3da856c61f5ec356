import type { Access } from "@letterslot/sql";
import { describe, expect, test } from "vitest";
import { createConflictGraph, NotSerializable } from "./conflict-graph.ts";

type Done = [by: number, access: Access | undefined] | [by: number, access: Access, "unread"];

const reads = (name: string): Access => ({ table: "counters", does: "reads", where: { name } });
const inserts = (name: string): Access => ({ table: "counters", does: "inserts", where: { name } });
const sets = (name: string): Access => ({
  table: "counters",
  does: "changes",
  where: { name },
  change: { count: 1 },
});
const adds = (name: string): Access => ({
  table: "counters",
  does: "changes",
  where: { name },
  change: { count: { add: 1 } },
});

/** Notes what three transactions do; returns what was answered, up to the one that was refused. */
function answersTo(history: readonly Done[]): (boolean | "refused")[] {
  const graph = createConflictGraph();
  const members = [graph.join(), graph.join(), graph.join()];
  const answers: (boolean | "refused")[] = [];
  for (const [by, access, unread] of history)
    try {
      if (access !== undefined && unread !== undefined) members[by]?.writes(access);
      else answers.push(members[by]?.does(access) ?? false);
    } catch (error) {
      expect(error).toBeInstanceOf(NotSerializable);
      return [...answers, "refused"];
    }
  return answers;
}

describe("of transactions that run interleaved", () => {
  test.each<[string, Done[]]>([
    [
      "reads of the same",
      [
        [0, reads("a")],
        [1, reads("a")],
        [0, reads("a")],
      ],
    ],
    [
      "a read before another one's change",
      [
        [0, reads("a")],
        [1, sets("a")],
        [0, reads("b")],
      ],
    ],
    [
      "additions in the same order",
      [
        [0, adds("a")],
        [1, adds("a")],
        [0, adds("b")],
        [1, adds("b")],
      ],
    ],
    [
      "additions that nobody reads, in any order",
      [
        [0, adds("a"), "unread"],
        [1, adds("a"), "unread"],
        [1, adds("b"), "unread"],
        [0, adds("b"), "unread"],
      ],
    ],
    [
      "inserts of other keys",
      [
        [0, inserts("a")],
        [1, inserts("b")],
        [0, inserts("c")],
      ],
    ],
    [
      "what one does to its own",
      [
        [0, inserts("a")],
        [0, sets("a")],
        [0, reads("a")],
      ],
    ],
  ])("%s: all go on", (_, history) => {
    expect(answersTo(history)).not.toContain("refused");
  });

  test.each<[string, Done[]]>([
    [
      "that read what the other one changes",
      [
        [0, reads("a")],
        [1, reads("b")],
        [0, sets("b")],
        [1, sets("a")],
      ],
    ],
    [
      "one whose record changes between its reads",
      [
        [0, reads("a")],
        [1, sets("a")],
        [0, reads("a")],
      ],
    ],
    [
      "that add in turns",
      [
        [0, adds("a")],
        [1, adds("a")],
        [1, adds("b")],
        [0, adds("b")],
      ],
    ],
    [
      "that insert the same keys in turns",
      [
        [0, inserts("a")],
        [1, inserts("a")],
        [1, inserts("b")],
        [0, inserts("b")],
      ],
    ],
    [
      "one that reads between additions that nobody reads",
      [
        [0, adds("a"), "unread"],
        [1, reads("a")],
        [0, adds("a"), "unread"],
      ],
    ],
    [
      "three in a circle",
      [
        [0, reads("a")],
        [1, sets("a")],
        [1, reads("b")],
        [2, sets("b")],
        [2, reads("c")],
        [0, sets("c")],
      ],
    ],
    [
      "three in a circle that closes in the middle",
      [
        [1, reads("b")],
        [2, sets("b")],
        [0, reads("a")],
        [1, sets("a")],
        [2, reads("c")],
        [0, sets("c")],
      ],
    ],
    [
      "one that does what nobody knows, between what another one does",
      [
        [0, reads("a")],
        [1, undefined],
        [0, reads("b")],
      ],
    ],
  ])("%s: one is refused", (_, history) => {
    expect(answersTo(history).at(-1)).toBe("refused");
  });

  test.each<[string, Done[], boolean]>([
    [
      "a read of what was changed",
      [
        [0, sets("a")],
        [1, reads("a")],
      ],
      true,
    ],
    [
      "a read of what was inserted",
      [
        [0, inserts("a")],
        [1, reads("a")],
      ],
      true,
    ],
    [
      "a change of what was added to",
      [
        [0, adds("a")],
        [1, sets("a")],
      ],
      true,
    ],
    [
      "anything after what nobody knows",
      [
        [0, undefined],
        [1, reads("a")],
      ],
      true,
    ],
    [
      "an addition after another one, as their order tells them apart",
      [
        [0, adds("a")],
        [1, adds("a")],
      ],
      false,
    ],
    [
      "a change of what was read",
      [
        [0, reads("a")],
        [1, sets("a")],
      ],
      false,
    ],
    [
      "an insert of the same key",
      [
        [0, inserts("a")],
        [1, inserts("a")],
      ],
      false,
    ],
    [
      "a read of something else",
      [
        [0, sets("a")],
        [1, reads("b")],
      ],
      false,
    ],
  ])("%s must see it: %#", (_, history, sees) => {
    expect(answersTo(history).at(-1)).toBe(sees);
  });
});
