import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../packages/client/src/routes.ts";
import {
  holdsAny,
  type Permission,
  READ_PERMISSIONS,
} from "../../packages/core/src/catalogue/permissions.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { callOverWire } from "../support/wire-call.ts";

type Shown = Record<string, unknown>;

const repeatable = (Object.keys(routes) as OperationName[]).filter((name) => {
  const { idempotent, scope } = operationNamed(name);
  return idempotent === true && scope !== "public";
});

let served: Served;
let ada: Furnished;
beforeAll(async () => {
  served = await serve();
  ada = await furnish(served, "ada");
});
afterAll(() => served.close());

/** The records that an answer is or holds. */
function recordsIn(answer: unknown): Shown[] {
  if (typeof answer !== "object" || answer === null) return [];
  const { id, object } = answer as Shown;
  if (typeof id === "string" && typeof object === "string") return [answer as Shown];
  return Object.values(answer).flatMap((value) =>
    Array.isArray(value) ? value.flatMap(recordsIn) : recordsIn(value),
  );
}

describe("under one Idempotency-Key, a key that may write but not read gets no more than ids", () => {
  const cases = repeatable.flatMap((name) =>
    (operationNamed(name).allow as readonly Permission[]).map((permission) => [name, permission] as const),
  );
  test.each(cases)("from %s with %s", async (name, permission) => {
    const permissions = [permission];
    const writer = await ada.as.keys.create({ permissions });
    const call = (key: string) =>
      callOverWire(served, name, createInputs(ada, served)[name], {
        authorization: `Bearer ${key}`,
        "idempotency-key": `once-${name}`,
      });
    const first = await call(ada.api_key);
    expect([200, 201, 202], first.text).toContain(first.status);
    const again = await call(writer.api_key);
    expect({ status: again.status, replayed: again.headers.get("idempotent-replayed") }).toEqual({
      status: 200,
      replayed: "true",
    });
    const ids = (answer: unknown) => recordsIn(answer).map(({ id }) => id);
    expect(ids(again.json)).toEqual(ids(first.json));
    expect(ids(again.json).length).toBeGreaterThan(0);
    for (const record of recordsIn(again.json)) {
      const { id, object } = record;
      const kind = (object === "replayed" ? record["kind"] : object) as keyof typeof READ_PERMISSIONS;
      expect(Object.keys(READ_PERMISSIONS)).toContain(kind);
      if (holdsAny(permissions, READ_PERMISSIONS[kind])) expect(object).toBe(kind);
      else expect(record).toEqual({ object: "replayed", id, kind, idempotent: true });
    }
    for (const secret of ["api_key", "whsec_"])
      expect(again.text).not.toMatch(new RegExp(`${secret}\\w{20}`));
  });
});
