import type { Value } from "../src/ports/storage.ts";
import { compareValues } from "./compare-values.ts";

/** A parsed condition on one column; equality is an `in` with one value. */
export interface ReadCondition {
  in?: readonly Value[];
  not?: Value;
  lt?: Value;
  lte?: Value;
  gt?: Value;
  gte?: Value;
  has?: Value;
}

const OPERATORS = new Set(["in", "not", "lt", "lte", "gt", "gte", "has"]);

/**
 * Parses the conditions of a `where`. Undefined in any of them throws, so that a mistake can't match
 * everything.
 */
export function readWhere(where: Record<string, unknown>): Map<string, ReadCondition> {
  return new Map(
    Object.entries(where).map(([column, condition]) => [column, readCondition(column, condition)]),
  );
}

function readCondition(column: string, condition: unknown): ReadCondition {
  if (condition === undefined) throw new Error(`the condition on ${column} is undefined`);
  if (condition === null || typeof condition !== "object") return { in: [condition as Value] };
  const entries = Object.entries(condition);
  for (const [operator, value] of entries) {
    if (Array.isArray(condition) || !OPERATORS.has(operator))
      throw new Error(`the condition on ${column} has no such operator: ${operator}`);
    if (value === undefined) throw new Error(`the condition on ${column} is undefined`);
  }
  if (entries.length === 0) throw new Error(`the condition on ${column} is empty`);
  return condition;
}

/**
 * Whether a value meets a condition: null is neither less nor greater than anything, and `not` matches null.
 */
export function meets(value: unknown, condition: ReadCondition): boolean {
  if (condition.in !== undefined && !condition.in.includes(value as Value)) return false;
  if (condition.not !== undefined && value === condition.not) return false;
  if (condition.has !== undefined && !(Array.isArray(value) && value.includes(condition.has))) return false;
  return inRange(value as Value, condition);
}

function inRange(value: Value, { lt, lte, gt, gte }: ReadCondition): boolean {
  if (lt === undefined && lte === undefined && gt === undefined && gte === undefined) return true;
  if (value === null) return false;
  if (lt !== undefined && (lt === null || compareValues(value, lt) >= 0)) return false;
  if (lte !== undefined && (lte === null || compareValues(value, lte) > 0)) return false;
  if (gt !== undefined && (gt === null || compareValues(value, gt) <= 0)) return false;
  return gte === undefined || (gte !== null && compareValues(value, gte) >= 0);
}
