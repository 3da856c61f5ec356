/** A record as it is stored; core's types say which columns it has. */
export type Row = Record<string, unknown>;

type Test = (value: unknown, operand: unknown) => boolean;

/** The port's whole grammar. A range holds no null; `not` is true of null. */
const tests: Record<string, Test> = {
  in: (value, list) => (list as unknown[]).includes(value),
  not: (value, other) => value !== other,
  has: (value, member) => Array.isArray(value) && value.includes(member),
  lt: (value, bound) => value !== null && compare(value, bound) < 0,
  lte: (value, bound) => value !== null && compare(value, bound) <= 0,
  gt: (value, bound) => value !== null && compare(value, bound) > 0,
  gte: (value, bound) => value !== null && compare(value, bound) >= 0,
};

/**
 * Whether a row meets all conditions. A condition that is undefined is a slip of the caller, and must not
 * match everything.
 */
export function meets(row: Row, where: Row): boolean {
  return Object.entries(where).every(([column, condition]) => {
    if (condition === undefined) throw new Error(`the condition on ${column} is undefined`);
    if (condition === null || typeof condition !== "object") return row[column] === condition;
    return Object.entries(condition).every(([name, operand]) => {
      const test = tests[name];
      if (test === undefined || operand === undefined)
        throw new Error(`the condition on ${column} is not one of the port's`);
      return test(row[column], operand);
    });
  });
}

/** The order of values: null first, numbers by size, text by its UTF-8 bytes, in every language alike. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return Number(a) - Number(b);
}
