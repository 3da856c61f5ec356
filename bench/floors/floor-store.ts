import Database from "better-sqlite3";

/** A transaction of a floor: statements in sequence. */
export type Write = (run: (sql: string, ...parameters: unknown[]) => void) => void;

const SCHEMA = `
create table messages (id integer primary key, account text, inbox text, thread integer, dedupe text, summary text, created text);
create unique index messages_dedupe on messages (inbox, dedupe);
create index messages_inbox on messages (inbox, id);
create index messages_thread on messages (thread, id);
create table bodies (id integer primary key, text text, html text, headers text);
create table terms (inbox text, term text, message integer, primary key (inbox, term, message)) without rowid;
create table refs (inbox text, reference text, message integer, primary key (inbox, reference, message)) without rowid;
create table threads (id integer primary key, inbox text, last integer, summary text);
create index threads_inbox on threads (inbox, last);
create table tasks (id integer primary key, account text, status text, message integer, data text);
create index tasks_status on tasks (account, status, id);
create table events (account text, sequence integer, data text, primary key (account, sequence)) without rowid;
create table outbox (id integer primary key, due text, data text);
create index outbox_due on outbox (due);
create table blobs (hash blob primary key, bytes blob);
create table keyed (key text primary key, answer text) without rowid;
create virtual table search using fts5(scope, subject, text, people, content='', contentless_delete=1, tokenize='ascii');
`;

const PER_COMMIT = 50;

/** Opens a database as durable as the product's, with group commit. */
export function openFloorStore(path: string): {
  write(write: Write): Promise<void>;
  database: Database.Database;
} {
  const database = new Database(path);
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  database.pragma("wal_autocheckpoint = 2000");
  database.pragma("cache_size = -32000");
  database.pragma("mmap_size = 268435456");
  database.exec(SCHEMA);
  const prepared = new Map<string, Database.Statement>();
  const run = (sql: string, ...parameters: unknown[]) => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    statement.run(parameters);
  };
  const waiting: { write: Write; done: () => void }[] = [];
  const commit = () => {
    const batch = waiting.splice(0, PER_COMMIT);
    database.exec("begin immediate");
    for (const { write } of batch) write(run);
    database.exec("commit");
    for (const { done } of batch) done();
    if (waiting.length > 0) setImmediate(commit);
  };
  return {
    database,
    write: (write) =>
      new Promise((resolve) => {
        waiting.push({ write, done: resolve });
        if (waiting.length === 1) setImmediate(commit);
      }),
  };
}
