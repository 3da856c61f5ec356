import { hash } from "node:crypto";

import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";

const POOL_SIZE = 16;
const LIST = `select m.*, coalesce(b.text, m.extracted_text) as text, b.html, b.extracted_html, b.headers, b.extraction
  from letterslot.messages m join letterslot.message_bodies b on b.message_id = m.id where m.inbox_id = $1 order by m.id desc limit $2`;
/** The words of each message with their own index, whose first column is the account. */
const SCHEMA = `
create extension if not exists btree_gin;
create schema if not exists floor;
create table floor.search (account text collate "C" not null, message_id text collate "C" not null, lexemes tsvector not null);
insert into floor.search select account_id, message_id, lexemes from letterslot.search;
create index on floor.search using gin (account, lexemes) with (fastupdate = off);
analyze floor.search`;
/**
 * Only columns that a page shows are read from the messages. An offset of 0 keeps the planner from walking through them
 * by date.
 */
const FOUND = `select m.* from (select message_id from
    (select message_id from floor.search where account = $1 and lexemes @@ $2::tsquery offset 0) hits
    order by message_id desc limit $3) page
  join letterslot.messages m on m.id = page.message_id order by m.id desc`;

/** The floor for reading on PostgreSQL: Hono, a check of the key's hash and one statement. */
export const calls = {
  /** Listens, and serves reads from the service's own tables, but for the index of words, which it makes. */
  async listen(reads: {
    database_url: string;
    api_key: string;
    account_id: string;
    inbox_id: string;
    scope: string;
  }) {
    const known = hash("sha256", `Bearer ${reads.api_key}`, "base64url");
    const pool = new pg.Pool({ connectionString: reads.database_url, max: POOL_SIZE });
    await pool.query(SCHEMA);
    const app = new Hono();
    app.use(async (c, next) => {
      if (hash("sha256", c.req.header("authorization") ?? "", "base64url") !== known)
        return c.text("who?", 401);
      return next();
    });
    app.get("/api/messages", async (c) => {
      const { rows } = await pool.query({
        name: "list",
        text: LIST,
        values: [reads.inbox_id, c.req.query("limit")],
      });
      return c.json({ data: rows });
    });
    app.get("/api/search", async (c) => {
      const values = [reads.account_id, `'${reads.scope}' & '${c.req.query("q")}'`, c.req.query("limit")];
      const { rows } = await pool.query({ text: FOUND, values });
      return c.json({ data: rows });
    });
    return { base_url: await listen(createAdaptorServer({ fetch: app.fetch })) };
  },
};

serveCalls(calls);
