import { once } from "node:events";
import { createInterface } from "node:readline";
import { createPostgresStorage } from "../../packages/adapter-postgres/src/index.ts";
import { LetterslotError } from "../../packages/core/src/catalogue/errors.ts";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { addVerifiedOwner } from "../../packages/core/src/owners/owners/index.ts";
import { createTestService } from "../../packages/core/testing/index.ts";

/**
 * A process with a service of its own on a shared database. Each input line names a use of an address (`inbox`,
 * `authority` or `owner`) and the address; for each it prints the address and `won`, or the reason for the failure. Run
 * with the database, a key of the account with the domain, and the inbox of another account that the people belong to.
 */
const [connection_string = "", api_key = "", inbox_id = ""] = process.argv.slice(2);
const storage = await createPostgresStorage({ connectionString: connection_string });
const { letterslot } = createTestService({ storage });
const as = letterslot.as(await letterslot.authenticate(api_key, null));
const inbox = await storage.get("inboxes", inbox_id);
if (inbox === undefined) throw new Error("there is no such inbox");
const { account_id } = inbox;
const account = await storage.get("accounts", account_id);
if (account === undefined) throw new Error("there is no such account");

const takeFor: Record<string, (email: string) => Promise<unknown>> = {
  inbox(email) {
    const [username = "", domain = ""] = email.split("@");
    return as.inboxes.create({ username, domain });
  },
  authority: (email) => letterslot.operator.accounts.authority.give({ account_id, email }),
  owner(email) {
    const now = new Date();
    return unitOfWork(letterslot.services, account_id, now, (work) =>
      addVerifiedOwner(letterslot.services, work, { account, inbox, email }, now),
    );
  },
};

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const [kind = "", email = ""] = line.split(" ");
  takeFor[kind]?.(email).then(
    () => console.log(`${email} won`),
    (error: unknown) =>
      console.log(`${email} ${error instanceof LetterslotError ? error.code : String(error)}`),
  );
});
console.log("ready");
await once(lines, "close");
await storage.close();
