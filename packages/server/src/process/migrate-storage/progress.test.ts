import type { TransferProgress } from "@letterslot/core/internal";
import { expect, test } from "vitest";
import { showProgress } from "./progress.ts";

const run = (isTTY: boolean) => {
  let now = 0;
  const written: string[] = [];
  const display = showProgress({ isTTY, write: (text) => written.push(text) }, () => now);
  const steps: [number, TransferProgress["what"], number][] = [
    [0, "accounts", 2],
    [10, "messages", 100],
    [20, "messages", 200],
    [1500, "messages", 300],
    [1600, "messages", 400],
  ];
  for (const [at, what, done] of steps) {
    now = at;
    display.update({ step: "copying", what, done });
  }
  display.end();
  return written;
};

test("a log gets a line per part, and at most one a second", () => {
  expect(run(false)).toEqual(["copying accounts: 2\n", "copying messages: 300\n", "copying messages: 400\n"]);
});

test("a terminal gets one line per part, which is updated", () => {
  expect(run(true).join("").replaceAll("\r\u001b[K", "|")).toBe(
    "|copying accounts: 2\n|copying messages: 300|copying messages: 400\n",
  );
});

test("where it is known how many there are, it says so, and a terminal gets a bar", () => {
  for (const [isTTY, said] of [
    [false, ["checking mail: 4\n", "importing mail: 1 of 4\n", "exporting files: 3 of 3\n"]],
    [
      true,
      [
        "checking mail: 4\n",
        "importing mail: [#####               ] 1 of 4\n",
        `exporting files: [${"#".repeat(20)}] 3 of 3\n`,
      ],
    ],
  ] as const) {
    const written: string[] = [];
    const display = showProgress({ isTTY, write: (text) => written.push(text) }, () => 0);
    display.update({ step: "checking", what: "mail", done: 4 });
    display.update({ step: "importing", what: "mail", done: 1 });
    display.update({ step: "exporting", what: "files", done: 3, total: 3 });
    display.end();
    expect(written.map((text) => text.replace("\r\u001b[K", ""))).toEqual(said);
  }
});
