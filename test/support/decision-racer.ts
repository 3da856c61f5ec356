import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { createSqliteStorage } from "../../packages/adapter-sqlite/src/index.ts";
import { LetterslotError } from "../../packages/core/src/catalogue/errors.ts";
import { createTestService } from "../../packages/core/testing/index.ts";
import { createPasskeys } from "../../packages/passkeys/src/index.ts";

/** A decision that a process is to make: in whose session, and what. */
export interface AskedDecision {
  email: string;
  session_id: string;
  input: { approval_id: string; decision: "approve" | "reject"; digest: string } & Record<string, unknown>;
}

/**
 * A process with a service of its own on a shared database: of PostgreSQL by its URL, or else of SQLite by its path. Each
 * input line is an approval and a decision about it (JSON in base64url); for each it prints the approval and `won`, or the
 * reason for the failure. Run with the database and the service's BASE_URL.
 */
const [database = "", base_url = ""] = process.argv.slice(2);
const storage = database.startsWith("postgres")
  ? await createPostgresStorage({ connectionString: database })
  : createSqliteStorage({ path: database });
const { letterslot } = createTestService({ storage, passkeys: createPasskeys(), baseUrl: base_url });

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [approval_id = "", asked = ""] = line.split(" ");
  const decide = async () => {
    const { input, ...person } = JSON.parse(Buffer.from(asked, "base64url").toString()) as AskedDecision;
    const caller = await letterslot.callerFor({ ...person, ip: null }, "approvals.decideInSession", {});
    const { decided_by } = await letterslot.as(caller).approvals.decideInSession(input);
    return decided_by?.email === person.email ? "won" : "somebody_else";
  };
  decide().then(
    (outcome) => console.log(`${approval_id} ${outcome}`),
    (error: unknown) =>
      console.log(`${approval_id} ${error instanceof LetterslotError ? error.code : String(error)}`),
  );
});
console.log("ready");
await once(lines, "close");
await storage.close();
