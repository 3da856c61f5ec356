import { type Route, routes } from "@letterslot/client/routes";
import { operationNamed } from "@letterslot/core/internal";
import { beforeAll, describe, expect, test } from "vitest";
import type { DocumentedOperation, OpenApiDocument } from "./document.ts";
import { exampleInput } from "./examples.ts";
import { describedBy } from "./fields.ts";
import { openApiDocument } from "./openapi.ts";
import { sampleOfSchema } from "./samples.ts";
import { plainSchema, type Schema } from "./schemas.ts";

const SENTENCE = /^[A-Z`“"*].*[\s`].*[.”`]$/s;

let document: OpenApiDocument;
let operations: DocumentedOperation[];
beforeAll(() => {
  document = openApiDocument("http://letterslot.test");
  operations = Object.values(document.paths).flatMap((path) => Object.values(path));
});

/** Whether these words say more than the name of the field. */
function says(name: string, words: string | undefined): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  return (
    words !== undefined && SENTENCE.test(words) && bare(words).replace(/^(the|a|an|its)/, "") !== bare(name)
  );
}

/** Returns the fields within a schema that lack a description, by their path. */
function silentFields(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema;
  const within = [items, ...anyOf, ...oneOf, additionalProperties].filter((each) => typeof each === "object");
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(says(name, describedBy(field)) ? [] : [`${path}.${name}`]),
      ...silentFields(field, `${path}.${name}`),
    ]),
    ...within.flatMap((each) => silentFields(each, path)),
  ];
}

describe("every field says what it is", () => {
  test("in requests", () => {
    const silent = operations.flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters.flatMap(({ name, description, schema }) => [
        ...(says(name, description) ? [] : [`${operationId}.${name}`]),
        ...silentFields(schema, `${operationId}.${name}`),
      ]),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => silentFields(schema, operationId)),
    ]);
    expect(silent).toEqual([]);
  });

  test("in answers", () => {
    const silent = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.values(content).flatMap(({ schema }) => silentFields(schema, `${operationId} ${status}`)),
      ),
    );
    expect([...new Set(silent)]).toEqual([]);
  });

  test("in records and events", () => {
    const { schemas } = document.components;
    expect(Object.entries(schemas).flatMap(([name, schema]) => silentFields(schema, name))).toEqual([]);
  });
});

describe("every operation", () => {
  test("says what it does and when to use it", () => {
    for (const { operationId, summary, description } of operations) {
      expect(says(operationId, summary), operationId).toBe(true);
      expect(says(operationId, description), operationId).toBe(true);
      expect(description, operationId).not.toBe(summary);
    }
  });

  test("has an example of the call, of its body and of its answer", () => {
    for (const { operationId, "x-codeSamples": samples, requestBody, responses } of operations) {
      expect(
        samples.map(({ lang }) => lang),
        operationId,
      ).toContain("Shell");
      if (Object.hasOwn(routes, operationId))
        expect(
          samples.map(({ lang }) => lang),
          operationId,
        ).toContain("TypeScript");
      for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)])
        if ("application/json" in content)
          expect(content["application/json"], operationId).toHaveProperty("example");
    }
  });
});

describe("examples are as their schemas want", () => {
  const all = Object.entries<Route>(routes);

  test.each(all)("the input of %s", (name, route) => {
    const operation = operationNamed(name);
    const { error } = operation.input.safeParse(exampleInput(operation, route));
    expect(error?.issues).toBeUndefined();
  });

  test.each(all.filter(([, { answers }]) => answers === undefined))("the answer of %s", (name) => {
    const { output } = operationNamed(name);
    const sample = sampleOfSchema(plainSchema(output, "output"));
    expect(output.parse(sample)).toEqual(sample);
  });
});
