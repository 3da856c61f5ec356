import { referenceOf, type Schema } from "./schemas.ts";

/** A field as the documentation shows it. */
export interface DocumentedField {
  name: string;
  description: string | undefined;
  schema: Schema;
  /** A note such as "path, required". */
  note: string;
}

/** The bounds of a value in words; empty when it has none. */
export function boundsOf({
  minimum,
  maximum,
  minLength = 0,
  maxLength,
  maxItems,
  anyOf = [],
}: Schema): string {
  const [inner, ...others] = anyOf.filter(({ type }) => type !== "null");
  if (inner !== undefined) return others.length === 0 ? boundsOf(inner) : "";
  if (maxItems !== undefined) return `at most ${maxItems} items`;
  if (maxLength !== undefined)
    return `${minLength > 0 ? `${minLength} to` : "at most"} ${maxLength.toLocaleString("en")} characters`;
  return maximum !== undefined ? `${minimum ?? 0} to ${maximum.toLocaleString("en")}` : "";
}

/** The fields of an object's schema. */
export function fieldsOf(
  { properties = {}, required = [] }: Schema,
  from: "request" | "answer",
): DocumentedField[] {
  return Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const note = from === "request" ? (isRequired ? "required" : "") : isRequired ? "" : "may be absent";
    return { name, description: describedBy(schema), schema, note };
  });
}

/** Returns the description of a field's schema: its own, or that of one of its alternatives. */
export function describedBy({ description, anyOf, oneOf }: Schema): string | undefined {
  return description ?? [...(anyOf ?? []), ...(oneOf ?? [])].find((each) => each.description)?.description;
}

/** Returns the object in a field: the field's own, or that of a list's items. */
export function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties !== undefined) return schema;
  if (schema.items !== undefined) return objectIn(schema.items);
  for (const option of schema.anyOf ?? schema.oneOf ?? []) {
    const found = objectIn(option);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a schema is of a record, or of one of several. */
export const isOfRecords = (schema: Schema): boolean =>
  referenceOf(schema) !== undefined || (schema.anyOf ?? schema.oneOf) !== undefined;

/** A schema's type in words; `recordName` writes the name of a record. */
export function typeOf(schema: Schema, recordName: (name: string) => string = String): string {
  const record = referenceOf(schema);
  if (record !== undefined) return recordName(record);
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map((option) => typeOf(option, recordName)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(String).join(" | ");
  const types = [schema.type ?? "any JSON"].flat();
  if (types.includes("array")) return `array of ${typeOf(schema.items ?? {}, recordName)}`;
  return `${types.join(" or ")}${schema.format === "date-time" ? " (time)" : ""}`;
}
