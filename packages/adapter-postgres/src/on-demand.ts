import type { Answer, Connection, Database, Statement } from "./database.ts";
import { leavesInDoubt } from "./postgres-trouble.ts";

/**
 * Lends a connection that is taken with the first statement: whoever runs none has none. It is thrown away
 * when `use` fails because of the server or leaves it in doubt.
 */
export async function onDemand<T>(
  database: Database,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const ended = Promise.withResolvers<{ inDoubt: boolean }>();
  let taken: Promise<Connection> | undefined;
  let lent: Promise<void> | undefined;

  const take = (): Promise<Connection> => {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    lent = database.lend(async (connection, throwAway) => {
      resolve(connection);
      if ((await ended.promise).inDoubt) throwAway();
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
    ended.resolve({ inDoubt: false });
    return value;
  } catch (error) {
    ended.resolve({ inDoubt: leavesInDoubt(error) });
    throw error;
  } finally {
    // Why no connection came, `run` has told; here its return is only waited for.
    await lent?.catch(() => undefined);
  }
}
