import { createHash } from "node:crypto";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { Pool } from "undici";
import { serveCalls } from "../measure/program.ts";
import { openFloorStore } from "./floor-store.ts";
import { listenSmtp } from "./smtp-dialogue.ts";

/** The floor for receiving mail: a raw socket, one parse, one transaction with the product's rows, group commit. */
const INBOX = "inbox";
let stored = 0;
let webhook: { pool: Pool; path: string } | undefined;

/** This program's calls. */
export const calls = {
  /** Listens; given a webhook URL, posts each stored mail there after its commit. */
  async listen({ folder, webhook_url }: { folder: string; webhook_url?: string }) {
    const store = openFloorStore(join(folder, "floor.db"));
    if (webhook_url !== undefined) {
      const { origin, pathname } = new URL(webhook_url);
      webhook = { pool: new Pool(origin, { connections: 64 }), path: pathname };
    }
    return { port: await listenSmtp((raw) => take(store, raw)) };
  },
  stored: () => stored,
};

async function take(store: ReturnType<typeof openFloorStore>, raw: Buffer): Promise<void> {
  const mail = await PostalMime.parse(raw);
  const id = ++stored;
  const text = mail.text ?? "";
  const words = text.toLowerCase();
  const created = new Date().toISOString();
  const from = mail.from?.address ?? "";
  const summary = JSON.stringify({
    id,
    from,
    to: mail.to,
    subject: mail.subject,
    text: text.slice(0, 4_000),
    created,
  });
  const moment = JSON.stringify({ id, labels: ["received", "unread"], status: "received", created });
  const hash = createHash("sha256").update(raw).digest();
  const attachments = mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer));
  await store.write((run) => {
    run("insert into blobs values (?, ?)", hash, raw);
    for (const bytes of attachments)
      run(
        "insert into blobs values (?, ?) on conflict do nothing",
        createHash("sha256").update(bytes).digest(),
        bytes,
      );
    run(
      "insert into messages values (?, 'account', ?, ?, ?, ?, ?)",
      id,
      INBOX,
      id,
      hash.toString("hex"),
      summary,
      created,
    );
    run("insert into bodies values (?, ?, ?, ?)", id, null, mail.html ?? null, JSON.stringify(mail.headers));
    for (const term of ["label:received", "label:unread", `from:${from}`, "to:me", "ready"])
      run("insert into terms values (?, ?, ?)", INBOX, term, id);
    run("insert into refs values (?, ?, ?)", INBOX, mail.messageId ?? "", id);
    run("insert into threads values (?, ?, ?, ?)", id, INBOX, id, summary.slice(0, 500));
    run("insert into tasks values (?, 'account', 'open', ?, ?)", id, id, moment);
    run("insert into events values ('account', ?, ?)", id * 2, moment);
    run("insert into events values ('account', ?, ?)", id * 2 + 1, moment);
    run("insert into outbox values (?, ?, ?)", id, created, "{}");
    run(
      "insert into search (rowid, scope, subject, text, people) values (?, 'account inbox', ?, ?, ?)",
      id,
      mail.subject ?? "",
      words,
      from,
    );
  });
  if (webhook === undefined) return;
  const { pool, path } = webhook;
  pool
    .request({
      method: "POST",
      path,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message_id: mail.messageId, summary }),
    })
    .then(({ body }) => body.dump())
    .catch(() => {});
}

serveCalls(calls);
