import type { CatalogueTool } from "./catalogue.ts";
import { isShown } from "./facts.ts";
import { answersText } from "./input-schema.ts";
import { type JsonSchema, jsonSchemaOf, type ObjectSchema } from "./json-schema.ts";

const TEXT: ObjectSchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

/** The fields that programs look for first; the other facts of a record need no schema to be read. */
const MAIN = ["id", "data", "messages", "text", "next_cursor", "next_offset"];

/**
 * Returns the schema of a tool's `structuredContent`, as briefly as a program can use it: its main fields, and those
 * that are always there. Values without information are omitted from an answer, so most fields aren't.
 */
export function outputSchemaOf(entry: CatalogueTool): ObjectSchema {
  if (answersText(entry)) return TEXT;
  const schema = jsonSchemaOf(entry.operation.output, "output");
  const [first = {}, ...others] = schema.anyOf ?? [schema];
  const object = first.properties?.["object"]?.const;
  const main = Object.entries(first.properties ?? {}).filter(
    ([name]) =>
      MAIN.includes(name) &&
      isShown(object, name) &&
      others.every(({ properties = {} }) => Object.hasOwn(properties, name)),
  );
  const properties = Object.fromEntries(main.map(([name, field]) => [name, typeOf(field)]));
  const required = ["id", "data"].filter((name) => Object.hasOwn(properties, name));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

/** The type of a field. Null is left out, as the field then is. */
function typeOf({ type, anyOf }: JsonSchema): JsonSchema {
  const kinds = (anyOf ?? []).map((kind) => kind.type).filter((kind) => kind !== "null");
  const one = type ?? (kinds.length === 1 ? kinds[0] : undefined);
  return typeof one === "string" ? { type: one } : {};
}
