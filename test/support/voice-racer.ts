import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { LetterslotError } from "../../packages/core/src/catalogue/errors.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/**
 * A process with a service of its own on a shared database, run with the database, an inbox and the address of its
 * owner. For each input line, a client_id, it writes to the agent with it, and prints the client_id and whether that made
 * a message.
 */
const [connection_string = "", inbox_id = "", email = ""] = process.argv.slice(2);
const storage = await createPostgresStorage({ connectionString: connection_string });
const { letterslot } = createTestService({ storage });
const person = letterslot.asOwner({ email, account_id: "" });

const lines = createInterface({ input: process.stdin });
lines.on("line", (client_id) => {
  person.ownerMessages.create({ inbox_id, text: `Order ${client_id}.`, client_id }).then(
    ({ idempotent, message }) => console.log(`${client_id} ${idempotent ? "again" : "made"}:${message.id}`),
    (error: unknown) =>
      console.log(`${client_id} ${error instanceof LetterslotError ? error.code : String(error)}`),
  );
});
console.log("ready");
await once(lines, "close");
await storage.close();
