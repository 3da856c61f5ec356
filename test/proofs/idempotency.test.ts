import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSqliteStorage } from "../../packages/adapter-sqlite/src/index.ts";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";
import { type TableName, tables } from "../../packages/core/src/tables.ts";
import { scanTable } from "../../packages/core/src/transfer/scan.ts";
import { createMemoryStorage } from "../../packages/core/testing/index.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { caseCount } from "../support/case-count.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { inputsFor } from "../support/operation-inputs.ts";
import { callOverWire, type WireAnswer } from "../support/wire-call.ts";

const atOnce = 50;
/** In memory too where there is time. */
const places = caseCount(["SQLite"], ["SQLite", "memory"]);
const day = 24 * 3600_000;
const names = Object.keys(routes) as OperationName[];
const honouring = names.filter((name) => (routes[name] as Route).idempotent === true);
const withClientId = names.filter((name) => "client_id" in operationNamed(name).input.shape);
/** What a call leaves beside its effect: its key, and places and counts that time clears away. */
const besides = new Set(["idempotency", "slots", "counters"]);

let folder: string;
let stores: Record<string, { served: Served; storage: Storage }>;
let accounts = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-proof-"));
  const sqlite = createSqliteStorage({ path: join(folder, "letterslot.db") });
  const memory = createMemoryStorage();
  stores = {
    memory: { storage: memory, served: await serve({ config: { storage: memory } }) },
    SQLite: { storage: sqlite, served: await serve({ config: { storage: sqlite } }) },
  };
});
afterAll(async () => {
  for (const { served, storage } of Object.values(stores)) {
    await served.close();
    await storage.close();
  }
  rmSync(folder, { recursive: true, force: true });
});

const open = (place: string) => stores[place] as { served: Served; storage: Storage };
const newAccount = (served: Served) => furnish(served, `own${++accounts}`);

/** How many records of each kind an account has. */
async function counts(storage: Storage, { account_id }: Furnished): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of Object.keys(tables) as TableName[]) {
    if (besides.has(table) || !("account_id" in tables[table].record.shape)) continue;
    for await (const batch of scanTable(storage, table))
      found[table] = (found[table] ?? 0) + batch.filter((record) => record["account_id"] === account_id).length;
  }
  return found;
}

/** What calls add to and take from an account's records. */
async function effectOf(storage: Storage, account: Furnished, calls: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await counts(storage, account);
  await calls();
  const after = await counts(storage, account);
  const tablesTouched = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differences = [...tablesTouched].map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)] as const);
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}

const isReplay = ({ json }: WireAnswer): boolean => json?.["idempotent"] === true;
/** The id of what was made; a reply to a task answers the message beside the task. */
const madeId = ({ json }: WireAnswer): unknown => json?.["id"] ?? (json?.["message"] as { id: string } | undefined)?.id;
const succeeded = ({ status }: WireAnswer): boolean => status < 300;

describe.each(places)("on %s", (place) => {
  test.each(honouring)("%s under one Idempotency-Key, fifty at once, happens once", async (name) => {
    const { served, storage } = open(place);
    const [twin, account] = [await newAccount(served), await newAccount(served)];
    const call = (who: Furnished, more: object = {}) =>
      callOverWire(
        served,
        name,
        { ...inputsFor(who, served)[name], ...more },
        {
          authorization: `Bearer ${who.api_key}`,
          "idempotency-key": "once",
        },
      );
    const once = await effectOf(storage, twin, () => call(twin));
    let answers: WireAnswer[] = [];
    const raced = await effectOf(storage, account, async () => {
      answers = await Promise.all(Array.from({ length: atOnce }, () => call(account)));
    });
    expect(raced).toEqual(once);
    for (const { status, code, headers } of answers.filter((answer) => !succeeded(answer))) {
      expect({ status, code }).toEqual({ status: 409, code: "idempotency_request_in_progress" });
      expect(headers.get("retry-after")).toBe("1");
    }
    expect(answers.filter((answer) => succeeded(answer) && !isReplay(answer))).toHaveLength(1);

    const again = await effectOf(storage, account, async () => {
      const replay = await call(account);
      expect({ ok: succeeded(replay), replay: isReplay(replay) }).toEqual({ ok: true, replay: true });
    });
    expect(again).toEqual({});
  });

  test.each(honouring)("%s with another body under the same key is a conflict, fifty at once", async (name) => {
    const { served } = open(place);
    const account = await newAccount(served);
    const input = inputsFor(account, served)[name];
    const headers = { authorization: `Bearer ${account.api_key}`, "idempotency-key": "same" };
    // The one that sends a draft has nothing else to say than which draft.
    const other = name === "drafts.send" ? { draft_id: account.message_id } : { text: "Something else." };
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        callOverWire(served, name, index % 2 === 0 ? input : { ...input, ...other }, headers),
      ),
    );
    const done = answers.filter((answer) => succeeded(answer) && !isReplay(answer));
    expect(done).toHaveLength(1);
    for (const { code } of answers.filter((answer) => !succeeded(answer)))
      expect(["idempotency_request_in_progress", "idempotency_key_conflict", "draft_not_found"]).toContain(code);
    const bodies = await Promise.all([
      callOverWire(served, name, input, headers),
      callOverWire(served, name, { ...input, ...other }, headers),
    ]);
    expect(new Set(bodies.map(({ code }) => code))).toEqual(new Set(["idempotency_key_conflict", undefined]));
  });

  test.each(withClientId)("%s with one client_id, fifty at once, happens once", async (name) => {
    const { served, storage } = open(place);
    const [twin, account] = [await newAccount(served), await newAccount(served)];
    const call = (who: Furnished) =>
      callOverWire(
        served,
        name,
        { ...inputsFor(who, served)[name], client_id: "once" },
        { authorization: `Bearer ${who.api_key}` },
      );
    const once = await effectOf(storage, twin, () => call(twin));
    let answers: WireAnswer[] = [];
    const raced = await effectOf(storage, account, async () => {
      answers = await Promise.all(Array.from({ length: atOnce }, () => call(account)));
    });
    expect(raced).toEqual(once);
    expect(new Set(answers.map(({ status }) => status < 300))).toEqual(new Set([true]));
    expect(new Set(answers.map(madeId)).size).toBe(1);
  });
});

test.each(honouring.filter((name) => name !== "drafts.send"))("%s under a key of yesterday happens anew", async (name) => {
  const { served, storage } = open("memory");
  const account = await newAccount(served);
  const headers = { authorization: `Bearer ${account.api_key}`, "idempotency-key": "daily" };
  const call = (more: object = {}) => callOverWire(served, name, { ...inputsFor(account, served)[name], ...more }, headers);
  await call();
  await served.clock.advance(day - 1);
  expect(await effectOf(storage, account, () => call())).toEqual({});
  await served.clock.advance(1);
  let answer: WireAnswer | undefined;
  const effect = await effectOf(storage, account, async () => {
    answer = await call({ text: "A new day." });
  });
  expect({ ok: answer !== undefined && succeeded(answer), made: effect["messages"] ?? effect["drafts"] }).toEqual({
    ok: true,
    made: 1,
  });
});
