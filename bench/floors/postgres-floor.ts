import { createHash } from "node:crypto";
import pg from "pg";
import PostalMime from "postal-mime";
import { serveCalls } from "../measure/program.ts";
import { listenSmtp } from "./smtp-dialogue.ts";

/** The floor for receiving mail on PostgreSQL: a raw socket, one parse, one statement that writes all rows. */
const SCHEMA = `
create schema if not exists floor;
create table floor.messages (id bigint primary key, inbox text, dedupe text, thread bigint, summary text, tsv tsvector);
create unique index on floor.messages (inbox, dedupe);
create index on floor.messages (inbox, id);
create index on floor.messages (thread, id);
create index on floor.messages using gin (tsv);
create table floor.bodies (id bigint primary key, text text, html text, headers text);
create table floor.terms (inbox text, term text, message bigint, primary key (inbox, term, message));
create table floor.refs (inbox text, reference text, message bigint, primary key (inbox, reference, message));
create table floor.threads (id bigint primary key, inbox text, last bigint, summary text);
create table floor.tasks (id bigint primary key, status text, message bigint, data text);
create index on floor.tasks (status, id);
create table floor.events (account text, sequence bigint, data text, primary key (account, sequence));
create table floor.outbox (id bigint primary key, due timestamptz, data text);
create index on floor.outbox (due);
create table floor.blobs (hash bytea primary key, bytes bytea);
`;

const STATEMENT = `
with b as (insert into floor.blobs values ($1, $2) on conflict do nothing),
 m as (insert into floor.messages values ($3, 'inbox', $4, $3, $5, array_to_tsvector($6::text[]))),
 body as (insert into floor.bodies values ($3, $7, $8, $9)),
 t as (insert into floor.terms select 'inbox', term, $3 from unnest($10::text[]) term),
 r as (insert into floor.refs values ('inbox', $11, $3)),
 th as (insert into floor.threads values ($3, 'inbox', $3, left($5, 500))),
 ta as (insert into floor.tasks values ($3, 'open', $3, $12)),
 e as (insert into floor.events values ('account', $3::bigint * 2, $12), ('account', $3::bigint * 2 + 1, $12))
insert into floor.outbox values ($3, now(), '{}')`;

const POOL_SIZE = 16;
let stored = 0;

/** This program's calls. */
export const calls = {
  async listen({ url }: { url: string }) {
    const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
    await pool.query(SCHEMA);
    return { port: await listenSmtp((raw) => take(pool, raw)) };
  },
};

async function take(pool: pg.Pool, raw: Buffer): Promise<void> {
  const mail = await PostalMime.parse(raw);
  const id = ++stored;
  const text = (mail.text ?? "").replaceAll("\0", "");
  const from = mail.from?.address ?? "";
  const summary = JSON.stringify({
    id,
    from,
    to: mail.to,
    subject: mail.subject,
    text: text.slice(0, 4_000),
  });
  const moment = JSON.stringify({ id, labels: ["received", "unread"], status: "received" });
  const hash = createHash("sha256").update(raw).digest();
  const words = [...new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter(
    (word) => word !== "" && word.length < 64,
  );
  const terms = ["label:received", "label:unread", `from:${from}`, "to:me", "ready"];
  const values = [
    hash,
    raw,
    id,
    hash.toString("hex"),
    summary,
    words,
    null,
    mail.html ?? null,
    JSON.stringify(mail.headers),
    terms,
    mail.messageId ?? "",
    moment,
  ];
  await pool.query({ name: "take", text: STATEMENT, values });
}

serveCalls(calls);
