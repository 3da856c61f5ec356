import { type TableName, tables } from "@letterslot/core/ports";
import type { Access, Row } from "./sql-dialect.ts";

const NONE: Row = {};

/** For each table the columns of its key, and those of its other unique indexes. */
const UNIQUE_COLUMNS: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  Object.entries(tables).map(([name, { key, unique }]) => [name, [key, ...unique]]),
);

const uniqueColumnsOf = (table: TableName) => UNIQUE_COLUMNS[table] as readonly (readonly string[])[];

/** The texts that a condition allows; undefined if it may allow anything else. */
function textsIn(condition: unknown): readonly string[] | undefined {
  if (isPlainText(condition)) return [condition];
  const list = (condition as { in?: unknown } | null | undefined)?.in;
  return Array.isArray(list) && list.every(isPlainText) ? list : undefined;
}

/** Excludes texts that a database may confuse with others: it replaces invalid Unicode, and may drop NUL. */
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
  // A deleted record may have the key of an inserted one, regardless of its other columns.
  if (isDeletion(one) && other.does === "inserts") return haveOtherKeys(one, other);
  if (isDeletion(other) && one.does === "inserts") return haveOtherKeys(other, one);
  return haveNoRecordInCommon(one, other);
}

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
  // A change may give a record a key that satisfies the other condition.
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
