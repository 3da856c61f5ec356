import { z } from "zod";
import { flaglessPattern, patternsOf } from "./openapi/patterns.ts";

/** A JSON Schema (2020-12), as far as the documentation reads it. */
export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  pattern?: string;
  allOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

/** The shared schemas of a document, by name. */
export type Components = Record<string, Schema>;

const REFERENCE = "#/components/schemas/";

/** Returns the JSON Schema of a zod schema, of its `input` or its `output`, without references. */
export function plainSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => writePatterns(zodSchema, jsonSchema as Schema),
  }) as Schema & { $schema?: string };
  return described(plain);
}

/** Writes the patterns of a text without their flags. A date or time has its format alone, which says as much. */
function writePatterns(text: z.core.$ZodType, schema: Schema): void {
  if (schema.format === "date-time" || schema.format === "date") {
    delete schema.pattern;
    return;
  }
  const written = new Map(patternsOf(text).map((each) => [each.source, flaglessPattern(each)]));
  for (const each of [schema, ...(schema.allOf ?? [])])
    if (each.pattern !== undefined) each.pattern = written.get(each.pattern) ?? each.pattern;
}

/** Adds a description to every constant, with its value. */
function described(schema: Schema): Schema {
  const node = mapSchemas(schema, described);
  return node.const === undefined || node.description !== undefined
    ? node
    : { ...node, description: `Always \`${JSON.stringify(node.const)}\`.` };
}

/**
 * Moves schemas with a title and records with an `object` field into `components`, and refers to them. A field's
 * description of its record stays with the field.
 */
export function hoist(schema: Schema, components: Components): Schema {
  const { description, ...hoisted } = mapSchemas(schema, (each) => hoist(each, components));
  const name = componentName(hoisted, components);
  if (name === undefined) return description === undefined ? hoisted : { description, ...hoisted };
  components[name] ??= hoisted;
  return { $ref: `${REFERENCE}${name}`, ...(description === undefined ? {} : { description }) };
}

/** The schema that a reference names; the schema itself if it is none. */
export function resolved(schema: Schema, components: Components): Schema {
  const name = referenceOf(schema);
  return name === undefined ? schema : { ...components[name], ...schema };
}

/** The name of the component that a schema refers to. */
export const referenceOf = ({ $ref }: Schema): string | undefined => $ref?.slice(REFERENCE.length);

/** Applies a change to the schemas directly below this one. */
function mapSchemas(schema: Schema, change: (each: Schema) => Schema): Schema {
  const { properties, items, anyOf, oneOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, change(each)]),
          ),
        }),
    ...(items === undefined ? {} : { items: change(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(change) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(change) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: change(additionalProperties) }
      : {}),
  };
}

/** The name of a schema's component; further shapes of the same kind of record get a number. */
function componentName(schema: Schema, components: Components): string | undefined {
  if (schema.title !== undefined) return schema.title;
  const kind = schema.properties?.["object"]?.const;
  if (typeof kind !== "string" || kind === "list") return undefined;
  const named = schema.properties?.["deleted"] === undefined ? kind : `deleted_${kind}`;
  const base = named.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  for (let form = 1; ; form++) {
    const name = form === 1 ? base : `${base}${form}`;
    const known = components[name];
    if (known === undefined || JSON.stringify(known) === JSON.stringify(schema)) return name;
  }
}
