import pg from "pg";
import { Pool } from "undici";
import { eventData } from "../mail/event-data.ts";
import { startCpuTimer } from "../measure/process-cost.ts";
import { serveCalls } from "../measure/program.ts";

/** The floor for durable deliveries on PostgreSQL: an outbox, claimed and recorded in batches of this size. */
const CONCURRENCY = 50;
const SCHEMA = `
create schema if not exists floor;
create table floor.deliveries (id bigint generated always as identity primary key, status text not null default 'due', body text not null);
create index on floor.deliveries (status, id)`;
const CLAIM = `update floor.deliveries set status = 'claimed' where id in
  (select id from floor.deliveries where status = 'due' order by id limit ${CONCURRENCY} for update skip locked) returning id, body`;
let database: pg.Pool | undefined;
let http: Pool | undefined;

/** This program's calls. */
export const calls = {
  async open({ database_url, url }: { database_url: string; url: string }) {
    database = new pg.Pool({ connectionString: database_url, max: CONCURRENCY });
    http = new Pool(new URL(url).origin, { connections: CONCURRENCY });
    await database.query(SCHEMA);
  },
  async fill(count: number) {
    const bodies = Array.from({ length: count }, (_, number) => JSON.stringify(eventData(number)));
    await database?.query("insert into floor.deliveries (body) select * from unnest($1::text[])", [bodies]);
  },
  /**
   * Delivers due events for `most_ms`, or until none is left, two batches at a time: one is claimed and recorded while
   * the other is posted.
   */
  async deliver(most_ms: number) {
    const cpu = startCpuTimer();
    const began = performance.now();
    const done = await Promise.all([deliverGroups(began + most_ms), deliverGroups(began + most_ms)]);
    return { done: done[0] + done[1], ms: performance.now() - began, cpu_us: cpu() };
  },
};

async function deliverGroups(end: number): Promise<number> {
  let done = 0;
  while (performance.now() < end) {
    const claimed = await database?.query<{ id: string; body: string }>(CLAIM);
    const rows = claimed?.rows ?? [];
    if (rows.length === 0) break;
    await Promise.all(rows.map(({ body }) => post(body)));
    await database?.query("update floor.deliveries set status = 'done' where id = any($1)", [
      rows.map(({ id }) => id),
    ]);
    done += rows.length;
  }
  return done;
}

async function post(body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await http?.request({ path: "/hook", method: "POST", headers, body });
  await answer?.body.dump();
}

serveCalls(calls);
