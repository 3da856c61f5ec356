import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { LetterslotError } from "../../packages/core/src/catalogue/errors.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/**
 * A process with a service of its own on a shared database, run with the database. Each input line names a race, who acts
 * (a key, or a person by their address), an operation and its input as JSON. For each it prints the race and what came
 * of it: the object of the answer, or the code of the failure.
 */
const [connection_string = ""] = process.argv.slice(2);
const storage = await createPostgresStorage({ connectionString: connection_string });
const { letterslot } = createTestService({ storage });

async function act(who: string, operation: string, input: unknown): Promise<string> {
  const [resource = "", verb = ""] = operation.split(".");
  const as: unknown = who.includes("@")
    ? letterslot.asOwner({ email: who, account_id: "" })
    : letterslot.as(await letterslot.authenticate(who, null));
  const operations = as as Record<string, Record<string, (input: unknown) => Promise<{ object: string }>>>;
  const run = operations[resource]?.[verb];
  if (run === undefined) throw new Error(`there is no operation ${operation}`);
  return (await run(input)).object;
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [race = "", who = "", operation = "", ...json] = line.split(" ");
  act(who, operation, JSON.parse(json.join(" "))).then(
    (outcome) => console.log(`${race} ${outcome}`),
    (error: unknown) =>
      console.log(`${race} ${error instanceof LetterslotError ? error.code : String(error)}`),
  );
});
console.log("ready");
await once(lines, "close");
await storage.close();
