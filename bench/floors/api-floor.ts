import { hash } from "node:crypto";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import Database from "better-sqlite3";
import { Hono } from "hono";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";
import { openFloorStore } from "./floor-store.ts";

/** The floor for the HTTP API: Hono, a check of the key's hash, and one statement or transaction per response. */
const app = new Hono();

/** This program's calls. */
export const calls = {
  /** Serves `/hello` and, given the product's data folder, messages and search from the product's tables. */
  async listen({
    folder,
    api_key,
    data_dir,
    inbox_id,
    scope,
  }: {
    folder: string;
    api_key: string;
    data_dir?: string;
    inbox_id?: string;
    scope?: string;
  }) {
    const known = hash("sha256", `Bearer ${api_key}`, "base64url");
    const store = openFloorStore(join(folder, "floor-api.db"));
    app.get("/hello", (c) => c.text("hello"));
    app.use("/api/*", async (c, next) => {
      if (hash("sha256", c.req.header("authorization") ?? "", "base64url") !== known)
        return c.text("who?", 401);
      return next();
    });
    app.post("/api/drafts", async (c) => {
      const draft = await c.req.json<{ to: string[]; subject: string; text: string }>();
      const key = c.req.header("idempotency-key") ?? "";
      const id = ++made;
      const answer = JSON.stringify({ id, ...draft, created_at: new Date().toISOString() });
      await store.write((run) => {
        run("insert into keyed values (?, ?)", key, answer);
        run("insert into messages values (?, 'account', 'inbox', ?, ?, ?, ?)", id, id, key, answer, "");
        run("insert into bodies values (?, ?, null, '{}')", id, draft.text);
      });
      return c.body(answer, 201, { "content-type": "application/json" });
    });
    if (data_dir !== undefined) serveReads(join(data_dir, "letterslot.db"), inbox_id ?? "", scope ?? "");
    return { base_url: await listen(createAdaptorServer({ fetch: app.fetch })) };
  },
};

let made = 0;

function serveReads(path: string, inbox_id: string, scope: string): void {
  const database = new Database(path, { readonly: true });
  database.pragma("cache_size = -32000");
  database.pragma("mmap_size = 268435456");
  const list = database.prepare(
    `select m.*, coalesce(b.text, m.extracted_text) as text, b.html, b.extracted_html, b.headers, b.extraction
     from messages m join message_bodies b on b.message_id = m.id where m.inbox_id = ? order by m.id desc limit ?`,
  );
  const found = database.prepare(
    `select m.* from (select rowid as row from search where search match ? order by rowid desc limit ?) s
     join search_rows r on r.id = s.row join messages m on m.id = r.message_id order by m.id desc`,
  );
  app.get("/api/messages", (c) =>
    c.json({ data: list.all(inbox_id, Number(c.req.query("limit"))).map(readRow) }),
  );
  app.get("/api/search", (c) => {
    const rows = found.all(
      `scope : "${scope}" AND "${c.req.query("q") ?? ""}"`,
      Number(c.req.query("limit")),
    );
    return c.json({ data: rows.map(readRow) });
  });
}

/** Parses JSON columns. */
function readRow(row: unknown): Record<string, unknown> {
  const entries = Object.entries(row as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === "string" && /^[[{]/.test(value) ? JSON.parse(value) : value,
    ]),
  );
}

serveCalls(calls);
