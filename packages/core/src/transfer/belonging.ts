import { columnsOf, type TableName, tables } from "../model/tables.ts";
import type { AnyRecord } from "./scan.ts";

/** Says which records a transfer takes, and learns from those that it took which others go with them. */
export interface Belonging {
  /** Tables in the order in which they are to be asked about. */
  tables: TableName[];
  takes(table: TableName, record: AnyRecord): boolean;
}

/** Tables about no account: limits and places that are over soon. */
const passing = new Set<TableName>(["counters", "slots"]);

/** Columns that name the record to which another belongs. */
const belongsBy = ["message_id", "inbox_id", "subject_id"] as const;

/** Everything there is. */
export function wholeStorage(): Belonging {
  return { tables: Object.keys(tables) as TableName[], takes: () => true };
}

/**
 * What one account has. Tables that name the account come first: the others belong to what was found in them.
 */
export function oneAccount(account_id: string): Belonging {
  const names = (Object.keys(tables) as TableName[]).filter((name) => !passing.has(name));
  const namesAccount = (name: TableName) => name === "accounts" || columnNames(name).includes("account_id");
  const ids = new Set<unknown>();
  const hashes = new Set<unknown>();

  const isOwn = (table: TableName, record: AnyRecord): boolean => {
    if (table === "accounts") return record["id"] === account_id;
    if (namesAccount(table)) return record["account_id"] === account_id;
    if (table === "jobs")
      return ids.has(record["subject_id"]) || payloadOf(record)["account_id"] === account_id;
    if (table === "attachment_texts") return hashes.has(record["hash"]);
    const column = belongsBy.find((name) => name in record);
    return column !== undefined && ids.has(record[column]);
  };

  return {
    tables: [...names.filter(namesAccount), ...names.filter((name) => !namesAccount(name))],
    takes(table, record) {
      if (!isOwn(table, record)) return false;
      if (typeof record["id"] === "string") ids.add(record["id"]);
      if (table === "blob_uses") hashes.add(record["hash"]);
      return true;
    },
  };
}

/** Whether it can be told of a table's records whose they are; a test asks it of each. */
export function knowsOwner(table: TableName): boolean {
  const columns = columnNames(table);
  const named = ["account_id", ...belongsBy].some((column) => columns.includes(column));
  return named || passing.has(table) || table === "accounts" || table === "attachment_texts";
}

const columnNames = (name: TableName): string[] => columnsOf(name).map((column) => column.name);
const payloadOf = (job: AnyRecord): AnyRecord => job["payload"] as AnyRecord;
