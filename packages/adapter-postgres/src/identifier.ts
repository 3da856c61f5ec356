/** The form of a schema name: what PostgreSQL keeps as it is written, and no longer than it keeps. */
const schemaForm = /^[a-z_][a-z0-9_]{0,47}$/;

/** A schema name, quoted. */
export function identifier(schema: string): string {
  return `"${schema}"`;
}

/** Throws when a schema can't have that name. */
export function checkSchemaName(schema: string): void {
  if (!schemaForm.test(schema))
    throw new Error(`schema "${schema}" is no lower-case name of letters, digits and underscores`);
}
