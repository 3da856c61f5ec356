/** A field of an operation's input, as the command line takes it. */
export interface FieldFacts {
  kind: "text" | "whole" | "number" | "switch" | "json";
  about: string;
  required?: true;
  many?: true;
  nullable?: true;
  choices?: string[];
}

/** The command line's facts about an operation. */
export interface OperationFacts {
  summary: string;
  when: string;
  /** A good input, without ids and tokens. */
  example?: Record<string, unknown>;
  idempotent?: true;
  pages?: true;
  /** It deletes something for good. */
  deletes?: true;
  answers?: "bytes" | "file" | "stream";
  fields: Record<string, FieldFacts>;
}

interface Schema {
  type?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** An operation of the catalogue, as far as its facts need it. */
interface CataloguedOperation {
  summary: string;
  when: string;
  effect: "read" | "write" | "delete";
  example?: object | undefined;
  idempotent?: true | undefined;
  pages?: true | undefined;
  answers?: "bytes" | "file" | "stream" | undefined;
  input: { toJSONSchema(options: { io: "input"; unrepresentable: "any"; reused: "inline" }): unknown };
}

/** The facts of every operation, by its full name. */
export function factsOf(
  operations: Record<string, Record<string, CataloguedOperation>>,
): Record<string, OperationFacts> {
  return Object.fromEntries(
    Object.entries(operations).flatMap(([group, verbs]) =>
      Object.entries(verbs).map(([verb, operation]) => [`${group}.${verb}`, factsOfOne(operation)]),
    ),
  );
}

function factsOfOne({
  summary,
  when,
  example,
  idempotent,
  pages,
  effect,
  answers,
  input,
}: CataloguedOperation): OperationFacts {
  const schema = input.toJSONSchema({ io: "input", unrepresentable: "any", reused: "inline" }) as Schema;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]): [string, FieldFacts] => [
    name,
    { ...fieldOf(field), ...(required.has(name) ? { required: true } : {}) },
  ]);
  return {
    summary,
    when,
    ...(example === undefined ? {} : { example: example as Record<string, unknown> }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(pages === undefined ? {} : { pages }),
    ...(effect === "delete" ? { deletes: true } : {}),
    ...(answers === undefined ? {} : { answers }),
    fields: Object.fromEntries(fields),
  };
}

function fieldOf(schema: Schema): FieldFacts {
  const about = schema.description ?? "";
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  const nullable = schema.anyOf !== undefined && others.length + 1 < schema.anyOf.length;
  if (only !== undefined && others.length === 0)
    return { ...fieldOf({ ...only, description: about }), ...(nullable ? { nullable: true } : {}) };
  const list = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === "array");
  if (list?.items?.type === "string") return { kind: "text", about, many: true, ...choicesOf(list.items) };
  // A string among other scalars says them all: the operation reads them from text.
  const members = schema.anyOf ?? [];
  const isScalar = ({ type }: Schema) => type === "string" || type === "number" || type === "boolean";
  if (members.every(isScalar) && members.some(({ type }) => type === "string"))
    return { kind: "text", about };
  if (schema.type === "string") return { kind: "text", about, ...choicesOf(schema) };
  if (schema.type === "integer") return { kind: "whole", about };
  if (schema.type === "number") return { kind: "number", about };
  if (schema.type === "boolean") return { kind: "switch", about };
  return { kind: "json", about };
}

function choicesOf({ enum: values, const: only }: Schema): { choices?: string[] } {
  const choices = values ?? (only === undefined ? [] : [only]);
  return choices.length === 0 ? {} : { choices: choices.map(String) };
}
