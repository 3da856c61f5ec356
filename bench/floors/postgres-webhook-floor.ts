import pg from "pg";
import { Pool } from "undici";
import { eventData } from "../mail/event-data.ts";
import { cpuSince } from "../measure/process-cost.ts";
import { answerCalls } from "../measure/program.ts";

/** The floor under durable deliveries on PostgreSQL: an outbox, claimed and noted in groups of so many. */
const atOnce = 50;
const schema = `
create schema if not exists floor;
create table floor.deliveries (id bigint generated always as identity primary key, status text not null default 'due', body text not null);
create index on floor.deliveries (status, id)`;
const claim = `update floor.deliveries set status = 'claimed' where id in
  (select id from floor.deliveries where status = 'due' order by id limit ${atOnce} for update skip locked) returning id, body`;
let database: pg.Pool | undefined;
let http: Pool | undefined;

/** The calls of this program. */
export const calls = {
  async open({ database_url, url }: { database_url: string; url: string }) {
    database = new pg.Pool({ connectionString: database_url, max: atOnce });
    http = new Pool(new URL(url).origin, { connections: atOnce });
    await database.query(schema);
  },
  async fill(count: number) {
    const bodies = Array.from({ length: count }, (_, number) => JSON.stringify(eventData(number)));
    await database?.query("insert into floor.deliveries (body) select * from unnest($1::text[])", [bodies]);
  },
  /** Delivers all that is due, two groups at a time: while one is posted, another is claimed and noted. */
  async deliver(count: number) {
    const cpu = cpuSince();
    const began = performance.now();
    await Promise.all([deliverGroups(), deliverGroups()]);
    return { done: count, ms: performance.now() - began, cpu_us: cpu() };
  },
};

async function deliverGroups(): Promise<void> {
  for (;;) {
    const claimed = await database?.query<{ id: string; body: string }>(claim);
    const rows = claimed?.rows ?? [];
    if (rows.length === 0) return;
    await Promise.all(rows.map(({ body }) => post(body)));
    await database?.query("update floor.deliveries set status = 'done' where id = any($1)", [
      rows.map(({ id }) => id),
    ]);
  }
}

async function post(body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await http?.request({ path: "/hook", method: "POST", headers, body });
  await answer?.body.dump();
}

answerCalls(calls);
