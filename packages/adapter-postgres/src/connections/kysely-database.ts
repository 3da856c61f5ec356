import type { Row } from "@letterslot/sql";
import { CompiledQuery, type Kysely } from "kysely";
import type pg from "pg";
import { ArrayParameter } from "../statements/array-parameter.ts";
import type { Connection, Database } from "./database.ts";
import { listenByUrl } from "./pool-database.ts";

/** An embedder's Kysely with any tables. */
// biome-ignore lint/suspicious/noExplicitAny: their tables are none of our business
export type AnyKysely = Kysely<any>;

/** A database over an embedder's Kysely. `listen` configures the dedicated connection for notifications. */
export function databaseOfKysely(kysely: AnyKysely, listen: pg.ClientConfig | undefined): Database {
  const { run } = connectionOfKysely(kysely);
  return {
    lends_sessions: false,
    run,
    read: run,
    lend: (use) => kysely.connection().execute((one) => use(connectionOfKysely(one), () => undefined)),
    listen(channel, listener) {
      if (listen === undefined)
        throw new Error("Kysely cannot listen for notifications: pass `connectionString` as well");
      return listenByUrl(listen, channel, listener);
    },
    async close() {},
  };
}

/** A connection over a Kysely that is bound to one, such as a transaction. */
export function connectionOfKysely(kysely: AnyKysely): Connection {
  return {
    async run({ sql, parameters }) {
      const values = parameters.map((value) => (value instanceof ArrayParameter ? value.values : value));
      const { rows, numAffectedRows } = await kysely.executeQuery(CompiledQuery.raw(sql, values));
      return { rows: rows as Row[], count: Number(numAffectedRows ?? rows.length), command: "" };
    },
  };
}
