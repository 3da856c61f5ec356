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
    override: ({ zodSchema, jsonSchema }) => {
      writePatterns(zodSchema, jsonSchema as Schema);
      dropEmptyWords(jsonSchema as Schema);
    },
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

/** Drops what says nothing: that JavaScript can hold a number exactly, and a format that only `contentEncoding` knows. */
function dropEmptyWords(schema: Schema): void {
  if (schema.format === "base64") delete schema.format;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
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
 * description of its record stays with the field. Throws if two different schemas have the same name.
 */
export function hoist(schema: Schema, components: Components): Schema {
  const within = mapSchemas(schema, (each) => hoist(each, components));
  const { description, ...hoisted } = told(within, components);
  const name = componentName(hoisted);
  if (name === undefined) return description === undefined ? hoisted : { description, ...hoisted };
  const { description: _, ...known }: Schema = components[name] ?? hoisted;
  if (JSON.stringify(known) !== JSON.stringify(hoisted))
    throw new Error(`two schemas are called ${name}: give one of them a title of its own`);
  components[name] ??= hoisted;
  return { $ref: `${REFERENCE}${name}`, ...(description === undefined ? {} : { description }) };
}

/** One schema for a value that is by any of these, which are hoisted. */
export function eitherOf(schemas: readonly Schema[], components: Components): Schema {
  const options = schemas.flatMap((schema) => schema.anyOf ?? schema.oneOf ?? [schema]);
  const different = new Map(options.map((option) => [JSON.stringify(option), option]));
  return told({ anyOf: [...different.values()] }, components);
}

/** The fields that tell kinds of records apart, and kinds of events. */
const TELLING = ["object", "type"];

/** A choice between records says which field tells them apart, if one does. */
function told(schema: Schema, components: Components): Schema {
  const { anyOf, oneOf, ...rest } = schema;
  const options = anyOf ?? oneOf ?? [];
  for (const propertyName of TELLING) {
    const mapping = new Map(
      options.flatMap((option) => {
        const { properties, required } = components[referenceOf(option) ?? ""] ?? {};
        const word = properties?.[propertyName]?.const;
        const isTold = typeof word === "string" && required?.includes(propertyName) === true;
        return isTold ? [[word, option.$ref ?? ""] as const] : [];
      }),
    );
    if (options.length > 1 && mapping.size === options.length)
      return {
        ...rest,
        oneOf: options,
        discriminator: { propertyName, mapping: Object.fromEntries(mapping) },
      };
  }
  return schema;
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

/** The name of a schema's component: its title, or the kind of record that it is. */
function componentName({ title, properties }: Schema): string | undefined {
  if (title !== undefined) return title;
  const kind = properties?.["object"]?.const;
  if (typeof kind !== "string" || kind === "list") return undefined;
  const named = properties?.["deleted"] === undefined ? kind : `deleted_${kind}`;
  return named.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
