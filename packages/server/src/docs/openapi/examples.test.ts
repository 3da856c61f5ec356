import { type Route, routes } from "@letterslot/client/routes";
import { operationNamed } from "@letterslot/core/internal";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { Content, DocumentedOperation } from "../document.ts";
import { openApiDocument } from "../openapi.ts";
import type { Schema } from "../schemas.ts";

const document = openApiDocument("http://letterslot.test");
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
formats.default(ajv);
ajv.addSchema(document, "openapi");

/** What a schema of the document has against a value; undefined if nothing. */
function faultOf(schema: Schema, value: unknown): string | undefined {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;
  const { discriminator: _discriminator, ...plain } = absolute;
  const validate = ajv.compile(plain);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const all = operations.flatMap((operation) => [operation, ...(operation["x-variants"] ?? [])]);
const responses = Object.entries(document.components["responses"] as Record<string, { content: Content }>);

const contents = [
  ...all.flatMap(({ operationId, requestBody, responses: answers }) => [
    ...Object.entries(requestBody?.content ?? {}).map(
      ([type, body]) => [`${operationId} takes ${type}`, body] as const,
    ),
    ...Object.entries(answers).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(
        ([type, body]) => [`${operationId} answers ${status} ${type}`, body] as const,
      ),
    ),
  ]),
  ...responses.flatMap(([name, { content }]) =>
    Object.entries(content).map(([type, body]) => [`the response ${name} has ${type}`, body] as const),
  ),
  ...Object.entries(
    document["webhooks"] as Record<string, { post: { requestBody: { content: Content } } }>,
  ).flatMap(([name, { post }]) =>
    Object.entries(post.requestBody.content).map(
      ([type, body]) => [`the webhook ${name} has ${type}`, body] as const,
    ),
  ),
];

describe("every example is as its schema says", () => {
  test.each(contents.filter(([, { example }]) => example !== undefined))("%s", (_, { schema, example }) => {
    expect(faultOf(schema, example)).toBeUndefined();
  });

  test.each(all.map((operation) => [operation.operationId, operation] as const))(
    "the parameters of %s",
    (_, { parameters }) => {
      const wrong = parameters.filter(
        ({ schema, example }) => example !== undefined && faultOf(schema, example) !== undefined,
      );
      expect(wrong).toEqual([]);
    },
  );

  test("all of them are looked at", () => {
    expect(contents.filter(([, { example }]) => example !== undefined).length).toBeGreaterThan(250);
    expect(faultOf({ type: "string", maxLength: 1 }, "two")).toMatch(/characters/);
  });
});

describe("every example of a request is one that the operation takes", () => {
  const named = all.filter(({ operationId }) => Object.hasOwn(routes, operationId));

  test.each(named.map((operation) => [operation.operationId, operation] as const))(
    "%s",
    (name, operation) => {
      const { error } = operationNamed(name).input.safeParse(inputOf(name as keyof typeof routes, operation));
      expect(error?.issues).toBeUndefined();
    },
  );
});

/** The input that the examples of a request make, put together from where the document has them. */
function inputOf(name: keyof typeof routes, { parameters, requestBody }: DocumentedOperation): object {
  const { headers = {}, query = {} }: Route = routes[name];
  const fieldOf = (parameter: string) =>
    Object.entries(headers).find(([, header]) => header === parameter)?.[0] ?? parameter;
  const given = parameters
    .filter((parameter) => parameter.example !== undefined && !Object.hasOwn(query, parameter.name))
    .map((parameter) => [fieldOf(parameter.name), parameter.example]);
  return { ...Object.fromEntries(given), ...(requestBody?.content["application/json"]?.example as object) };
}
