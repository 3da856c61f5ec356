/** A stored record; core's types define its columns. */
export type Row = Record<string, unknown>;

type Operator = (value: unknown, operand: unknown) => boolean;

/** Every operator of the port. Ranges exclude null; `not` includes it. */
const OPERATORS: Record<string, Operator> = {
  in: (value, list) => (list as unknown[]).includes(value),
  not: (value, other) => value !== other,
  has: (value, member) => Array.isArray(value) && value.includes(member),
  lt: (value, bound) => value !== null && compare(value, bound) < 0,
  lte: (value, bound) => value !== null && compare(value, bound) <= 0,
  gt: (value, bound) => value !== null && compare(value, bound) > 0,
  gte: (value, bound) => value !== null && compare(value, bound) >= 0,
};

/** Whether a row matches all conditions. An undefined condition is a caller's bug: it must not match every row. */
export function matches(row: Row, where: Row): boolean {
  return Object.entries(where).every(([column, condition]) => {
    if (condition === undefined) throw new Error(`the condition on ${column} is undefined`);
    if (condition === null || typeof condition !== "object") return row[column] === condition;
    return Object.entries(condition).every(([name, operand]) => {
      const operator = OPERATORS[name];
      if (operator === undefined || operand === undefined)
        throw new Error(`the condition on ${column} is not one of the port's`);
      return operator(row[column], operand);
    });
  });
}

/** Orders null first, numbers by size, and text by its UTF-8 bytes, independent of the locale. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
