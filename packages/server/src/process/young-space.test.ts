import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** The size of the young generation, in MB, in a process that has allocated many objects. */
function youngSpaceAfterLoad(before: string): number {
  const program = `
    import { getHeapSpaceStatistics } from "node:v8";
    ${before}
    const kept = Array.from({ length: 400_000 });
    for (let made = 0; made < 3_000_000; made++) {
      kept[made % kept.length] = { made, list: [made] };
      if (made % 5_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 1_048_576);
  `;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" }),
  );
}

test("the young generation stays small under load only if limited", () => {
  const file = new URL("young-space.ts", import.meta.url).href;
  expect(youngSpaceAfterLoad(`(await import(${JSON.stringify(file)})).limitYoungSpace();`)).toBeLessThan(32);
  expect(youngSpaceAfterLoad("")).toBeGreaterThanOrEqual(32);
});
