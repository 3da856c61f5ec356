import { describe, expect, test } from "vitest";
import { splitLabelChange } from "./rules.ts";

describe("a change of a thread's labels", () => {
  test.each([
    [["a"], ["b"], { own: { add: ["a"], remove: ["b"] }, ofMessages: null }],
    [["read", "a"], [], { own: { add: ["a"], remove: [] }, ofMessages: "read" }],
    [[], ["unread"], { own: { add: [], remove: [] }, ofMessages: "read" }],
    [["unread"], ["b"], { own: { add: [], remove: ["b"] }, ofMessages: "unread" }],
    [[], ["read"], { own: { add: [], remove: [] }, ofMessages: "unread" }],
  ])("adding %j and removing %j falls into its parts", (add, remove, parts) => {
    expect(splitLabelChange(add, remove)).toEqual(parts);
  });
});
