import { type Route, routes } from "@letterslot/client/routes";
import { operationNamed, operations } from "@letterslot/core/internal";
import { describe, expect, test } from "vitest";

const lines = Object.entries<Route>(routes);

describe("the wire table", () => {
  test("has one line for each operation", () => {
    const named = Object.entries(operations).flatMap(([group, verbs]) =>
      Object.keys(verbs).map((verb) => `${group}.${verb}`),
    );
    expect(Object.keys(routes).toSorted()).toEqual(named.toSorted());
  });

  test.each(lines)("%s takes null for a change if it is a PATCH", (name, { method }) => {
    expect(operationNamed(name).patches ?? false).toBe(method === "PATCH");
  });

  test("has no two operations at one address and query", () => {
    const places = lines.map(
      ([, { method, path, query }]) =>
        `${method} ${path.replace(/:\w+/g, ":")}?${new URLSearchParams(query).toString()}`,
    );
    expect(new Set(places).size).toBe(places.length);
  });

  test.each(lines)("%s uses fields of its operation", (name, route) => {
    const fields = [...route.path.matchAll(/:(\w+)/g)]
      .map(([, field]) => field)
      .concat(Object.keys(route.headers ?? {}));
    expect(Object.keys(operationNamed(name).input.shape)).toEqual(expect.arrayContaining(fields));
  });

  test.each(lines.filter(([, { query }]) => query !== undefined))(
    "%s shares its address with another operation, which has none of its query",
    (_, { method, path, query = {} }) => {
      const others = lines.filter(([, route]) => route.method === method && route.path === path);
      const plain = others.filter(([, route]) => route.query === undefined);
      expect(plain).toHaveLength(1);
      for (const [name] of others)
        for (const field of Object.keys(query))
          expect(operationNamed(name).input.shape).not.toHaveProperty(field);
    },
  );

  test.each(lines)("%s agrees with its operation about the answer, idempotency and pages", (name, route) => {
    const operation = operationNamed(name);
    expect(route.answers ?? "json").toBe(operation.answers ?? "json");
    expect(route.idempotent ?? false).toBe(operation.idempotent ?? false);
    const { shape = {} } = operation.output as { shape?: object };
    expect(operation.pages ?? false).toBe(route.pages ?? false);
    expect(operation.pages ?? false).toBe("cursor" in operation.input.shape && "data" in shape);
  });
});
