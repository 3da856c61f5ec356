import { describe, expect, test } from "vitest";
import { dayOf, describeHealth, healthDays, judgeHealth } from "./rules.ts";

/** Proven reports enough, of two organisations. */
const ENOUGH = {
  hard: ["a.test", "b.test", "a.test", "b.test", "a.test"],
  complaints: ["a.test", "b.test", "a.test"],
};
const day = (sent: number, bounced = 0, complained = 0) => ({ sent, bounced, complained });

describe("sending health", () => {
  test.each([
    ["nothing sent", [], "good"],
    ["no trouble", [day(1000)], "good"],
    ["fifty sends, all bounced", [day(50, 50)], "good"],
    ["a little over fifty, a tenth bounced", [day(60, 6)], "paused"],
    ["just under a tenth", [day(1000, 99)], "warning"],
    ["half of a tenth", [day(1000, 50)], "warning"],
    ["less than that", [day(1000, 49)], "good"],
    ["one complaint in two hundred", [day(200, 0, 1)], "paused"],
    ["one in four hundred", [day(400, 0, 1)], "warning"],
    ["one in a thousand", [day(1000, 0, 1)], "good"],
    ["counts of several days are added", [day(30, 2), day(30, 4)], "paused"],
    ["bounces of what was sent before the window", [day(0, 40), day(51, 0)], "paused"],
  ] as const)("%s", (_, days, state) => {
    expect(judgeHealth(days, ENOUGH).state).toBe(state);
  });

  test.each([
    ["nothing proven", { hard: [], complaints: [] }, "warning"],
    ["four hard bounces", { ...ENOUGH, hard: ["a.test", "b.test", "a.test", "b.test"] }, "warning"],
    ["five of one organisation", { ...ENOUGH, hard: Array.from({ length: 5 }, () => "a.test") }, "warning"],
    ["complaints alone", { ...ENOUGH, hard: [] }, "warning"],
    ["five of two", ENOUGH, "paused"],
  ])("a bounce rate beyond the bound with %s", (_, proven, state) => {
    expect(judgeHealth([day(60, 30)], proven)).toMatchObject({ state, beyond: true });
  });

  test.each([
    ["nothing proven", { hard: [], complaints: [] }, "warning"],
    ["two complaints", { ...ENOUGH, complaints: ["a.test", "b.test"] }, "warning"],
    ["three of one organisation", { ...ENOUGH, complaints: ["a.test", "a.test", "a.test"] }, "warning"],
    ["bounces alone", { ...ENOUGH, complaints: [] }, "warning"],
    ["three of two", ENOUGH, "paused"],
  ])("a complaint rate beyond the bound with %s", (_, proven, state) => {
    expect(judgeHealth([day(60, 0, 3)], proven)).toMatchObject({ state, beyond: true });
  });

  test("rates are shares of what was sent", () => {
    expect(judgeHealth([day(200, 10, 2)], ENOUGH)).toMatchObject({
      sent: 200,
      bounce_rate: 0.05,
      complaint_rate: 0.01,
    });
    expect(judgeHealth([day(0, 3)], ENOUGH)).toMatchObject({ bounce_rate: 0, complaint_rate: 0 });
  });

  test("today and the six days before count", () => {
    const days = healthDays(new Date("2026-03-03T00:00:00.000Z"));
    expect(days).toHaveLength(7);
    expect([days[0], days[6]]).toEqual(["2026-03-03", "2026-02-25"]);
    expect(dayOf(new Date("2026-03-03T23:59:59.999Z"))).toBe("2026-03-03");
  });

  test("its description includes the limits", () => {
    expect(describeHealth(judgeHealth([day(100, 20)], ENOUGH))).toBe(
      "Of 100 recipients in 7 days, 20 bounced and 0 complained. Sending is paused at 10 % bounces or 0.5 % complaints (at least 5 hard bounces or 3 complaints, of 2 organisations) until the rates fall.",
    );
    expect(describeHealth(judgeHealth([day(100, 6)], ENOUGH))).not.toContain("until");
  });
});
