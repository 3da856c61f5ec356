import Database from "better-sqlite3";

/** Locks a database exclusively for some milliseconds. Prints `held`, or the error code. */
const [path = "", held_ms = ""] = process.argv.slice(2);
const database = new Database(path, { timeout: 0 });
try {
  database.pragma("locking_mode = exclusive");
  database.exec("begin exclusive; commit");
  process.stdout.write("held\n");
} catch (error) {
  process.stdout.write(`${(error as { code: string }).code}\n`);
}
setTimeout(() => database.close(), Number(held_ms));
