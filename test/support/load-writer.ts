import { createSqliteStorage } from "../../packages/adapter-sqlite/src/sqlite-storage.ts";

/**
 * Runs a load in the database at a path, and separate writes beside it. Prints `load <number>` for each transaction of
 * the load that has resolved, `write <number>` for each other write, and `loaded` once all of it has.
 */
const [path = "", transactions = "0"] = process.argv.slice(2);
const RECORDS_PER_TRANSACTION = 20;

const storage = createSqliteStorage({ path });
if (storage.bulkLoad === undefined) throw new Error("The storage has no loads.");
const counter = (name: string) => ({ name, count: 1, expires_at: "2026-01-01T00:00:00.000Z" });
const print = (line: string) => void process.stdout.write(`${line}\n`);

let loading = true;
const writing = (async () => {
  for (let number = 0; loading; number++) {
    await storage.insert("counters", counter(`write ${number}`));
    print(`write ${number}`);
    // Waits, so that most commits contain only the load.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
})();
await storage.bulkLoad(async () => {
  for (let number = 0; number < Number(transactions); number++) {
    await storage.transaction(
      async (tx) =>
        tx.append(
          "counters",
          Array.from({ length: RECORDS_PER_TRANSACTION }, (_, record) => counter(`load ${number} ${record}`)),
        ),
      { part_of_load: true },
    );
    print(`load ${number}`);
  }
});
print("loaded");
loading = false;
await writing;
await storage.close();
