import { ArrayParameter, type ElementType } from "./array-parameter.ts";

/** The parameters of rows, as an array for each column. */
export function columnsAs(
  types: readonly ElementType[],
  rows: readonly (readonly unknown[])[],
): ArrayParameter[] {
  return types.map(
    (type, column) =>
      new ArrayParameter(
        type,
        rows.map((row) => row[column]),
      ),
  );
}

/** The rows of array parameters, one for each column. */
export function unnestSql(types: readonly ElementType[]): string {
  return `unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")})`;
}
