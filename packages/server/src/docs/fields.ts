import type { Route } from "@letterslot/client/routes";
import type { Operation } from "@letterslot/core";
import { z } from "zod";

/** A field of an operation's input, for people. */
export interface DocumentedField {
  name: string;
  place: string;
  /** What it holds, such as `array of string` or `immediate or daily`. */
  kind: string;
  required: boolean;
}

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  default?: unknown;
}

/** The fields of an operation where its route has them. */
export function documentedFields(route: Route, operation: Operation): DocumentedField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(operation.input, {
    io: "input",
    unrepresentable: "any",
  }) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: placeOf(name, route),
    kind:
      schema.default === undefined
        ? kindOf(schema)
        : `${kindOf(schema)}, else ${JSON.stringify(schema.default)}`,
    required: required.includes(name),
  }));
}

function placeOf(field: string, { method, path, headers }: Route): string {
  const header = headers?.[field];
  if (header !== undefined) return `header ${header}`;
  if (path.split("/").includes(`:${field}`)) return "path";
  return method === "GET" || method === "DELETE" ? "query" : "body";
}

function kindOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(" | ");
  if (schema.type === "array")
    return `array of ${schema.items === undefined ? "anything" : kindOf(schema.items)}`;
  return [schema.type ?? "anything"].flat().join(" | ");
}
