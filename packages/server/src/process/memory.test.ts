import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** The size of the young generation, in MB, in a process that has kept millions of objects. */
function youngSpaceAfterLoad(before: string): number {
  const program = `
    import { getHeapSpaceStatistics } from "node:v8";
    ${before}
    const kept = [];
    for (let made = 0; made < 3_000_000; made++) {
      kept.push({ made, list: [made] });
      if (made % 5_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 1_048_576);
  `;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }),
  );
}

const file = new URL("memory.ts", import.meta.url).href;
const limit = `const { limitYoungSpace } = await import(${JSON.stringify(file)}); limitYoungSpace();`;

// Two halves, which may grow once more where a second collection comes before the first is noticed.
test("the young generation stays small under load only if limited", () => {
  expect(youngSpaceAfterLoad(limit)).toBeLessThanOrEqual(32);
  expect(youngSpaceAfterLoad("")).toBeGreaterThan(64);
});
