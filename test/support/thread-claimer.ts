import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { LetterslotError } from "../../packages/core/src/catalogue/errors.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/**
 * A worker with a service of its own on a shared database. Each input line names a thread, its newest message and the name
 * to claim it by: the worker claims it, and answers it if it got it. Prints the thread and `sent`, or the code of the
 * failure. Run with the database, a key and the inbox.
 */
const [connection_string = "", api_key = "", inbox_id = ""] = process.argv.slice(2);
const storage = await createPostgresStorage({ connectionString: connection_string });
const { letterslot } = createTestService({ storage });
const as = letterslot.as(await letterslot.authenticate(api_key, null));

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [thread_id = "", message_id = "", assignee = ""] = line.split(" ");
  const claimAndAnswer = async () => {
    const { claim_token } = await as.threads.assign({ inbox_id, thread_id, assignee, lease_seconds: 600 });
    await as.messages.reply({ inbox_id, message_id, text: assignee, claim_token: claim_token ?? "" });
    return "sent";
  };
  claimAndAnswer().then(
    (outcome) => console.log(`${thread_id} ${outcome}`),
    (error: unknown) =>
      console.log(`${thread_id} ${error instanceof LetterslotError ? error.code : String(error)}`),
  );
});
console.log("ready");
await once(lines, "close");
await storage.close();
