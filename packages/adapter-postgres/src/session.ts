import type { SearchQuery } from "@letterslot/core";
import type { SqlSession } from "@letterslot/sql";
import type { Connection } from "./database.ts";
import type { SearchStatements } from "./search-index.ts";

/** A session of the verbs on anything that runs statements. */
export function sessionOn({ run }: Pick<Connection, "run">): SqlSession {
  return {
    rows: async (statement) => (await run(statement)).rows,
    affected: async (statement) => (await run(statement)).count,
  };
}

/** Ids of the messages that match all terms, newest first. */
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
