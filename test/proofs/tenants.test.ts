import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { PERMISSION_NAMES, type Permission } from "../../packages/core/src/catalogue/permissions.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { createTextExtraction } from "../../packages/text-extraction/src/index.ts";
import { copyFurnished, type Furnished, furnish, listSecrets } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { codeFor, recordIn, recordsOf, takesInbox } from "../support/tenant-matrix.ts";
import { callOverWire } from "../support/wire-call.ts";

const OPERATOR_SECRET = "an-operator-secret-of-enough-length";
const names = Object.keys(routes) as OperationName[];
const isForKeys = (name: OperationName) => operationNamed(name).callers?.includes("key") ?? true;
const keyed = names.filter((name) => operationNamed(name).scope !== "public" && isForKeys(name));
const open = names.filter((name) => operationNamed(name).scope === "public");

const has = (allow: readonly Permission[] | "any"): readonly Permission[] => (allow === "any" ? [] : allow);

const extraction = createTextExtraction();

let served: Served;
let ada: Furnished;
let eve: Furnished;
let adas: Record<string, unknown>;

beforeAll(async () => {
  const secrets = { cron_secret: OPERATOR_SECRET, inbound_secret: OPERATOR_SECRET };
  served = await serve({ ...secrets, config: { textExtraction: extraction } });
  ada = await furnish(served, "ada");
  eve = await furnish(served, "eve");
  adas = await recordsOf(served.letterslot.services.storage, ada.account_id);
});
afterAll(async () => {
  await served.close();
  await extraction.close();
});

const call = (
  name: OperationName,
  input: Record<string, unknown>,
  key: string | undefined,
  server = served,
): ReturnType<typeof callOverWire> =>
  callOverWire(server, name, input, key === undefined ? {} : { authorization: `Bearer ${key}` });
const inputs = (account: Furnished) => createInputs(account, served);

/** A service of its own, with an account to change. */
async function newWorld() {
  const own = await serve({ config: { textExtraction: extraction } });
  onTestFinished(() => own.close());
  return { own, account: await copyFurnished(own) };
}

describe("the furnished account", () => {
  test("has every record that the matrix uses", () => {
    for (const [field, value] of Object.entries(ada)) expect(value, field).not.toBe("");
  });

  // Refusals are written in the background, which a test of their own waits for.
  test.each(names.filter((name) => "pages" in routes[name] && name !== "refusals.list"))(
    "%s returns something to its own account",
    async (name) => {
      const { status, json } = await call(name, inputs(ada)[name], ada.api_key);
      expect({ status, found: Array.isArray(json?.["data"]) && json["data"].length > 0 }).toEqual({
        status: 200,
        found: true,
      });
    },
  );
});

describe("without a live key", () => {
  const bad: [string, () => Promise<string | undefined>, string][] = [
    ["no key", async () => undefined, "invalid_api_key"],
    [
      "a key that nobody has",
      async () => "ls_live_0000000000000000000000000000000000000000",
      "invalid_api_key",
    ],
    ["the operator's secret", async () => OPERATOR_SECRET, "invalid_api_key"],
    [
      "a revoked key",
      async () => {
        const { id, api_key } = await eve.as.keys.create({ name: "revoked" });
        await eve.as.keys.delete({ key_id: id });
        return api_key;
      },
      "api_key_revoked",
    ],
    [
      "an expired key",
      async () => {
        const { id, api_key } = await eve.as.keys.create({ name: "expired" });
        await served.letterslot.services.storage.update(
          "keys",
          { id },
          { expires_at: "2025-12-31T23:59:59.999Z" },
        );
        return api_key;
      },
      "api_key_expired",
    ],
  ];

  test.each(bad)("%s opens no operation", async (_, keyOf, code) => {
    const key = await keyOf();
    for (const name of key === undefined ? keyed : names) {
      const answer = await call(name, inputs(ada)[name], key);
      expect({ name, status: answer.status, code: answer.code }).toEqual({ name, status: 401, code });
      expect(answer.headers.get("www-authenticate")).toMatch(
        /^Bearer resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/api\/v1", scope="[a-z_ ]+"$/,
      );
    }
  });

  test("a link in an owner's letter is closed to every key, except for confirming and unsubscribing", async () => {
    for (const name of open) {
      if (/^(accounts|keys|lifecycle)\./.test(name) || /^owners\.(conf|unsub)/.test(name)) continue;
      // The code alone counts: whoever has it may have a key already.
      if (name === "pairings.pair") continue;
      const { status, code } = await call(name, inputs(ada)[name], ada.api_key);
      expect({ name, status, code }).toEqual({ name, status: 403, code: "owner_only" });
    }
  });
});

describe("another account's key", () => {
  test.each(keyed.filter(takesInbox))("%s about a foreign inbox is inbox_not_found", async (name) => {
    const { status, code } = await call(name, { ...inputs(ada)[name], inbox_id: ada.inbox_id }, eve.api_key);
    expect({ status, code }).toEqual({ status: 404, code: "inbox_not_found" });
  });

  test.each(keyed.filter((name) => recordIn(name) !== undefined))(
    "%s about a foreign record is its 404",
    async (name) => {
      const own = takesInbox(name) ? { inbox_id: eve.inbox_id } : {};
      const answer = await call(name, { ...inputs(ada)[name], ...own }, eve.api_key);
      expect({ status: answer.status, code: answer.code }).toEqual({
        status: 404,
        code: codeFor(name, recordIn(name) ?? ""),
      });
    },
  );

  test.each(keyed.filter((name) => (routes[name] as Route).method === "GET"))(
    "%s shows nothing of the other account",
    async (name) => {
      const answer = await call(name, inputs(eve)[name], eve.api_key);
      expect(answer.status).toBe(200);
      for (const leak of listSecrets(ada)) expect(answer.text).not.toContain(leak);
    },
  );

  test("the other account's ids in a body find nothing", async () => {
    const own = { inbox_id: eve.inbox_id };
    const ids = { message_ids: [ada.message_id] };
    expect((await call("messages.batchGet", { ...own, ...ids }, eve.api_key)).json).toMatchObject({
      count: 0,
      data: [],
    });
    const relabelled = await call(
      "messages.batchUpdate",
      { ...own, ...ids, add_labels: ["stolen"] },
      eve.api_key,
    );
    expect(relabelled.json).toMatchObject({ count: 0, data: [] });
    const listed = await call("messages.list", { ...own, thread_id: ada.thread_id }, eve.api_key);
    expect(listed.json).toMatchObject({ data: [] });
    const words = { ...own, to: [eve.friend], text: "x" };
    const answering = await call("messages.send", { ...words, in_reply_to: ada.message_id }, eve.api_key);
    expect(answering).toMatchObject({ status: 404, code: "message_not_found" });
    const drafted = await call(
      "drafts.create",
      { ...words, kind: "reply", in_reply_to: ada.message_id },
      eve.api_key,
    );
    expect(drafted).toMatchObject({ status: 404, code: "message_not_found" });
    const forwarded = await call(
      "drafts.create",
      { ...words, kind: "forward", forward_of: ada.message_id },
      eve.api_key,
    );
    expect(forwarded).toMatchObject({ status: 404, code: "message_not_found" });
    const hooked = await call(
      "webhooks.create",
      { url: "https://x.example/", inbox_ids: [ada.inbox_id] },
      eve.api_key,
    );
    expect(hooked).toMatchObject({ status: 404, code: "inbox_not_found" });
    const moved = await call(
      "webhooks.update",
      { webhook_id: eve.webhook_id, inbox_ids: [ada.inbox_id] },
      eve.api_key,
    );
    expect(moved).toMatchObject({ status: 404, code: "inbox_not_found" });
    const minted = await call("keys.create", { inbox_id: ada.inbox_id }, eve.api_key);
    expect(minted).toMatchObject({ status: 404, code: "inbox_not_found" });
  });

  test("has changed nothing of the other account", async () => {
    expect(await recordsOf(served.letterslot.services.storage, ada.account_id)).toEqual(adas);
  });
});

describe("a key that is held to another inbox", () => {
  test.each(keyed.filter(takesInbox))("%s about this one is inbox_not_found", async (name) => {
    const { status, code } = await call(
      name,
      { ...inputs(ada)[name], inbox_id: ada.inbox_id },
      ada.scoped_key,
    );
    expect({ status, code }).toEqual({ status: 404, code: "inbox_not_found" });
  });

  test.each(keyed.filter((name) => operationNamed(name).scope === "account"))(
    "%s is permission_denied",
    async (name) => {
      const { status, code } = await call(name, inputs(ada)[name], ada.scoped_key);
      expect({ status, code }).toEqual({ status: 403, code: "permission_denied" });
    },
  );

  const ofApps = keyed.filter((name) => name.startsWith("grants."));
  const filtered = keyed.filter(
    (name) => operationNamed(name).scope === "filtered" && !ofApps.includes(name),
  );
  test.each(ofApps)("%s is closed to it", async (name) => {
    const { status, code } = await call(name, inputs(ada)[name], ada.scoped_key);
    expect({ status, code }).toEqual({ status: 403, code: "permission_denied" });
  });
  test.each(filtered.filter((name) => recordIn(name) !== undefined))(
    "%s about a record of this one is its 404",
    async (name) => {
      const { status, code } = await call(name, inputs(ada)[name], ada.scoped_key);
      expect({ status, code }).toEqual({ status: 404, code: codeFor(name, recordIn(name) ?? "") });
    },
  );

  test.each(
    filtered.filter((name) => recordIn(name) === undefined && (routes[name] as Route).method === "GET"),
  )("%s shows nothing of this inbox", async (name) => {
    const { status, text } = await call(name, inputs(ada)[name], ada.scoped_key);
    expect(status).toBe(200);
    for (const leak of [
      ada.inbox_id,
      ada.message_id,
      ada.task_id,
      ada.key_id,
      ada.webhook_id,
      ada.consumer_id,
      ada.draft_id,
    ])
      expect(text).not.toContain(leak);
  });
});

describe("permissions", () => {
  const asked = keyed.filter((name) => operationNamed(name).allow !== "any");

  test.each(asked)(
    "%s without its permissions is permission_denied, whatever other permissions the key has",
    async (name) => {
      const allow = has(operationNamed(name).allow);
      const permissions = PERMISSION_NAMES.filter((permission) => !allow.includes(permission));
      const { id, api_key } = await ada.as.keys.create({ permissions });
      const { status, code, param } = await call(name, inputs(ada)[name], api_key);
      await ada.as.keys.delete({ key_id: id });
      expect({ status, code, param }).toEqual({ status: 403, code: "permission_denied", param: allow[0] });
    },
  );

  test.each(
    asked.flatMap((name) => has(operationNamed(name).allow).map((permission) => [name, permission] as const)),
  )("%s passes the gate with only %s", async (name, permission) => {
    const { id, api_key } = await ada.as.keys.create({ permissions: [permission] });
    const { status, code, param } = await call(name, { ...inputs(ada)[name], nonsense: "1" }, api_key);
    await ada.as.keys.delete({ key_id: id });
    expect({ status, code, param }).toEqual({ status: 400, code: "unknown_parameter", param: "nonsense" });
  });
});

/** Operations for a person's session, and for nobody with a key or without credentials. */
const inSession = names.filter(
  (name) =>
    operationNamed(name).callers?.includes("public") === false &&
    !operationNamed(name).callers?.includes("key"),
);
/**
 * Operations that need more than the record's ids: authority, a session's own secrets, a letter's link, or another
 * session beside it.
 */
const PROVED_ELSEWHERE = [
  "account.update",
  "approvals.decide",
  "approvals.decideInSession",
  "sessions.create",
  "sessions.end",
  "sessions.endOther",
  "recovery.review",
  "recovery.confirm",
  "canaries.resumeSending",
  "pairings.delete",
  "pairings.pair",
  "authority.delete",
  // They need a person's device, and a service that takes passkeys.
  ...["passkeys.options", "passkeys.create", "passkeys.delete", "sessions.passkeyOptions"],
  ...["authority.update", "approvals.decideOptions"],
];

describe("the owner's own session", () => {
  test.each(inSession.filter((name) => !PROVED_ELSEWHERE.includes(name)))(
    "%s succeeds with the matrix's input",
    async (name) => {
      const { own, account } = await newWorld();
      const { account_id, owner_id } = account;
      const email = (await own.letterslot.services.storage.get("owners", owner_id))?.email ?? "";
      const caller = await own.letterslot.callerFor({ email, session_id: null, ip: null }, name, {
        account_id,
      });
      const answer = await own.letterslot.call(caller, name, createInputs(account, own)[name]);
      const bytes = operationNamed(name).answers === "bytes";
      expect(answer).toMatchObject(
        bytes ? { bytes: expect.any(Uint8Array) } : { object: expect.any(String) },
      );
    },
  );

  test.each(inSession)("%s is refused without one", async (name) => {
    const { status, code } = await call(name, inputs(ada)[name], undefined);
    expect({ status, code }).toEqual({ status: 401, code: "session_required" });
  });
});

describe("the account's own key", () => {
  test.each(names.filter((name) => !inSession.includes(name) && !PROVED_ELSEWHERE.includes(name)))(
    "%s succeeds with the matrix's input",
    async (name) => {
      const reads = (routes[name] as Route).method === "GET";
      const { own, account } = reads ? { own: served, account: ada } : await newWorld();
      const key =
        operationNamed(name).scope === "public" && name !== "keys.create" ? undefined : account.api_key;
      const { status, text } = await call(name, createInputs(account, own)[name], key, own);
      expect([200, 201, 202], text).toContain(status);
    },
  );
});
