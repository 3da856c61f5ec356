import { createTestService } from "@letterslot/core/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freshDatabase } from "../test/fresh-database.ts";
import { createPostgresBlobs } from "./blobs/postgres-blobs.ts";
import type { configOf } from "./connections/client-connection.ts";
import { createPostgresStorage, type PostgresStorage } from "./storage/postgres-storage.ts";

// The statements that a service runs on a new database, planned like prepared statements: once, without the values, and
// before any ANALYZE. Such a plan stays until the server analyses the table.

/** The number of additional rows of each kind in the account and its inbox when the plans are run. */
const ROWS = 3_000;
/** Lists are written by people: so many entries of each. */
const LISTED = 100;
/** More rows than this are read only for a page that is longer. */
const MAX_ROWS = 300;
/** An index of `ROWS` entries has more pages; a look-up reads two or three of it, and the row's. */
const MAX_PAGES = 14;
/** The pages that each row may add: its own and those of the index; for a changed row, its other indexes too. */
const MAX_PAGES_PER_ROW = { read: 4, changed: 16 };

/** The rows that mail makes many of, and the columns by which they differ. */
const MANY: Record<string, readonly string[]> = {
  messages: ["id", "message_id", "dedupe_key"],
  message_bodies: ["message_id"],
  message_terms: ["message_id"],
  message_references: ["message_id", "reference"],
  awaited_references: ["reference", "message_id"],
  blob_uses: ["message_id", "hash"],
  threads: ["id", "last_message_id"],
  tasks: ["id", "message_id"],
  updates: ["id", "waiting_id"],
  events: ["id", "message_id"],
  deliveries: ["id"],
  seen_signatures: ["hash"],
  owners: ["id", "email", "link_hash"],
  addresses: ["address"],
  inboxes: ["id", "username"],
  recipients: ["address"],
  counters: ["name"],
  metric_counts: ["bucket"],
};

const LISTS: Record<string, readonly string[]> = {
  allowlist: ["id", "address"],
  list_entries: ["id", "entry"],
};

interface Captured {
  sql: string;
  parameters: unknown[];
}

let database: Awaited<ReturnType<typeof freshDatabase>>;
let storage: PostgresStorage;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  storage = await createPostgresStorage({ connectionString: database.url });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'letterslot'",
  );
  for (const { name } of rows)
    await client.query(`alter table letterslot."${name}" set (autovacuum_enabled = off)`);
}, 120_000);

afterAll(async () => {
  await client.end();
  await storage.close();
  await database.drop();
});

test("what a service asks of a new database costs what its page costs, however much comes in", async () => {
  const captured = await captureStatements(useService);
  expect(captured.length).toBeGreaterThan(60);

  // The settings of the storage's connections: a query without an index is scanned all the same.
  await client.query(
    "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set search_path to letterslot",
  );
  for (const [index, { sql }] of captured.entries()) await client.query(`prepare old_${index} as ${sql}`);
  for (const [index, each] of captured.entries()) await planOf(`old_${index}`, each);
  await fill(MANY, ROWS);
  await fill(LISTS, LISTED);
  for (const [index, { sql }] of captured.entries()) await client.query(`prepare new_${index} as ${sql}`);

  const wrong: string[] = [];
  for (const [index, each] of captured.entries()) {
    for (const name of plansOf(index, each)) {
      const plan = await planOf(name, each);
      const problem = problemOf(plan, each);
      if (problem !== undefined)
        wrong.push(`${problem}: ${name} ${each.sql}\n${JSON.stringify(plan, null, 1)}`);
    }
  }
  expect(wrong.join("\n\n")).toBe("");
}, 120_000);

/**
 * The plan of when the tables were empty, and that of now. Changes of a list of records are left to the latter:
 * in a table of a few pages they scan, until the server has analysed it, a minute later.
 */
const plansOf = (index: number, { sql }: Captured): string[] =>
  sql.startsWith("update") && sql.includes("any(") ? [`new_${index}`] : [`old_${index}`, `new_${index}`];

/** The statements that reach the server while `use` runs: of each text the last one. */
async function captureStatements(use: () => Promise<void>): Promise<Captured[]> {
  const texts = new Map<string, Captured>();
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    await use();
    for (const [config] of query.mock.calls as unknown as [string | ReturnType<typeof configOf>][]) {
      if (
        typeof config === "string" ||
        config.name === undefined ||
        !/^(select|update|delete)/.test(config.text)
      )
        continue;
      texts.set(config.text, { sql: config.text, parameters: (config.values ?? []) as unknown[] });
    }
  } finally {
    query.mockRestore();
  }
  return [...texts.values()];
}

async function useService(): Promise<void> {
  const service = createTestService({ storage, blobs: createPostgresBlobs({ storage }) });
  const account = await service.signUp("ada", "owner@sender.example");
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  await service.work();
  await service.addOwner(account, "second@sender.example");
  await as.webhooks.create({ url: "https://hooks.example.com/" });
  await as.allowlist.create({ inbox_id, address: "friend@sender.example" });
  await as.lists.create({ direction: "receive", type: "block", entry: "foe@sender.example" });

  const first = "<first@sender.example>";
  const mail = {
    from: "Bo <bo@sender.example>",
    to: inbox.email,
    subject: "Hello",
    text: "Words of a mail.\n",
  };
  await service.receive({ ...mail, message_id: first });
  await service.receive({ ...mail, message_id: first });
  await service.receive({ ...mail, from: "Bo <other@sender.example>" });
  await service.receive({ ...mail, in_reply_to: first, references: [first, "<none@sender.example>"] });
  await service.receive({
    ...mail,
    in_reply_to: "<late@sender.example>",
    references: ["<late@sender.example>"],
  });
  await service.receive({ ...mail, message_id: "<late@sender.example>" });
  await service.receive({ ...mail, from: "foe@sender.example" });
  await service.receive({ ...mail, from: "Friend <friend@sender.example>" });
  await service.receive({ ...mail, from: "Owner <second@sender.example>", text: "Please do this.\n" });
  await service.receive({ ...mail, to: "nobody@letterslot.localhost" });
  await service.work();
  await as.messages.send({ inbox_id, to: ["bo@sender.example"], text: "An answer." });
  await service.work();

  const { data: messages } = await as.messages.list({ inbox_id });
  const { data: threads } = await as.threads.list({ inbox_id });
  const message_id = messages[0]?.id ?? "";
  await as.messages.list({ inbox_id, direction: "inbound", from: "bo@sender.example" });
  await as.messages.list({ inbox_id, thread_id: threads[0]?.id ?? "" });
  await as.messages.get({ inbox_id, message_id });
  await as.threads.get({ inbox_id, thread_id: threads[0]?.id ?? "" });
  await as.events.list({ after: "0" });
  const { task, claim_token } = await as.tasks.claim({});
  if (task === null || claim_token === null) throw new Error("the owner's mail is a task");
  await as.tasks.complete({ task_id: task.id, claim_token, result: "It is done." });
  await as.tasks.list({});
  await as.tasks.list({ status: "all" });
  await as.tasks.list({ inbox_id, status: "all" });
  await as.updates.create({
    ...{ inbox_id, kind: "needs_input", text: "Which one?" },
    question: { type: "yes_no" },
  });
  await as.overview.get({});
  await service.letterslot.sweep();
}

/** Copies a row of each table many times, as mail would make them. */
async function fill(tables: Record<string, readonly string[]>, count: number): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `select row_to_json(each) as row from "${table}" each order by ctid desc limit 1`,
    );
    const [{ row } = { row: undefined }] = rows;
    if (row === undefined) throw new Error(`the service left no row in ${table}`);
    const changed = columns.filter((column) => row[column] !== null);
    const further = table === "events" ? `, 'sequence', 1000 + n` : "";
    const pairs = changed.map((column) => `'${column}', ('${String(row[column])}' || '-' || n)`).join(", ");
    await client.query(
      `insert into "${table}" select made.* from generate_series(1, ${count}) n,
         json_populate_record(null::"${table}", ($1::jsonb || jsonb_build_object(${pairs}${further}))::json) made`,
      [JSON.stringify(row)],
    );
  }
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: Plan[];
}

/** The plan of a prepared statement, run and rolled back. */
async function planOf(name: string, { parameters }: Captured): Promise<Plan> {
  const values = parameters.map(literalOf).join(", ");
  await client.query("begin");
  try {
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (analyze, buffers, timing off, format json) execute ${name}${values === "" ? "" : `(${values})`}`,
    );
    return (rows[0] as { "QUERY PLAN": [{ Plan: Plan }] })["QUERY PLAN"][0].Plan;
  } finally {
    await client.query("rollback");
  }
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Buffer.isBuffer(value)) return `'\\x${value.toString("hex")}'`;
  if (Array.isArray(value)) {
    const elements = value.map((each) => `"${String(each).replace(/["\\]/g, "\\$&")}"`);
    return pg.escapeLiteral(`{${elements.join(",")}}`);
  }
  return pg.escapeLiteral(typeof value === "string" ? value : JSON.stringify(value));
}

/** Returns the fault of a plan; undefined when its cost is proportional to its page of results. */
function problemOf(plan: Plan, { sql, parameters }: Captured): string | undefined {
  const nodes = nodesOf(plan);
  const scan = nodes.find((node) => node["Node Type"] === "Seq Scan");
  if (scan !== undefined) return `a scan of ${scan["Relation Name"]}`;
  const read = Math.max(...nodes.map(rowsOf));
  const limit = Number(parameters.at(-1));
  const page = sql.includes(" limit ") && Number.isInteger(limit) ? limit : 0;
  if (read > Math.max(page, MAX_ROWS)) return `${read} rows read`;
  const pages = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  const per_row = sql.startsWith("select") ? MAX_PAGES_PER_ROW.read : MAX_PAGES_PER_ROW.changed;
  return pages > MAX_PAGES + per_row * read ? `${pages} pages read for ${read} rows` : undefined;
}

const rowsOf = (node: Plan): number =>
  ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * (node["Actual Loops"] ?? 1);

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
