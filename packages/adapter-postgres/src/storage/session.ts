import type { SearchQuery } from "@letterslot/core/ports";
import type { Row, SqlSession } from "@letterslot/sql";
import type { Connection } from "../connections/database.ts";
import type { SearchStatements } from "../search/search-index.ts";

/** A session of the verbs on anything that runs statements. */
export function sessionOn({ run }: Pick<Connection, "run">): SqlSession {
  return {
    rows: async (statement, limit) =>
      (await run(limit === undefined ? statement : { ...statement, max_rows: limit })).rows,
    affected: async (statement) => (await run(statement)).count,
  };
}

/** Ids of the messages that match all terms, newest first. */
export async function searchOn(
  { run }: Pick<Connection, "run">,
  search: SearchStatements,
  query: SearchQuery,
): Promise<string[]> {
  const { limit } = query;
  const ways = search.search(query);
  if (ways === undefined) return [];
  const { rows: first } = await run(ways.first);
  if (first.length >= limit || first[0]?.["sampled"] !== true) return idsOf(first);
  const { rows: recent } = await run(ways.recent);
  if (recent.length >= limit) return idsOf(recent);
  return idsOf((await run(ways.all)).rows);
}

const idsOf = (rows: readonly Row[]): string[] =>
  rows.map((row) => row["message_id"] as string).sort((a, b) => (a < b ? 1 : -1));
