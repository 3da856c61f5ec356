import { createSqliteStorage } from "../src/sqlite-storage.ts";

/**
 * Writes until it is killed. Each of eight writers repeats a transaction (an event with its sequence, a job,
 * a search document) and an insert (a counter), then prints `<writer> <number> <sequence>`. Run with the path
 * and the name of the round.
 */
const [path = "", round = ""] = process.argv.slice(2);
const storage = createSqliteStorage({ path });
const at = "2026-01-01T00:00:00.000Z";
const ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

await storage.insert("accounts", {
  id: "acct_1",
  parent_account_id: null,
  created_at: at,
  event_sequence: 0,
  storage_bytes: 0,
  sub_account_bytes: 0,
  plan: null,
  suspended_at: null,
  deleted_at: null,
  claimed: true,
  first_owner_email: null,
  lifecycle_emails: "on",
  owner_email_style: null,
  owner_email_style_note: null,
  send_mode_floor: "direct",
  receipt_head: null,
  letters_live_until: "",
});

await Promise.all(Array.from({ length: 8 }, (_, writer) => writeForever(writer)));

async function writeForever(writer: number): Promise<never> {
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

/** The id of a message created in the millisecond of that number. */
function messageId(sequence: number): string {
  let time = "";
  for (let rest = sequence; time.length < 9; rest = Math.floor(rest / 32))
    time = ID_ALPHABET.charAt(rest % 32) + time;
  return `msg_${time}00000000000`;
}
