import { join } from "node:path";
import { buildOf } from "../../scripts/tsup-base.ts";

/** Prints core's types as plain TypeScript: the client's declarations need no library. */
const PRINTER = join(import.meta.dirname, "../../scripts/client-types.ts");

export default buildOf(import.meta.dirname, { typesFrom: { "@letterslot/core": PRINTER } });
