import type { SearchQuery } from "@letterslot/core";
import type { Row, SqlSession } from "@letterslot/sql";
import type { Connection } from "./database.ts";
import { asksIndex, type SearchStatements } from "./search-index.ts";

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
  const { rows: sample } = await run(ways.sample);
  if (sample.length >= limit) return idsOf(sample);
  if (!asksIndex(sample.length, Number(sample[0]?.["table_bytes"]), limit)) {
    const { rows } = await run(ways.recent);
    if (rows.length >= limit) return idsOf(rows);
  }
  return idsOf((await run(ways.all)).rows);
}

const idsOf = (rows: readonly Row[]): string[] => rows.map((row) => row["message_id"] as string);
