import { join } from "node:path";
import Database from "better-sqlite3";

/** How many messages a server's data folder holds. */
export function storedMessages(data_dir: string): number {
  const database = new Database(join(data_dir, "letterslot.db"), { readonly: true });
  try {
    return (database.prepare("select count(*) as count from messages").get() as { count: number }).count;
  } finally {
    database.close();
  }
}
