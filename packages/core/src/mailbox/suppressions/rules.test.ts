import { expect, test } from "vitest";
import { isStronger, mayLift } from "./rules.ts";

const key = { made_by: "key", reason: "manual" } as const;
const bounce = { made_by: "bounce", reason: "bounce" } as const;
const complaint = { made_by: "complaint", reason: "complaint" } as const;
const stop = { made_by: "person", reason: "stop" } as const;
const person = { made_by: "person", reason: "manual" } as const;

test.each([
  ["a key lifts what a key made", key, "key", true, true],
  ["a key lifts a bounce", bounce, "key", false, true],
  ["a key lifts a bounce, but not again soon", bounce, "key", true, false],
  ["a key lifts no complaint", complaint, "key", false, false],
  ["a key lifts no STOP", stop, "key", false, false],
  ["a key lifts nothing that somebody in charge made", person, "key", false, false],
  ["somebody in charge lifts a bounce", bounce, "authority", true, true],
  ["somebody in charge lifts a complaint", complaint, "authority", false, true],
  ["the operator lifts a STOP", stop, "operator", false, true],
  ["who texted STOP takes it back", stop, "recipient", false, true],
  ["who complained takes it back", complaint, "recipient", false, true],
  ["nobody takes back another's wish", person, "recipient", false, false],
  ["nobody takes back a bounce by writing", bounce, "recipient", false, false],
  ["nobody takes back what a key made", key, "recipient", false, false],
] as const)("%s", (_, made, by, lately, may) => {
  expect(mayLift(made, by, lately)).toBe(may);
});

test("a suppression only gets harder to lift", () => {
  const order = ["key", "bounce", "complaint", "person"] as const;
  for (const [at, made_by] of order.entries())
    expect(order.map((other) => isStronger(other, { made_by }))).toEqual(order.map((_, other) => other > at));
});
