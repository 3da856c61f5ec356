import { beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { openApiDocument } from "../../packages/server/src/docs/openapi.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { copyFurnished, type Furnished } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { callOverWire, type WireAnswer } from "../support/wire-call.ts";

/**
 * Every success that the OpenAPI document has of an operation is had from a real server, whose `fetch` holds each answer to
 * the schema of its status.
 */

const document = openApiDocument("http://letterslot.test");
const documented = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, responses }) => [operationId, responses] as const),
  ),
);
const names = Object.keys(routes) as OperationName[];
const holding = names.filter((name) => operationNamed(name).holds === true);
const repeating = names.filter((name) => operationNamed(name).idempotent === true);

/** Only a person in a session may ask for authority: see the tests of authority. */
const IN_SESSION: OperationName[] = ["authority.create"];
/** What an inbox in approval mode asks its owners about, where the usual input asks for nothing of the kind. */
const asking = ({
  inbox_id,
  webhook_id,
}: Furnished): Partial<Record<OperationName, Record<string, unknown>>> => ({
  "inboxes.update": { inbox_id, send_mode: "direct" },
  "webhooks.update": { webhook_id, url: "https://other.receiver.example/hook" },
});
/** An inbox has one number, and a webhook of every inbox would reach those that ask people. */
const instead = (ada: Furnished): Partial<Record<OperationName, object>> => ({
  "phoneNumbers.create": { inbox_id: ada.other_inbox_id },
  "webhooks.create": { url: "https://new.receiver.example/hook", inbox_id: ada.inbox_id },
});

async function inNewWorld<T>(act: (served: Served, ada: Furnished) => Promise<T>): Promise<T> {
  const served = await serve();
  try {
    return await act(served, await copyFurnished(served));
  } finally {
    await served.close();
  }
}

const call = (served: Served, ada: Furnished, name: OperationName, headers: Record<string, string> = {}) =>
  callOverWire(
    served,
    name,
    { ...createInputs(ada, served)[name], ...instead(ada)[name] },
    { authorization: `Bearer ${ada.api_key}`, ...headers },
  );

/** Made, but of no effect until somebody confirms it. */
const PENDING = 202;
/** The status of a first call. */
const madeWith = (name: OperationName): number => {
  const route = routes[name];
  return "status" in route ? route.status : 200;
};

/** The kind of an answer, or of the message in it. */
const kindOf = ({ json = {} }: WireAnswer): unknown =>
  json["object"] ?? (json["message"] as Record<string, unknown> | undefined)?.["object"];

describe("what waits for an owner is 202, with a draft or an approval and nothing else", () => {
  test.each(holding.filter((name) => !IN_SESSION.includes(name)))("%s", async (name) => {
    const answer = await inNewWorld(async (served, ada) => {
      for (const { id } of (await ada.as.inboxes.list({})).data)
        await ada.as.inboxes.update({ inbox_id: id, send_mode: "approval" });
      const input = asking(ada)[name] ?? createInputs(ada, served)[name];
      return callOverWire(served, name, input, { authorization: `Bearer ${ada.api_key}` });
    });
    expect({ status: answer.status, kind: kindOf(answer) }).toEqual({
      status: 202,
      kind: expect.stringMatching(/^(?:draft|approval)$/),
    });
    expect(Object.keys(documented.get(name) ?? {})).toContain("202");
  });

  test("no other operation has a 202", () => {
    const having = names.filter((name) => Object.hasOwn(documented.get(name) ?? {}, "202"));
    expect(having).toEqual(names.filter((name) => holding.includes(name) || madeWith(name) === PENDING));
  });
});

describe("a first call and its repetition have the status that is documented", () => {
  test.each(repeating)("%s", async (name) => {
    const [first, again] = await inNewWorld(async (served, ada) => {
      const once = { "idempotency-key": "once" };
      return [await call(served, ada, name, once), await call(served, ada, name, once)];
    });
    expect({ first: first.status, again: again.status }).toEqual({ first: madeWith(name), again: 200 });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(documented.get(name)?.["200"]?.headers).toHaveProperty("Idempotent-Replayed");
  });

  test("where a key may write without reading, the answer may be Replayed, and nowhere else", () => {
    const having = names.filter((name) => JSON.stringify(documented.get(name) ?? {}).includes("/Replayed"));
    const never = ["webhooks.test", "webhooks.redeliver", "consumers.create"];
    expect(having).toEqual(repeating.filter((name) => !never.includes(name)));
    for (const name of having)
      for (const [status, response] of Object.entries(documented.get(name) ?? {}))
        if (status !== "200") expect(JSON.stringify(response)).not.toContain("/Replayed");
  });
});

describe("a choice between records is told by one field", () => {
  let sent: WireAnswer;
  beforeAll(async () => {
    sent = await inNewWorld((served, ada) => call(served, ada, "messages.send"));
  });

  test("whose words name their schemas", () => {
    const { schema } = documented.get("messages.send")?.["200"]?.content?.["application/json"] ?? {};
    expect(schema?.discriminator).toEqual({
      propertyName: "object",
      mapping: {
        message: "#/components/schemas/Message",
        draft: "#/components/schemas/Draft",
        replayed: "#/components/schemas/Replayed",
        send_check: "#/components/schemas/SendCheck",
      },
    });
    expect(schema?.discriminator?.mapping).toHaveProperty(String(kindOf(sent)));
  });
});

/** The schemas within a value, by where they are. */
function schemasIn(value: unknown, place = ""): [string, Record<string, unknown>][] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.entries(value).flatMap(([name, each]) => schemasIn(each, `${place}/${name}`));
  return [[place, value as Record<string, unknown>], ...within];
}

test("what two records hold has a name, and every name stands for a schema", () => {
  const { schemas } = document.components;
  const places = Map.groupBy(
    schemasIn(schemas).filter(
      ([, { type, properties }]) => type === "object" && Object.keys(properties ?? {}).length > 1,
    ),
    ([, schema]) => JSON.stringify({ ...schema, description: undefined }),
  );
  expect(
    [...places.values()].filter(({ length }) => length > 1).map((same) => same.map(([place]) => place)),
  ).toEqual([]);
  const named = schemasIn(document).flatMap(([, { $ref }]) =>
    typeof $ref === "string" ? [$ref.split("/").slice(1)] : [],
  );
  expect(named.length).toBeGreaterThan(1_000);
  for (const path of named) {
    const found = path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    expect([path, found]).toEqual([path, expect.any(Object)]);
  }
});

test("records have names without numbers, and a list has the name of its items", () => {
  expect(Object.keys(document.components.schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual(
    [],
  );
  for (const name of names.filter((each) => operationNamed(each).pages === true)) {
    const { schema } = documented.get(name)?.["200"]?.content?.["application/json"] ?? {};
    expect([name, schema?.properties]).toMatchObject([
      name,
      { object: { const: "list" }, has_more: {}, next_cursor: {} },
    ]);
    const items = schema?.properties?.["data"]?.items ?? {};
    const options = items.anyOf ?? items.oneOf ?? [items];
    for (const option of options) expect([name, option]).toEqual([name, { $ref: expect.any(String) }]);
  }
});
