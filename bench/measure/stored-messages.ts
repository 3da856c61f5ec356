import { join } from "node:path";
import Database from "better-sqlite3";

/** Counts the messages in a server's data folder. */
export function countStoredMessages(data_dir: string): number {
  const database = new Database(join(data_dir, "letterslot.db"), { readonly: true });
  try {
    return (database.prepare("select count(*) as count from messages").get() as { count: number }).count;
  } finally {
    database.close();
  }
}
