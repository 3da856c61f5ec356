import type { CatalogueTool } from "./catalogue.ts";
import { isShown } from "./facts.ts";
import { answersText } from "./input-schema.ts";
import { type JsonSchema, jsonSchemaOf, type ObjectSchema } from "./json-schema.ts";

const TEXT: ObjectSchema = {
  type: "object",
  properties: { text: { type: "string" }, next_offset: { type: "integer" } },
};

/**
 * What a tool's `structuredContent` has, as briefly as a program can use it: the names at its top and their types.
 * None is required, since what says nothing is left out.
 */
export function outputSchemaOf(entry: CatalogueTool): ObjectSchema {
  if (answersText(entry)) return TEXT;
  const schema = jsonSchemaOf(entry.operation.output, "output");
  const [first, ...others] = schema.anyOf ?? [schema];
  const object = first?.properties?.["object"]?.const;
  const fields = Object.entries(first?.properties ?? {}).filter(
    ([name]) => isShown(object, name) && others.every(({ properties }) => properties?.[name] !== undefined),
  );
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, typeOf(field)])),
  };
}

/** The type of a field. Null is left out, as the field then is. */
function typeOf({ type, anyOf }: JsonSchema): JsonSchema {
  const kinds = (anyOf ?? []).map((kind) => kind.type).filter((kind) => kind !== "null");
  const one = type ?? (kinds.length === 1 ? kinds[0] : undefined);
  return typeof one === "string" ? { type: one } : {};
}
