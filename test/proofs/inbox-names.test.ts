import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { createTextExtraction } from "../../packages/text-extraction/src/index.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { callOverWire } from "../support/wire-call.ts";

const takingInbox = (Object.keys(routes) as OperationName[]).filter(
  (name) => operationNamed(name).scope !== "public" && "inbox_id" in operationNamed(name).input.shape,
);
const isBelow = ({ method, path }: Route) => method === "GET" && path.startsWith("/api/v1/inboxes/:inbox_id");
const below = takingInbox.filter((name) => isBelow(routes[name]));
/** What only a person does is refused to a key before the inbox is looked for. */
const others = takingInbox.filter(
  (name) => !isBelow(routes[name]) && operationNamed(name).callers?.includes("key") !== false,
);

const extraction = createTextExtraction();
let served: Served;
let ada: Furnished;
beforeAll(async () => {
  served = await serve({ config: { textExtraction: extraction } });
  ada = await furnish(served, "ada");
});
afterAll(async () => {
  await served.close();
  await extraction.close();
});

const call = (name: OperationName, fields: Record<string, unknown>, key = ada.api_key) =>
  callOverWire(
    served,
    name,
    { ...createInputs(ada, served)[name], ...fields },
    { authorization: `Bearer ${key}` },
  );
const namesOf = ({ email }: Furnished): string[] => {
  const [username = ""] = email.split("@");
  return [username, email, username.toUpperCase(), email.toUpperCase()];
};

describe("a username or an address in place of an inbox id", () => {
  test.each(below)("works in %s, and the answer is the same", async (name) => {
    // Each link has a word of its own.
    const answer = async (inbox_id: string) => {
      const { status, text } = await call(name, { inbox_id });
      return { status, text: text.replace(/word=\w+/, "word=") };
    };
    const byId = await answer(ada.inbox_id);
    expect(byId.status).toBe(200);
    for (const inbox_id of namesOf(ada)) expect(await answer(inbox_id)).toEqual(byId);
  });

  test.each(others)("is inbox_not_found in %s", async (name) => {
    for (const inbox_id of namesOf(ada)) {
      const { status, code } = await call(name, { inbox_id });
      expect({ status, code }).toEqual({ status: 404, code: "inbox_not_found" });
    }
  });

  test.each(below)("opens no other inbox to a scoped key in %s", async (name) => {
    for (const inbox_id of namesOf(ada)) {
      const { status, code } = await call(name, { inbox_id }, ada.scoped_key);
      expect({ status, code }).toEqual({ status: 404, code: "inbox_not_found" });
    }
  });

  test("opens no inbox of another account", async () => {
    const eve = await served.signUp("eve");
    for (const name of below) {
      const { status, code } = await call(name, { inbox_id: ada.email }, eve.api_key);
      expect({ name, status, code }).toEqual({ name, status: 404, code: "inbox_not_found" });
    }
  });

  test("keeps a list's cursor: a page by address continues one by id", async () => {
    const first = await call("messages.list", { limit: 1 });
    const cursor = first.json?.["next_cursor"];
    expect(cursor).toEqual(expect.any(String));
    expect(await call("messages.list", { limit: 1, cursor, inbox_id: ada.email })).toMatchObject({
      status: 200,
    });
  });
});

describe("PATCH /inboxes/batch", () => {
  test("changes the account's inbox of that name, which only an older version gave", async () => {
    const { id } = await ada.as.inboxes.create({ username: "to-be-batch" });
    const { storage } = served.letterslot.services;
    const email = ada.email.replace(/^[^@]+/, "batch");
    await storage.update("inboxes", { id }, { username: "batch", email });
    await storage.insert("addresses", {
      address: email,
      domain: email.slice(email.indexOf("@") + 1),
      kind: "inbox",
      account_id: ada.account_id,
      inbox_id: id,
      created_at: "2026-01-01T00:00:00.000Z",
    });
    const { status, json } = await call("inboxes.update", { inbox_id: "batch", display_name: "Of old" });
    expect({ status, json }).toMatchObject({ status: 200, json: { id, display_name: "Of old" } });
    const byAddress = await call("inboxes.update", { inbox_id: email, display_name: "Of old" });
    expect(byAddress).toMatchObject({ status: 404, code: "inbox_not_found" });
  });
});
