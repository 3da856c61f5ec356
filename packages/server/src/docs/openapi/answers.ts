import { mayBeUnreadable, type Operation, Replayed } from "@letterslot/core/internal";
import { plainSchema, type Schema } from "../schemas.ts";

/** The records that stand for an act which waits for its time or for an owner. */
const HELD_KINDS = ["draft", "approval"];

/** The answer of a dry run, which makes no record. */
const DRY_RUN = "send_check";

/** The answers of an operation, as schemas without references. */
export interface Answers {
  /** The answer of a call that was done at once. */
  done: Schema;
  /** The answer while the act waits; only of operations that may be held. */
  held?: Schema;
  /** The answers of a call that repeats an earlier one; only of operations that know such calls. */
  repeated?: Schema;
}

/** Returns the answers of an operation that answers JSON, each as narrow as what comes. */
export function answersOf(operation: Operation): Answers {
  const plain = plainSchema(operation.output, "output");
  const { holds, idempotent, replay } = operation;
  const repeats = idempotent === true || replay !== undefined;
  return {
    ...(holds === true
      ? {
          done: onlyKinds(plain, (kind) => !HELD_KINDS.includes(kind)),
          held: onlyKinds(plain, (kind) => HELD_KINDS.includes(kind)),
        }
      : { done: plain }),
    ...(repeats ? { repeated: orReplayed(plain, operation) } : {}),
  };
}

/** The schema with only those of its records, or of the records in its fields, that are of these kinds. */
function onlyKinds(schema: Schema, keep: (kind: string) => boolean): Schema {
  const options = recordsOf(schema);
  if (options.length > 1) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...said } = schema;
    return withOptions(
      said,
      options.filter((option) => keep(kindOf(option))),
    );
  }
  if (options.length === 1) return schema;
  return withFields(schema, (field) => (recordsOf(field).length > 1 ? onlyKinds(field, keep) : field));
}

/** The schema with `Replayed` beside each record that some callers of the operation may not read. */
function orReplayed(schema: Schema, operation: Operation): Schema {
  const options = recordsOf(schema);
  if (options.some((option) => mayBeUnreadable(kindOf(option), operation.allow))) {
    const { anyOf: _anyOf, oneOf: _oneOf, description } = schema;
    const said = options.length > 1 && description !== undefined ? { description } : {};
    return withOptions(said, [...options, plainSchema(Replayed, "output")]);
  }
  if (options.length > 0) return schema;
  return withFields(schema, (field) =>
    field.items === undefined
      ? orReplayedField(field, operation)
      : { ...field, items: orReplayed(field.items, operation) },
  );
}

/** A field's description is of the field, whatever record is in it. */
function orReplayedField(field: Schema, operation: Operation): Schema {
  if (recordsOf(field).length === 0) return field;
  const { description, ...schema } = field;
  const { description: _, ...either } = orReplayed(schema, operation);
  return description === undefined ? either : { description, ...either };
}

function withOptions(said: Schema, options: Schema[]): Schema {
  const [only] = options;
  return options.length === 1 && only !== undefined ? { ...only, ...said } : { ...said, anyOf: options };
}

function withFields(schema: Schema, change: (field: Schema) => Schema): Schema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const changed = Object.entries(properties).map(([name, field]) => [name, change(field)]);
  return { ...schema, properties: Object.fromEntries(changed) };
}

/** The records that a value may be; none if it may be anything else. */
function recordsOf(schema: Schema): Schema[] {
  const options = schema.anyOf ?? schema.oneOf ?? [schema];
  const isRecord = (option: Schema) =>
    kindOf(option) === DRY_RUN || (kindOf(option) !== "" && option.properties?.["id"] !== undefined);
  return options.every(isRecord) ? options : [];
}

/** The kind of record, by its `object`; empty if the schema is of none. */
const kindOf = ({ properties }: Schema): string => {
  const kind = properties?.["object"]?.const;
  return typeof kind === "string" ? kind : "";
};
