import type { Components, Schema } from "./schemas.ts";

/** A parameter of an operation in the document. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string | undefined;
  example?: unknown;
  schema: Schema;
}

/** A body in the document, by media type. */
export type Content = Record<string, { schema: Schema; example?: unknown }>;

/** A response in the document, by its status; or a reference to one. */
export interface DocumentedResponse {
  description?: string;
  headers?: Record<string, { description: string; required: boolean; schema: Schema }>;
  content?: Content;
  $ref?: string;
}

/** An operation in the document; the documentation page adds the fields that begin with `x-`. */
export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  "x-permissions"?: readonly string[];
  "x-errors": string[];
  "x-codeSamples": { lang: string; label: string; source: string }[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, DocumentedResponse>;
  /** Operations at the same path and method, which a fixed query parameter asks for. */
  "x-variants"?: DocumentedOperation[];
}

/** The OpenAPI document, as far as the documentation page reads it. */
export interface OpenApiDocument extends Record<string, unknown> {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Components } & Record<string, unknown>;
}
