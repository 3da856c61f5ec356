import { createSqliteStorage } from "../src/sqlite-storage.ts";

/**
 * Writes until it is killed: eight writers, each transaction an event with its sequence, a counter, a job and
 * a search document, or a single insert. Prints `<writer> <number> <sequence>` once a transaction was
 * answered. Run with the path and a round's name.
 */
const [path = "", round = ""] = process.argv.slice(2);
const storage = createSqliteStorage({ path });
const at = "2026-01-01T00:00:00.000Z";
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

await storage.insert("accounts", {
  id: "acct_1",
  parent_account_id: null,
  created_at: at,
  event_sequence: 0,
  claimed: true,
  lifecycle_emails: "on",
  owner_email_style: null,
  owner_email_style_note: null,
});

await Promise.all(Array.from({ length: 8 }, (_, writer) => writeForEver(writer)));

async function writeForEver(writer: number): Promise<never> {
  for (let number = 0; ; number++) {
    const name = `${round}-${writer}-${number}`;
    const sequence = await storage.transaction(async (tx) => {
      const [account] = await tx.update("accounts", { id: "acct_1" }, { event_sequence: { add: 1 } });
      const next = account?.event_sequence ?? 0;
      const event = {
        id: `evt_${name}`,
        account_id: "acct_1",
        inbox_id: null,
        message_id: null,
        type: "message.received" as const,
        created_at: at,
        sequence: next,
        data: {},
      };
      tx.append("events", [event]);
      tx.append("jobs", [
        {
          id: `job_${name}`,
          kind: "message.send",
          due_at: at,
          subject_id: `evt_${name}`,
          payload: {},
          attempts: 0,
          lease: null,
          created_at: at,
        },
      ]);
      const fields = { subject: [`s${next}`], text: ["common"], sender: [], recipients: [], attachments: [] };
      tx.index([
        { message_id: messageId(next), account_id: "acct_1", inbox_id: "inb_1", thread_id: "thr_1", fields },
      ]);
      return next;
    });
    await storage.insert("counters", { name, count: sequence, expires_at: at });
    process.stdout.write(`${writer} ${number} ${sequence}\n`);
  }
}

/** The id of a message that was made in the millisecond of that number. */
function messageId(sequence: number): string {
  let time = "";
  for (let rest = sequence; time.length < 9; rest = Math.floor(rest / 32))
    time = alphabet.charAt(rest % 32) + time;
  return `msg_${time}00000000000`;
}
