import type { Answer, Connection, Database, Statement } from "./database.ts";
import { isTrouble } from "./postgres-trouble.ts";

interface Asked {
  statement: Statement;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** How many reads wait for each other on a connection at most. */
const READS_TOGETHER = 16;

/**
 * Reads that are asked for before the event loop turns, as many of one mail are, go to one connection: they
 * are sent in one write, and each write costs more than making and reading what it carries. For statements
 * that wait for no lock, on a connection that pipelines.
 */
export function gatherReads(lend: Database["lend"]): Connection["run"] {
  let asked: Asked[] = [];

  const send = () => {
    for (let first = 0; first < asked.length; first += READS_TOGETHER)
      void readTogether(asked.slice(first, first + READS_TOGETHER));
    asked = [];
  };
  const readTogether = async (together: Asked[]) => {
    try {
      await lend(async (connection, throwAway) => {
        await Promise.all(
          together.map(({ statement, resolve, reject }) =>
            connection.run(statement).then(resolve, (error: unknown) => {
              if (isTrouble(error)) throwAway();
              reject(error);
            }),
          ),
        );
      });
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  };

  return (statement) =>
    new Promise((resolve, reject) => {
      asked.push({ statement, resolve, reject });
      if (asked.length === 1) process.nextTick(send);
    });
}
