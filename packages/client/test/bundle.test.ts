import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "tsup";
import { expect, test } from "vitest";

test.each([
  ["the client", "index", 10 * 1024],
  ["the verifier of receipts", "receipts", 3 * 1024],
])("%s bundles for browsers into one small file without Node APIs", async (_whose, source, most) => {
  const outDir = mkdtempSync(join(tmpdir(), "letterslot-client-"));
  try {
    const entry = { client: fileURLToPath(new URL(`../src/${source}.ts`, import.meta.url)) };
    await build({
      entry,
      outDir,
      format: "esm",
      platform: "browser",
      target: "es2022",
      minify: true,
      silent: true,
      config: false,
      noExternal: [/.*/],
    });
    const code = readFileSync(join(outDir, "client.js"));
    expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThanOrEqual(most);
    expect(code.toString()).not.toMatch(/\bfrom\s*"|\bimport\s*\(|\bprocess\b|\bBuffer\b/);
    // Descriptions of fields are only in the declarations.
    expect(code.toString()).not.toContain("The inbox");
  } finally {
    rmSync(outDir, { recursive: true });
  }
});
