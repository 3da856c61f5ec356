import type { SearchQuery } from "@letterslot/core";
import type { SqlSession, SqlStatement } from "@letterslot/sql";
import type { Connection } from "./database.ts";
import type { SearchStatements } from "./search-index.ts";

/** The verbs' session on whatever runs statements. */
export function sessionOf({ run }: Pick<Connection, "run">): SqlSession {
  return {
    rows: async (statement: SqlStatement) => (await run(statement)).rows,
    affected: async (statement: SqlStatement) => (await run(statement)).count,
  };
}

/** Ids of the messages that hold all terms, newest first. */
export async function searchOn(
  { run }: Pick<Connection, "run">,
  search: SearchStatements,
  query: SearchQuery,
): Promise<string[]> {
  let ids: string[] = [];
  for (const statement of search.search(query)) {
    const { rows } = await run(statement);
    ids = rows.map((row) => row["message_id"] as string);
    if (ids.length >= query.limit) break;
  }
  return ids;
}
