import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "letterslot-embed-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the program takes a mail, prints the task and exits by itself", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "index.ts")], {
    cwd: folder,
    timeout: 100_000,
  });
  expect(stdout).toBe("grace@example.org: Please order paper.\n");
});

test("docs/getting-started.md shows it as it is", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/getting-started.md"), "utf8");
  const program = readFileSync(join(import.meta.dirname, "index.ts"), "utf8");
  expect(page).toContain(`\`\`\`ts\n${program}\`\`\`\n`);
});
