import { hash } from "node:crypto";

import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";

const POOL_SIZE = 16;
const LIST = `select m.*, coalesce(b.text, m.extracted_text) as text, b.html, b.extracted_html, b.headers, b.extraction
  from letterslot.messages m join letterslot.message_bodies b on b.message_id = m.id where m.inbox_id = $1 order by m.id desc limit $2`;
const FOUND = `select m.* from (select message_id from letterslot.search where lexemes @@ $1::tsquery offset 0) s
  join letterslot.messages m on m.id = s.message_id order by m.id desc limit $2`;

/** The floor for reading on PostgreSQL: Hono, a check of the key's hash and one statement. */
export const calls = {
  /** Listens, and serves reads from the service's own tables. */
  async listen(reads: { database_url: string; api_key: string; inbox_id: string; scope: string }) {
    const known = hash("sha256", `Bearer ${reads.api_key}`, "base64url");
    const pool = new pg.Pool({ connectionString: reads.database_url, max: POOL_SIZE });
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
      const values = [`'${reads.scope}' & '${c.req.query("q")}'`, c.req.query("limit")];
      const { rows } = await pool.query({ text: FOUND, values });
      return c.json({ data: rows });
    });
    return { base_url: await listen(createAdaptorServer({ fetch: app.fetch })) };
  },
};

serveCalls(calls);
