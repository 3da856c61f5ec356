import { AsyncLocalStorage } from "node:async_hooks";
import { type FileHandle, open } from "node:fs/promises";
import {
  type Step,
  type Storage,
  type StorageWriter,
  type TableName,
  type Transaction,
  tables,
} from "@letterslot/core/ports";
import { type Change, createDraft, type Draft, type State } from "./draft.ts";

/**
 * A storage in one file: every commit appends a line of JSON, and opening reads them all. It keeps the port's
 * promises by running one call at a time and syncing each commit. Use it for small services, and to learn
 * what the promises are.
 */
export async function openFileStorage(path: string): Promise<Storage> {
  const file = await open(path, "a+");
  const { state, length } = await readState(file);
  let end = length;
  // A last line truncated by a crash was never acknowledged; the next line must not be appended to it.
  await file.truncate(end);
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  /** Queues a call behind all earlier ones, so that each runs alone. */
  const enqueue = <T>(run: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) return Promise.reject(new Error("the storage is closed"));
    // Waiting for the transaction that we are in would deadlock.
    if (inside.getStore()?.ended === false)
      return Promise.reject(new Error("use the transaction's own handle inside it"));
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };

  /** Makes a draft's changes durable, then visible. */
  const commit = async (changes: readonly Change[]): Promise<void> => {
    if (changes.length === 0) return;
    const line = Buffer.from(`${JSON.stringify(changes)}\n`);
    try {
      await file.appendFile(line);
      await file.datasync();
    } catch (error) {
      await file.truncate(end);
      throw error;
    }
    end += line.length;
    apply(state, changes);
  };

  const runAndCommit = <T>(run: (draft: Draft) => T): Promise<T> =>
    enqueue(async () => {
      const draft = createDraft(state);
      const answer = run(draft);
      await commit(draft.changes());
      return answer;
    });

  return {
    ...createVerbs((run) => runAndCommit(run)),
    transaction: (run) =>
      enqueue(async () => {
        const draft = createDraft(state);
        const scope = { ended: false };
        const { handle, failure } = createHandle(draft, scope);
        try {
          const answer = await inside.run(scope, () => run(handle));
          const failed = failure();
          if (failed !== undefined) throw failed;
          scope.ended = true;
          await commit(draft.changes());
          return answer;
        } finally {
          scope.ended = true;
        }
      }),
    ping: () => enqueue(async () => undefined),
    close() {
      closing ??= last.then(() => file.close());
      return closing;
    },
  };
}

type UseDraft = <T>(run: (draft: Draft) => T) => Promise<T>;

/** The storage verbs; `using` provides the draft they run on. The casts turn generic rows into typed records. */
function createVerbs(using: UseDraft): StorageWriter {
  return {
    get: (table, id) => using((draft) => draft.find(table, { [firstKey(table)]: id }, 1)[0]) as never,
    follow: (table, id, steps) => using((draft) => followSteps(draft, table, id, steps)) as never,
    find: (table, { where, order, limit }) =>
      using((draft) => draft.find(table, where, limit, order)) as never,
    count: (table, where, up_to) => using((draft) => draft.find(table, where, up_to).length),
    search: (query) => using((draft) => draft.search(query)),
    insert: (table, record) => using((draft) => draft.insert(table, record)) as never,
    update: (table, where, change) => using((draft) => draft.update(table, where, change)) as never,
    delete: (table, where) => using((draft) => draft.delete(table, where)),
  };
}

function followSteps(draft: Draft, table: TableName, id: string, steps: readonly Step[]): unknown[] {
  const byKey = (name: TableName, key: unknown): Record<string, unknown> | undefined =>
    key === null ? undefined : draft.find(name, { [firstKey(name)]: key }, 1)[0];
  const found = [byKey(table, id)];
  for (const [column, next] of steps) found.push(byKey(next, found.at(-1)?.[column] ?? null));
  return found;
}

/** The handle passed to a transaction's `run`. It throws after the transaction, or after a failed append. */
function createHandle(
  draft: Draft,
  scope: { ended: boolean },
): { handle: Transaction; failure: () => Error | undefined } {
  let failed: Error | undefined;
  const check = (): Draft => {
    if (scope.ended) throw new Error("the transaction has ended");
    if (failed !== undefined) throw failed;
    return draft;
  };
  const handle: Transaction = {
    ...createVerbs(async (run) => run(check())),
    append(table, records) {
      const conflict = records.find((record) => !check().insert(table, record).inserted);
      if (conflict !== undefined) failed = new Error(`a record appended to ${table} already exists`);
    },
    index(found) {
      check();
      for (const document of found) draft.index(document);
    },
    unindex(message_ids) {
      check();
      for (const id of message_ids) draft.unindex(id);
    },
  };
  return { handle, failure: () => failed };
}

const firstKey = (table: TableName): string => tables[table].key[0] as string;

/** Reads the journal up to its last complete line, and returns the length up to there. */
async function readState(file: FileHandle): Promise<{ state: State; length: number }> {
  const bytes = await file.readFile();
  const length = bytes.lastIndexOf("\n") + 1;
  const state: State = new Map();
  for (const line of bytes.subarray(0, length).toString("utf8").split("\n"))
    if (line !== "") apply(state, JSON.parse(line) as Change[]);
  return { state, length };
}

function apply(state: State, changes: readonly Change[]): void {
  for (const [table, key, row] of changes) {
    const rows = (state.get(table) ?? new Map()) as Map<string, Record<string, unknown>>;
    state.set(table, rows);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  }
}
