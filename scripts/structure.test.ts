import { describe, expect, test } from "vitest";
import { BOUNDS, measure, problemsOf, readSources } from "./structure.ts";

const core = (name: string, text = "export {};\n") => ({ path: `packages/core/src/${name}`, text });

describe("the structure of core", () => {
  test("is within its bounds", () => {
    expect(problemsOf(measure(readSources()))).toEqual([]);
  });

  test.each<[string, ReturnType<typeof core>[], RegExp]>([
    [
      "rooms",
      Array.from({ length: BOUNDS.rooms + 1 }, (_, n) => core(`room${n}/a.ts`)),
      /^core\/src has 21 rooms/,
    ],
    [
      "a long chain, also of types",
      Array.from({ length: BOUNDS.depth + 1 }, (_, n) =>
        core(`kernel/a/${n}/f.ts`, `import type { A } from "../${n + 1}/f.ts";\n`),
      ),
      /^The longest chain of imports has 45 files/,
    ],
    [
      "a circle",
      [core("kernel/a.ts", 'import "./b.ts";\n'), core("kernel/b.ts", 'export * from "./a.ts";\n')],
      /^Files import each other/,
    ],
    [
      "a crowded folder",
      Array.from({ length: BOUNDS.loose_files + 1 }, (_, n) => core(`kernel/f${n}.ts`)),
      /^Too many files in one folder: packages\/core\/src\/kernel \(26\)/,
    ],
    ["a long file", [core("kernel/a.ts", "\n".repeat(BOUNDS.lines + 1))], /^Too long: .*kernel\/a\.ts: 401/],
    [
      "a wide entrance",
      [
        core(
          "index.ts",
          `export {\n${Array.from({ length: BOUNDS.exports }, (_, n) => `  f${n},\n`).join("")}} from "./a.ts";\nexport type { Options } from "./a.ts";\n`,
        ),
      ],
      /^@letterslot\/core exports 61 values, functions and configuration types/,
    ],
    [
      "an entrance that names nothing",
      [core("index.ts", 'export type * from "./ports/a.ts";\n')],
      /^@letterslot\/core exports \* of \.\/ports\/a\.ts/,
    ],
  ])("is out of bounds by %s", (_, files, problem) => {
    expect(problemsOf(measure(files))).toEqual([expect.stringMatching(problem)]);
  });

  test("counts what the entrance exports besides the types of records", () => {
    const text =
      'export { type A, b } from "./letterslot.ts";\nexport type { C } from "./kernel/c.ts";\n' +
      'export type { Message } from "./model/messages.ts";\nexport { Plan } from "./model/plans.ts";\nexport const d = 1;\n';
    expect(measure([core("index.ts", text)]).exports).toEqual(["type A", "b", "C", "Plan", "d"]);
  });

  test("counts what is imported as types, as values, and when it is needed", () => {
    const files = [
      core("kernel/a.ts", 'import { type B } from "./b.ts";\n'),
      core("kernel/b.ts", 'const c = await import("./c.ts");\n'),
      core("kernel/c.ts"),
    ];
    expect(measure(files)).toMatchObject({ depth: 3, depth_by_values: 2, files: 3 });
  });
});
