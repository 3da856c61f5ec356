import { expect, test } from "vitest";
import { untilItAnswers } from "./until-it-answers.ts";

const away = new Error("unavailable", { cause: new Error("connect ECONNREFUSED 127.0.0.1:5432\n at x") });

/** Opens a database that is away for some attempts. */
async function opened(failures: number, patience_ms: number, failure: Error = away) {
  const pauses: number[] = [];
  const lines: unknown[] = [];
  let attempts = 0;
  const result = await untilItAnswers(
    async () => {
      if (attempts++ < failures) throw failure;
      return "open";
    },
    {
      isAway: (error) => error === away,
      log: { warn: (fields, message) => void lines.push([fields, message]) },
      patience_ms,
      pause: async (ms) => void pauses.push(ms),
    },
  ).catch((error: unknown) => error);
  return { result, pauses, lines };
}

test("a database that is away is asked again after ever longer pauses, with a line for each", async () => {
  const { result, pauses, lines } = await opened(6, 60_000);
  expect(result).toBe("open");
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  expect(lines[0]).toEqual([
    { why: "connect ECONNREFUSED 127.0.0.1:5432", retry_in_ms: 500 },
    "the database does not answer; trying again",
  ]);
  expect(lines).toHaveLength(6);
});

test("one that stays away is given up, and another failure at once", async () => {
  expect(await opened(99, 4_000)).toMatchObject({ result: away, pauses: [500, 1_000, 2_000] });
  const other = new Error("wrong password");
  expect(await opened(99, 4_000, other)).toEqual({ result: other, pauses: [], lines: [] });
});
