import { type TableName, tables } from "@letterslot/core";
import type { Access, Row } from "./sql-dialect.ts";

/** The values of its table's first key column, outside which a statement reads and changes nothing; undefined if unknown. */
export function keysOf({ table, where, change = {} }: Access): readonly string[] | undefined {
  const [column = ""] = tables[table].key as readonly string[];
  return column in change ? undefined : textsIn(where?.[column]);
}

/** The texts that a condition on a column allows; undefined if it may allow others. */
function textsIn(condition: unknown): readonly string[] | undefined {
  if (isPlainText(condition)) return [condition];
  const list = (condition as { in?: unknown } | null | undefined)?.in;
  return Array.isArray(list) && list.every(isPlainText) ? list : undefined;
}

/** Not one that a database may take for another: it replaces what isn't Unicode, and may leave out NUL. */
const isPlainText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\0");

/**
 * Whether it surely makes no difference which of two statements runs first: both only read, they insert records that can't
 * be in each other's way, or they have no record in common.
 */
export function areIndependent(one: Access, other: Access): boolean {
  if (one.table !== other.table) return true;
  if (one.does === "reads" && other.does === "reads") return true;
  if (one.does === "inserts" && other.does === "inserts") return canBothBeInserted(one, other);
  // What is deleted may have the key of what is inserted, whatever its other columns are.
  if (isDeletion(one) && other.does === "inserts") return haveOtherKeys(one, other);
  if (isDeletion(other) && one.does === "inserts") return haveOtherKeys(other, one);
  return haveNoRecordInCommon(one, other);
}

/** Whether a statement adds to numbers of one record, which it names by its key, and changes nothing else. */
export function onlyAdds({ table, where = {}, change }: Access): boolean {
  if (change === undefined) return false;
  const key: readonly string[] = tables[table].key;
  const namesOne =
    Object.keys(where).length === key.length && key.every((column) => isPlainText(where[column]));
  return namesOne && Object.values(change).every(isAddition);
}

const isAddition = (value: unknown): boolean => typeof (value as { add?: unknown } | null)?.add === "number";

function canBothBeInserted({ table, where: one = {} }: Access, { where: other = {} }: Access): boolean {
  const hasNull = (record: Row, columns: readonly string[]) =>
    columns.some((column) => record[column] === null);
  return uniqueColumnsOf(table).every(
    (columns) =>
      hasNull(one, columns) ||
      hasNull(other, columns) ||
      columns.some((column) => areDisjoint(valuesIn(one[column]), valuesIn(other[column]))),
  );
}

const isDeletion = ({ does, change }: Access): boolean => does === "changes" && change === undefined;

const haveOtherKeys = (deletion: Access, insert: Access): boolean =>
  uniqueColumnsOf(deletion.table).every((columns) =>
    columns.some((column) => areDisjoint(valuesOf(deletion, column), valuesOf(insert, column))),
  );

function haveNoRecordInCommon(one: Access, other: Access): boolean {
  // What a change makes of a record may take a key that is new to its condition.
  if (changesKey(one) || changesKey(other)) return false;
  for (const column in one.where)
    if (areDisjoint(valuesOf(one, column), valuesOf(other, column))) return true;
  return false;
}

/** The values that a column has in the records of a statement, before and after it; undefined if unknown. */
function valuesOf({ where = {}, change = {} }: Access, column: string): readonly unknown[] | undefined {
  return column in change ? undefined : valuesIn(where[column]);
}

function valuesIn(condition: unknown): readonly unknown[] | undefined {
  if (typeof condition === "number" || typeof condition === "boolean") return [condition];
  return textsIn(condition);
}

const areDisjoint = (some: readonly unknown[] | undefined, others: readonly unknown[] | undefined): boolean =>
  some !== undefined && others !== undefined && !some.some((value) => others.includes(value));

const changesKey = ({ table, change }: Access): boolean =>
  change !== undefined &&
  uniqueColumnsOf(table).some((columns) => columns.some((column) => column in change));

const uniqueColumnsOf = (table: TableName): readonly (readonly string[])[] => [
  tables[table].key,
  ...tables[table].unique,
];
