import { AsyncLocalStorage } from "node:async_hooks";
import { type FileHandle, open } from "node:fs/promises";
import { type Storage, type StorageWriter, type TableName, type Transaction, tables } from "@letterslot/core";
import { type Change, createDraft, type Draft, type State } from "./draft.ts";

/**
 * A storage in one file: every commit is one line of JSON at its end, and opening it reads them all. It keeps
 * the port's promises by doing one thing after the other and syncing each commit, so it is for small
 * services, and for learning what the promises are.
 */
export async function openFileStorage(path: string): Promise<Storage> {
  const file = await open(path, "a+");
  const { state, length } = await readState(file);
  let end = length;
  // A last line that a crash cut short was answered to nobody; what is written next must not be joined to it.
  await file.truncate(end);
  const inside = new AsyncLocalStorage<{ ended: boolean }>();
  let last: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  /** Takes its turn after all that came before: whoever runs, runs as if alone. */
  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) return Promise.reject(new Error("the storage is closed"));
    // Waiting for our own transaction to end would be waiting for ever.
    if (inside.getStore()?.ended === false)
      return Promise.reject(new Error("use the transaction's own handle inside it"));
    const turn = last.then(run);
    last = turn.catch(() => undefined);
    return turn;
  };

  /** Makes a draft's changes durable, then visible; only then is anybody told. */
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

  const single = <T>(run: (draft: Draft) => T): Promise<T> =>
    alone(async () => {
      const draft = createDraft(state);
      const answer = run(draft);
      await commit(draft.changes());
      return answer;
    });

  return {
    ...verbsOver((run) => single(run)),
    transaction: (run) =>
      alone(async () => {
        const draft = createDraft(state);
        const scope = { ended: false };
        const { handle, failure } = handleOf(draft, scope);
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
    ping: () => alone(async () => undefined),
    close() {
      closing ??= last.then(() => file.close());
      return closing;
    },
  };
}

type Using = <T>(run: (draft: Draft) => T) => Promise<T>;

/**
 * The verbs over a draft; `using` says when it is used, and whether it may be. The casts are where any row
 * becomes a table's record.
 */
function verbsOver(using: Using): StorageWriter {
  return {
    get: (table, id) => using((draft) => draft.find(table, { [firstKey(table)]: id }, 1)[0]) as never,
    find: (table, { where, order, limit }) =>
      using((draft) => draft.find(table, where, limit, order)) as never,
    count: (table, where, up_to) => using((draft) => draft.find(table, where, up_to).length),
    search: (query) => using((draft) => draft.search(query)),
    insert: (table, record) => using((draft) => draft.insert(table, record)) as never,
    update: (table, where, change) => using((draft) => draft.update(table, where, change)) as never,
    delete: (table, where) => using((draft) => draft.delete(table, where)),
  };
}

/**
 * The handle that a transaction's `run` gets: of no use once it has ended, or once something appended has
 * clashed.
 */
function handleOf(
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
    ...verbsOver(async (run) => run(check())),
    append(table, records) {
      const clash = records.find((record) => !check().insert(table, record).inserted);
      if (clash !== undefined) failed = new Error(`what was appended to ${table} is there already`);
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

/** Reads a journal up to its last whole line, and says where that ends. */
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
