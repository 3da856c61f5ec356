import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { runDueJobs } from "../../packages/core/src/work.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/**
 * A process with a service of its own on a shared database. At each input line it does every job that is due by its
 * clock, which is some time ahead, and prints how many. Run with the database and the milliseconds that it is ahead.
 */
const [connection_string = "", ahead = "0"] = process.argv.slice(2);
const storage = await createPostgresStorage({ connectionString: connection_string });
const service = createTestService({ storage });
await service.clock.advance(Number(ahead));

const lines = createInterface({ input: process.stdin });
lines.on("line", () => {
  runDueJobs(service.letterslot.services).then(
    (done) => console.log(`done ${done}`),
    (error: unknown) => console.log(`failed ${String(error)}`),
  );
});
console.log("ready");
await once(lines, "close");
await storage.close();
