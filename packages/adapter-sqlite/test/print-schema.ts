import { schemaOfTables } from "./schema-of-tables.ts";

/** Prints the statements of core's tables as they are now, to write a migration from. */
console.log(`${schemaOfTables().join(";\n\n")};`);
