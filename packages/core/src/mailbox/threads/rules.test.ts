import { describe, expect, test } from "vitest";
import type { Permission } from "../../catalogue/permissions.ts";
import { checkMayMove, splitLabelChange } from "./rules.ts";

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

test.each<[readonly Permission[] | null, unknown, boolean]>([
  [["thread_update"], "archive", true],
  [["thread_update", "message_delete"], "trash", true],
  [null, "trash", true],
  [["thread_update"], "trash", false],
])("with %o a thread may be moved to %s: %s", (permissions, folder, may) => {
  const check = () => checkMayMove(permissions, folder);
  if (may) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: "permission_denied" }));
});
