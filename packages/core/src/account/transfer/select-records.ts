import type { AnyRecord } from "../../model/belonging.ts";
import { columnsOf, type TableName, tables } from "../../model/tables.ts";

/** Selects the records of a transfer; learns from the selected ones which others belong to them. */
export interface RecordSelection {
  /** Tables in the order in which their records must be checked. */
  tables: TableName[];
  includes(table: TableName, record: AnyRecord): boolean;
}

/** Selects everything. */
export function selectEverything(): RecordSelection {
  return { tables: Object.keys(tables) as TableName[], includes: () => true };
}

/** Selects one account. Tables with `account_id` come first; other records belong to records in them. */
export function selectAccount(account_id: string): RecordSelection {
  const names = (Object.keys(tables) as TableName[]).filter((name) => !isShortLived(name));
  const namesAccount = (name: TableName) => name === "accounts" || columnNames(name).includes("account_id");
  const ids = new Set<unknown>();

  const isOwn = (table: TableName, record: AnyRecord): boolean => {
    if (table === "accounts") return record["id"] === account_id;
    if (namesAccount(table)) return record["account_id"] === account_id;
    if (table === "jobs")
      return ids.has(record["subject_id"]) || payloadOf(record)["account_id"] === account_id;
    const { of } = tables[table];
    return of !== null && ids.has(record[of]);
  };

  return {
    tables: [...names.filter(namesAccount), ...names.filter((name) => !namesAccount(name))],
    includes(table, record) {
      if (!isOwn(table, record)) return false;
      if (typeof record["id"] === "string") ids.add(record["id"]);
      if (table === "blob_uses") ids.add(record["hash"]);
      return true;
    },
  };
}

/** Limits and slots belong to no account and are soon over. */
const isShortLived = (table: TableName): boolean => table !== "accounts" && tables[table].of === null;

const columnNames = (name: TableName): string[] => columnsOf(name).map((column) => column.name);
const payloadOf = (job: AnyRecord): AnyRecord => job["payload"] as AnyRecord;
