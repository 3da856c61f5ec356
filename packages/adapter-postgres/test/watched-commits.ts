import type { Statement } from "../src/connections/database.ts";
import type { PostgresStorage } from "../src/storage/postgres-storage.ts";

/** The commits and statements that a storage sends on the connections lent to it. */
export interface WatchedCommits {
  commits: number;
  statements: string[];
  /** The error that the next commit fails with, if any; its transaction is rolled back. */
  failure: Error | undefined;
}

/** Watches a storage's statements from now on. */
export function watchCommits(storage: PostgresStorage): WatchedCommits {
  const watched: WatchedCommits = { commits: 0, statements: [], failure: undefined };
  const { lend } = storage.database;
  storage.database.lend = (use) =>
    lend((connection, throwAway) => {
      const run = async (statement: Statement) => {
        watched.statements.push(statement.sql);
        if (statement.sql !== "commit") return connection.run(statement);
        watched.commits++;
        const { failure } = watched;
        watched.failure = undefined;
        const answer = await connection.run(
          failure === undefined ? statement : { ...statement, sql: "rollback" },
        );
        if (failure !== undefined) throw failure;
        return answer;
      };
      return use({ run }, throwAway);
    });
  return watched;
}
