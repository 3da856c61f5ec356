import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { LetterslotError } from "../../packages/core/src/catalogue/errors.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/**
 * A process with a service of its own on a shared database, run with the database. For each input line, a code and a
 * username, it prints the code and `won`, or the reason for the failure.
 */
const [connection_string = ""] = process.argv.slice(2);
const storage = await createPostgresStorage({ connectionString: connection_string });
const { letterslot } = createTestService({ storage });

let tries = 0;
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [code = "", username = ""] = line.split(" ");
  tries += 1;
  // Each try from a network of its own, so that no limit comes before the code.
  const ip = `2001:db8:${process.pid.toString(16).slice(-4)}:${tries.toString(16)}::1`;
  letterslot
    .as({ type: "public", ip })
    .pairings.pair({ code, username })
    .then(
      () => console.log(`${code} won`),
      (error: unknown) =>
        console.log(`${code} ${error instanceof LetterslotError ? error.code : String(error)}`),
    );
});
console.log("ready");
await once(lines, "close");
await storage.close();
