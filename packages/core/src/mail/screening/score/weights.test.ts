import { describe, expect, test } from "vitest";
import { SIGNALS, type SignalType, SUSPICIOUS_FROM } from "../../../catalogue/signals.ts";
import { scoreOf } from "./score.ts";
import { FITTED, GIVEN_WEIGHTS } from "./weights.ts";

const kindsOf = Object.keys(SIGNALS) as SignalType[];

describe("the fitted weights", () => {
  test.each(Object.entries(FITTED.alone))("%s (%i) is a kind that takes a second one", (type, weight) => {
    expect(kindsOf).toContain(type);
    expect(GIVEN_WEIGHTS[type as SignalType]).toBeLessThan(SUSPICIOUS_FROM);
    expect(weight).toBeGreaterThanOrEqual(0);
    expect(scoreOf([{ type: type as SignalType }])).toBeLessThan(SUSPICIOUS_FROM);
  });

  test.each(FITTED.together)("%s and %s are two kinds, named once", (one, other, weight) => {
    expect(kindsOf).toEqual(expect.arrayContaining([one, other]));
    expect(one < other).toBe(true);
    expect(weight).toBeGreaterThan(0);
    expect(weight).toBeLessThan(SUSPICIOUS_FROM);
    expect(FITTED.together.filter(([a, b]) => a === one && b === other)).toHaveLength(1);
  });

  test("only a kind that we gave 40 holds a mail alone", () => {
    const alone = kindsOf.filter((type) => scoreOf([{ type }]) >= SUSPICIOUS_FROM);
    expect(alone.filter((type) => GIVEN_WEIGHTS[type] < SUSPICIOUS_FROM)).toEqual([]);
  });

  test("two kinds that were found to belong together weigh more than each by itself", () => {
    const weights = { alone: {}, together: [["click_here", "urgency", 30]] } as const;
    const both = [{ type: "click_here" }, { type: "urgency" }] as const;
    expect(scoreOf(both, {}, weights)).toBeGreaterThan(scoreOf(both, {}, { alone: {}, together: [] }));
    expect(scoreOf(both.slice(0, 1), {}, weights)).toBe(
      scoreOf(both.slice(0, 1), {}, { alone: {}, together: [] }),
    );
  });
});
