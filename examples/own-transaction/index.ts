// A mail in the embedder's own transaction: an order is stored and its mail is sent, or neither. Run it with
// `DATABASE_URL=postgres://… node index.ts`.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWebhookHttp } from "@letterslot/adapter-http";
import { createPostgresLetterslot } from "@letterslot/adapter-postgres";
import { createCaptureTransport, createDns, createSenderAuth } from "@letterslot/adapter-smtp";
import { createLetterslot } from "@letterslot/core";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"] });
await pool.query("create table if not exists orders (item text not null)");

// 1. The service, on the application's own pool. The ports that aren't about storage are shared.
const config = {
  transport: createCaptureTransport({ directory: join(tmpdir(), "letterslot-outbox") }),
  senderAuth: createSenderAuth({ dns: createDns() }),
  webhookHttp: createWebhookHttp(),
  encryptionKeys: [new Uint8Array(32).fill(7)], // your own 32 secret bytes; never change them
  mailDomain: "agents.example.com",
};
const letterslot = await createPostgresLetterslot({ pool, ...config });
const { blobs, queue, signals } = letterslot.services;

const { api_key, inbox } = await letterslot.onboard({ username: `shop-${Date.now()}` });
const shop = await letterslot.authenticate(api_key, null);

/** Stores an order and sends its mail, both or neither. */
async function order(item: string, checkStock: () => void): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("insert into orders (item) values ($1)", [item]);
    // 2. The same service within the transaction: what its operations write is committed or rolled back with it.
    const storage = letterslot.storage.within(client);
    const within = createLetterslot({ ...config, storage, blobs, queue, signals });
    await within.as(shop).messages.send({
      inbox_id: inbox.id,
      to: ["grace@example.org"],
      subject: `Order: ${item}`,
      text: "Thanks!",
    });
    checkStock();
    await client.query("commit");
    // 3. The worker sees the mail only now; without this it would find it a little later.
    await queue.send(new Date());
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

await order("paper", () => undefined);
await order("gold", () => {
  throw new Error("no gold in stock");
}).catch((error: Error) => console.log(`rolled back: ${error.message}`));

const { rows } = await pool.query<{ item: string }>("select item from orders");
const { data } = await letterslot.as(shop).messages.list({ inbox_id: inbox.id });
console.log(`orders: ${rows.map(({ item }) => item).join()}`);
console.log(`mails: ${data.map(({ subject }) => subject).join()}`);

await letterslot.close();
await pool.end();
