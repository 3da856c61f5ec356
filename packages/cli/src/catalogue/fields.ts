import type { Field, Fields } from "../frame/command.ts";
import type { FieldFacts, OperationFacts } from "./facts.ts";

/** The options that an operation's fields become. */
export const fieldsOf = ({ fields }: OperationFacts): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, facts]) => [name, fieldOf(facts)]));

/** A field of an operation as an option. */
export function fieldOf({ kind, about, required, many, nullable, choices }: FieldFacts): Field {
  return {
    kind,
    about,
    ...(required === undefined ? {} : { required }),
    ...(many === undefined ? {} : { many }),
    ...(nullable === undefined ? {} : { nullable }),
    ...(choices === undefined ? {} : { choices }),
  };
}

/** Returns the fields of a command's input that were given. */
export const givenOf = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
