import { LetterslotError } from "../../catalogue/errors.ts";
import { publicKeysOf, rememberKeys } from "../../kernel/addresses/known-keys.ts";
import { bodiesOf, searchDocument } from "../../mailbox/messages/index.ts";
import type { AnyRecord } from "../../model/belonging.ts";
import type { DomainRecord } from "../../model/domains.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { type TableName, tables } from "../../model/tables.ts";
import type { Storage, Transaction } from "../../ports/storage.ts";
import { contentOf, createFingerprint, type Fingerprint } from "./fingerprint.ts";
import { type AnyReader, scanTable } from "./scan.ts";
import type { RecordSelection } from "./select-records.ts";

/** A transaction without its tables' types. */
interface AnyTransaction extends Pick<Transaction, "index" | "unindex"> {
  update(table: TableName, where: AnyRecord, change: AnyRecord): Promise<AnyRecord[]>;
  append(table: TableName, records: readonly AnyRecord[]): void;
}

/**
 * Copies the selected records of one table. Existing equal records are kept and changed ones overwritten, so
 * an interrupted copy can be repeated. Messages are indexed for search. Returns the source's fingerprint.
 */
export async function copyTable(
  from: Storage,
  to: Storage,
  table: TableName,
  { selection, copied }: { selection: RecordSelection; copied(records: number): void },
): Promise<Fingerprint> {
  const fingerprint = createFingerprint();
  const fresh = (await to.count(table, {}, 1)) === 0;
  let records = 0;
  for await (const batch of scanTable(from, table)) {
    const taken = batch.filter((record) => selection.includes(table, record));
    if (taken.length === 0) continue;
    taken.forEach(fingerprint.add);
    const existing = fresh ? [] : await findExisting(to, table, taken);
    // Never overwrite a record of another account with the same key.
    if (existing.some((record) => !selection.includes(table, record))) throw conflictError(table);
    const contents = new Map(existing.map((record) => [keyOf(table, record), contentOf(record)]));
    await writeBatch(from, to, table, taken, contents);
    records += taken.length;
    copied(records);
  }
  return fingerprint.value();
}

async function writeBatch(
  from: Storage,
  to: Storage,
  table: TableName,
  batch: AnyRecord[],
  known: Map<string, string>,
): Promise<void> {
  const missing = batch.filter((record) => !known.has(keyOf(table, record)));
  const changed = batch.filter(
    (record) => (known.get(keyOf(table, record)) ?? contentOf(record)) !== contentOf(record),
  );
  if (missing.length + changed.length === 0) return;
  const documents =
    table === "messages" ? await documentsOf(from, [...missing, ...changed] as MessageRecord[]) : [];

  const write = async (typed: Transaction): Promise<void> => {
    const tx = typed as unknown as AnyTransaction;
    for (const record of changed)
      await tx.update(table, keyColumns(table, record), withoutKey(table, record));
    if (missing.length > 0) tx.append(table, missing);
    // An account brings its keys along, but not all that its service remembers of keys.
    if (table === "domains") await rememberKeys(typed, (batch as DomainRecord[]).flatMap(publicKeysOf));
    if (table === "messages" && changed.length > 0) tx.unindex(changed.map(({ id }) => String(id)));
    if (documents.length > 0) tx.index(documents);
  };
  await to.transaction(write).catch((cause: unknown) => {
    if (cause instanceof LetterslotError) throw cause;
    throw conflictError(table, cause);
  });
}

/** The destination's records with the keys of these records. */
async function findExisting(to: Storage, table: TableName, batch: AnyRecord[]): Promise<AnyRecord[]> {
  const reader = to as unknown as AnyReader;
  const [column, ...others] = tables[table].key as readonly string[];
  if (others.length === 0 && column !== undefined)
    return reader.find(table, {
      where: { [column]: { in: batch.map((record) => record[column]) } },
      limit: batch.length,
    });
  const found = batch.map((record) => reader.find(table, { where: keyColumns(table, record), limit: 1 }));
  return (await Promise.all(found)).flat();
}

async function documentsOf(from: Storage, messages: MessageRecord[]) {
  const bodies = await bodiesOf(from, messages);
  return messages.flatMap((message) => {
    const body = bodies.get(message.id);
    return body === undefined ? [] : [searchDocument(message, body)];
  });
}

const keyColumns = (table: TableName, record: AnyRecord): AnyRecord =>
  Object.fromEntries(tables[table].key.map((column) => [column, record[column]]));
const keyOf = (table: TableName, record: AnyRecord): string =>
  JSON.stringify(Object.values(keyColumns(table, record)));
const withoutKey = (table: TableName, record: AnyRecord): AnyRecord =>
  Object.fromEntries(
    Object.entries(record).filter(([column]) => !(tables[table].key as readonly string[]).includes(column)),
  );

function conflictError(table: TableName, cause?: unknown): Error {
  return new Error(`${table} can't be written: the destination may hold other records with the same keys`, {
    cause,
  });
}
