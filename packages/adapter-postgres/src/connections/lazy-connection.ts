import { breaksConnection } from "../storage/postgres-errors.ts";
import type { Answer, Connection, Database, Statement } from "./database.ts";

/**
 * Lends a connection that is taken with the first statement, or never. It is discarded when `use` fails
 * because of the server, or may have left a statement running.
 */
export async function withLazyConnection<T>(
  database: Database,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const ended = Promise.withResolvers<{ broken: boolean }>();
  let taken: Promise<Connection> | undefined;
  let lent: Promise<void> | undefined;

  const take = (): Promise<Connection> => {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    lent = database.lend(async (connection, discard) => {
      resolve(connection);
      if ((await ended.promise).broken) discard();
    });
    lent.catch(reject);
    return promise;
  };
  const run = async (statement: Statement): Promise<Answer> => {
    taken ??= take();
    return (await taken).run(statement);
  };

  try {
    const value = await use({ run });
    ended.resolve({ broken: false });
    return value;
  } catch (error) {
    ended.resolve({ broken: breaksConnection(error) });
    throw error;
  } finally {
    // `run` has thrown the error if no connection came; this only waits until it is returned.
    await lent?.catch(() => undefined);
  }
}
