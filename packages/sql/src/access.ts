import { type TableName, tables } from "@letterslot/core";
import type { Access, Row } from "./sql-dialect.ts";

const NONE: Row = {};

/** For each table the columns of its key, and those of its other unique indexes. */
const UNIQUE_COLUMNS: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  Object.entries(tables).map(([name, { key, unique }]) => [name, [key, ...unique]]),
);

const uniqueColumnsOf = (table: TableName) => UNIQUE_COLUMNS[table] as readonly (readonly string[])[];

/** The values of its table's first key column, outside which a statement reads and changes nothing; undefined if unknown. */
export function keysOf({ table, where, change = {} }: Access): readonly string[] | undefined {
  const [column = ""] = tables[table].key as readonly string[];
  return column in change ? undefined : textsIn(where?.[column]);
}

/** The texts that a condition allows; undefined if it may allow anything else. */
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

function canBothBeInserted({ table, where: one = NONE }: Access, { where: other = NONE }: Access): boolean {
  for (const columns of uniqueColumnsOf(table)) {
    let differ = false;
    // A null equals nothing.
    for (const column of columns)
      differ ||= one[column] === null || other[column] === null || areDisjoint(one[column], other[column]);
    if (!differ) return false;
  }
  return true;
}

const isDeletion = ({ does, change }: Access): boolean => does === "changes" && change === undefined;

const haveOtherKeys = ({ table, where: one = NONE }: Access, { where: other = NONE }: Access): boolean =>
  uniqueColumnsOf(table).every((columns) =>
    columns.some((column) => areDisjoint(one[column], other[column])),
  );

function haveNoRecordInCommon(one: Access, other: Access): boolean {
  // What a change makes of a record may take a key that is new to its condition.
  if (changesKey(one) || changesKey(other)) return false;
  const { where = NONE, change = NONE } = one;
  const { where: others = NONE, change: changed = NONE } = other;
  for (const column in where) {
    // The records have other values there before and after it.
    const isKept = !(column in change) && !(column in changed);
    if (isKept && areDisjoint(where[column], others[column])) return true;
  }
  return false;
}

/** Whether surely no value fulfils both conditions on a column. */
function areDisjoint(one: unknown, other: unknown): boolean {
  if (one === other) return false;
  if (isPlain(one) && isPlain(other)) return true;
  const some = valuesIn(one);
  const others = valuesIn(other);
  return some !== undefined && others !== undefined && !some.some((value) => others.includes(value));
}

const isPlain = (value: unknown): boolean =>
  typeof value === "number" || typeof value === "boolean" || isPlainText(value);

/** The values that a condition on a column allows; undefined if it may allow others. */
const valuesIn = (condition: unknown): readonly unknown[] | undefined =>
  isPlain(condition) ? [condition] : textsIn(condition);

const changesKey = ({ table, change }: Access): boolean =>
  change !== undefined &&
  uniqueColumnsOf(table).some((columns) => columns.some((column) => column in change));
