import pg from "pg";
import { batchReads } from "../statements/batch-reads.ts";
import { isServerError } from "../storage/postgres-errors.ts";
import { answerOf, configOf, connectionOf } from "./client-connection.ts";
import type { Answer, Database, Listener, Statement } from "./database.ts";

/**
 * A database over a pool of pg. `own`: the pool is ours to close, and its connections pipeline. `prepare`:
 * statements are prepared, which some poolers don't support. `settings`: a statement that each new connection runs
 * first.
 */
export function databaseOfPool(
  pool: pg.Pool,
  { own, prepare, settings }: { own: boolean; prepare: boolean; settings?: string },
): Database {
  // The pool discards an idle connection that breaks; without a listener its error would end the process.
  const ignore = () => undefined;
  pool.on("error", ignore);
  if (settings !== undefined)
    // It goes out before the statement that the connection was opened for; a connection that fails here fails there
    // too.
    pool.on("connect", (client) => void client.query(settings).catch(ignore));

  const run = async (statement: Statement): Promise<Answer> =>
    answerOf(await pool.query(configOf(statement, prepare)));
  const lend: Database["lend"] = async (use) => {
    const client = await pool.connect();
    client.on("error", ignore);
    let broken = false;
    try {
      return await use(connectionOf(client, prepare), () => {
        broken = true;
      });
    } catch (error) {
      broken ||= isServerError(error);
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken);
    }
  };

  return {
    // As prepared statements need them.
    lends_sessions: prepare,
    run,
    read: own ? batchReads(lend) : run,
    lend,
    async listen(channel, listener) {
      const client = await pool.connect();
      return listenOn(client, channel, listener, async () => client.release(true));
    },
    async close() {
      pool.off("error", ignore);
      if (!own) return;
      // Idle connections may break while the pool waits for the others.
      pool.on("error", ignore);
      await pool.end();
    },
  };
}

/** Opens a dedicated connection and listens on it. */
export async function listenByUrl(
  config: pg.ClientConfig,
  channel: string,
  listener: Listener,
): Promise<{ close(): Promise<void> }> {
  const client = new pg.Client(config);
  // An error while connecting also rejects the promise.
  client.on("error", () => undefined);
  await client.connect();
  return listenOn(client, channel, listener, () => client.end());
}

async function listenOn(
  client: pg.ClientBase,
  channel: string,
  listener: Listener,
  end: () => Promise<void>,
) {
  let open = true;
  const onLost = () => {
    if (!open) return;
    open = false;
    void close();
    listener.onLost();
  };
  const close = async () => {
    open = false;
    // A broken connection can't be closed properly, and needn't be.
    await end().catch(() => undefined);
  };
  client.on("error", onLost);
  client.on("end", onLost);
  client.on("notification", ({ payload }) => open && listener.onMessage(payload ?? ""));
  try {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
