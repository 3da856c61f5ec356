import { conditionKey } from "./conditions.ts";
import type { Row } from "./sql-dialect.ts";

/**
 * A node in a tree of the shapes of calls. Each part of a call (table, column, operator …) leads to a child, so that a call is
 * looked up without a text of it. Nodes stay for ever: parts come from code, never from callers.
 */
export interface KnownShape<T> {
  value: T | undefined;
  next: Map<string, KnownShape<T>>;
}

/** An empty tree of shapes. */
export const createShapes = <T>(): KnownShape<T> => ({ value: undefined, next: new Map() });

/** The shape with one more part. */
export function withPart<T>(shape: KnownShape<T>, part: string): KnownShape<T> {
  const known = shape.next.get(part);
  if (known !== undefined) return known;
  const added = createShapes<T>();
  shape.next.set(part, added);
  return added;
}

/** Ends the conditions of a shape: no column has that name. */
const END = ",";

/** The shape with all in a `where` that changes a statement's text: columns, operators, nulls. */
export function withWhere<T>(shape: KnownShape<T>, where: Row): KnownShape<T> {
  let at = shape;
  for (const column in where) at = withPart(withPart(at, column), conditionKey(column, where[column]));
  return withPart(at, END);
}
