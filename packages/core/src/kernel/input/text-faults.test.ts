import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { textFault } from "./text-faults.ts";

const HALF = "a\ud800b";

describe("a text that isn't well-formed", () => {
  test.each<[string, Record<string, unknown>, string | undefined]>([
    ["half a pair", { name: HALF }, "name"],
    ["the other half", { name: "\udc00" }, "name"],
    ["halves in the wrong order", { name: "\udc00\ud800" }, "name"],
    ["half a pair in a body", { text: HALF }, "text"],
    ["half a pair in a list", { labels: ["a", HALF] }, "labels.1"],
    ["half a pair in an object of a list", { links: [{ label: HALF }] }, "links.0.label"],
    ["a name with half a pair", { metadata: { [HALF]: 1 } }, "metadata"],
    ["NUL", { name: "a\0b" }, "name"],
    ["NUL in a name", { metadata: { "a\0": 1 } }, "metadata"],
    ["NUL in a value", { metadata: { text: "\0" } }, "metadata.text"],
    ["half a pair in a value named like a file", { metadata: { a_base64: HALF } }, "metadata.a_base64"],
    ["NUL in a body", { text: "a\0b", html: "\0" }, undefined],
    ["a whole pair", { name: "a😀b" }, undefined],
    ["no text", { count: 1, more: null, on: true, left_out: undefined }, undefined],
  ])("%s", (_, input, param) => {
    expect(textFault(input, ["text", "html"])?.path.join(".")).toBe(param);
  });

  test("is refused at the gate, whatever takes it", async () => {
    const { letterslot, signUp } = createTestService();
    const { caller, inbox } = await signUp("ada-main");
    const inbox_id = inbox.id;
    const calls: [string, Record<string, unknown>, string][] = [
      ["messages.send", { inbox_id, to: ["bo@example.org"], text: HALF }, "text"],
      ["messages.send", { inbox_id, to: ["bo@example.org"], subject: HALF, text: "x" }, "subject"],
      ["messages.inject", { inbox_id, from: "bo@example.org", html: HALF }, "html"],
      ["inboxes.update", { inbox_id, metadata: { a: HALF } }, "metadata.a"],
      ["inboxes.create", { display_name: HALF }, "display_name"],
      ["updates.create", { inbox_id, kind: "done", text: "a\0b" }, "text"],
      ["search.messages", { q: HALF }, "q"],
      ["search.messages", { q: "a\0b" }, "q"],
      ["keys.create", { name: "a\0b" }, "name"],
    ];
    for (const [name, input, param] of calls)
      await expect(letterslot.call(caller, name, input), name).rejects.toMatchObject({
        kind: "invalid",
        param,
      });
  });
});
