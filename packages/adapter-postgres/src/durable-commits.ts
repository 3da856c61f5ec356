import type { Database } from "./database.ts";

/**
 * Throws when the server would answer a commit before it is on disk, as `synchronous_commit = off` of a role
 * or a database makes it: a power cut would take mail that was answered for. How far replicas must have it is
 * the operator's choice.
 */
export async function checkCommitsAreDurable({ run }: Pick<Database, "run">): Promise<void> {
  const { rows } = await run({
    sql: "select current_setting('synchronous_commit') as setting",
    parameters: [],
  });
  if (rows[0]?.["setting"] !== "off") return;
  throw new Error(
    "PostgreSQL has synchronous_commit = off here, so mail that was answered for could be lost in a power cut. " +
      "Set it to on for this role or database: alter role … set synchronous_commit = on",
  );
}
