import type { Route } from "@letterslot/client/routes";
import type { Operation } from "@letterslot/core";
import { z } from "zod";

/** A field of an operation's input, as the documentation page shows it. */
export interface DocumentedField {
  name: string;
  /** `path`, `query`, `body` or a header. */
  place: string;
  /** Its type, such as `array of string` or `immediate | daily`. */
  type: string;
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

/** Lists the fields of an operation, with their places in its route. */
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
    type:
      schema.default === undefined
        ? typeOf(schema)
        : `${typeOf(schema)}, default ${JSON.stringify(schema.default)}`,
    required: required.includes(name),
  }));
}

function placeOf(field: string, { method, path, headers }: Route): string {
  const header = headers?.[field];
  if (header !== undefined) return `header ${header}`;
  if (path.split("/").includes(`:${field}`)) return "path";
  return method === "GET" || method === "DELETE" ? "query" : "body";
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.type === "array")
    return `array of ${schema.items === undefined ? "anything" : typeOf(schema.items)}`;
  return [schema.type ?? "anything"].flat().join(" | ");
}
