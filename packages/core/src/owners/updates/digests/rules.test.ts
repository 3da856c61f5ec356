import { expect, test } from "vitest";
import { partsOf } from "../../notifications/digest-parts.ts";
import { isDigestDay, nextDigestTime } from "./rules.ts";

test.each([
  ["2026-01-01T00:00:00.000Z", "2026-01-01T13:00:00.000Z"],
  ["2026-01-01T12:59:59.999Z", "2026-01-01T13:00:00.000Z"],
  ["2026-01-01T13:00:00.000Z", "2026-01-02T13:00:00.000Z"],
  ["2026-12-31T23:00:00.000Z", "2027-01-01T13:00:00.000Z"],
])("at %s the next digest is due at %s", (now, due) => {
  expect(nextDigestTime(new Date(now)).toISOString()).toBe(due);
});

test.each([
  [null, "2026-01-01T13:00:00.000Z", true],
  ["2026-01-01T12:00:00.000Z", "2026-01-01T13:00:00.000Z", false],
  ["2026-01-01T12:00:00.000Z", "2026-01-07T13:00:00.000Z", false],
  ["2026-01-01T12:00:00.000Z", "2026-01-08T13:00:00.000Z", true],
  ["2026-01-01T12:00:00.000Z", "2026-01-09T13:00:00.000Z", false],
  ["2026-01-01T12:00:00.000Z", "2026-01-15T13:00:00.000Z", true],
])("an owner unreachable since %s gets a digest at %s: %s", (unreachable_since, now, due) => {
  expect(isDigestDay({ unreachable_since }, new Date(now))).toBe(due);
});

test("updates are grouped by kind, newest first, and progress of one task is one line", () => {
  const update = (
    kind: "progress" | "needs_input" | "done" | "error",
    task_id: string | null,
    n: number,
  ) => ({
    kind,
    task_id,
    n,
  });
  const parts = partsOf([
    update("progress", "a", 1),
    update("progress", "b", 2),
    update("error", "a", 3),
    update("error", "a", 4),
    update("progress", "a", 5),
    update("progress", null, 6),
    update("progress", null, 7),
    update("needs_input", "a", 8),
  ]);
  expect(
    parts.map(({ kind, lines }) => [kind, lines.map(({ update: { n }, earlier }) => [n, earlier])]),
  ).toEqual([
    ["needs_input", [[8, 0]]],
    [
      "error",
      [
        [4, 0],
        [3, 0],
      ],
    ],
    [
      "progress",
      [
        [7, 0],
        [6, 0],
        [5, 1],
        [2, 0],
      ],
    ],
  ]);
});

test("a part shows a limited number of lines and counts the rest, but shows every question", () => {
  const many = Array.from({ length: 50 }, (_, n) => ({ kind: "done" as const, task_id: null, n }));
  expect(partsOf(many)).toMatchObject([{ kind: "done", more: 38 }]);
  const questions = many.map((update) => ({ ...update, kind: "needs_input" as const }));
  expect(partsOf(questions)[0]).toMatchObject({ more: 0, lines: expect.objectContaining({ length: 50 }) });
  expect(partsOf([])).toEqual([]);
});
