import { tables } from "@letterslot/core";
import type { Access } from "./sql-dialect.ts";

/** The values of its table's first key column, outside which a statement reads and changes nothing; undefined if unknown. */
export function keysOf({ table, where }: Access): readonly string[] | undefined {
  const [column = ""] = tables[table].key as readonly string[];
  const condition = where?.[column];
  if (isKey(condition)) return [condition];
  const list = (condition as { in?: unknown } | null | undefined)?.in;
  return Array.isArray(list) && list.every(isKey) ? list : undefined;
}

/** A database may take texts that aren't Unicode for equal. */
const isKey = (value: unknown): value is string => typeof value === "string" && value.isWellFormed();
