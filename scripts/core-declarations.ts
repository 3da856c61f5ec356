import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The catalogue for whoever imports it from core's `/internal`: each operation by its name, without its own schemas. */
const OPERATIONS = `import type { Operation } from "./kernel/operation.ts";
import type { Calls, OperationName } from "./model/shown.ts";
export type { Calls, OperationName };
export declare const operations: { readonly [G in keyof Calls]: { readonly [V in keyof Calls[G]]: Operation } };
export type Operations = typeof operations;
`;

/**
 * The declarations of core's operations and of the records that callers are shown, as plain types, by source: what the
 * compiler would infer from the schemas has neither names nor sentences. `directory` is core's.
 */
export function coreDeclarations(directory: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-core-types-"));
  const file = join(folder, "shown.ts");
  execFileSync(process.execPath, [join(directory, "../../scripts/client-types.ts"), file, "core"], {
    stdio: "inherit",
  });
  const shown = readFileSync(file, "utf8");
  rmSync(folder, { recursive: true });
  return { "./src/model/shown.ts": shown, "./src/operations.ts": OPERATIONS };
}
