import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { buildOf } from "../../scripts/tsup-base.ts";

/** Core's types as plain TypeScript, made for each build: the client's declarations need no library. */
const TYPES = ".types/core.ts";
const printer = join(import.meta.dirname, "../../scripts/client-types.ts");
execFileSync(process.execPath, [printer, join(import.meta.dirname, TYPES)], { stdio: "inherit" });

export default buildOf(import.meta.dirname, { typesFrom: { "@letterslot/core": TYPES } });
