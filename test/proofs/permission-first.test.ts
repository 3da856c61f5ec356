import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { PERMISSION_NAMES, type Permission } from "../../packages/core/src/catalogue/permissions.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { createWireRequest } from "../support/wire-call.ts";

type Fields = Record<string, unknown>;

const names = Object.keys(routes) as OperationName[];
/** The operations that require a permission of a key, for any input. */
const asking = names.filter((name) => {
  const { allow, scope, in_account, callers } = operationNamed(name);
  const open = callers?.includes("key") ?? true;
  return allow !== "any" && open && (scope !== "public" || in_account === true);
});
const writes = (name: OperationName): boolean => ["POST", "PATCH"].includes((routes[name] as Route).method);

/** Calls that ask for one of these permissions beyond what their operation does, because of their input. */
const ASKING_BY_INPUT: [OperationName, string, (account: Furnished) => Fields, Permission[]][] = [
  ["keys.get", "an unknown key", () => ({ key_id: "key_unknown" }), ["key_read"]],
  [
    "keys.update",
    "an unknown key and a name of the wrong kind",
    () => ({ key_id: "key_unknown", name: 5 }),
    ["key_write"],
  ],
  ["keys.delete", "an unknown key", () => ({ key_id: "key_unknown" }), ["key_write"]],
  [
    "threads.assign",
    "force, and nobody",
    ({ inbox_id }) => ({ inbox_id, thread_id: "thr_unknown", assignee: 5, force: true }),
    ["thread_update"],
  ],
  [
    "expectations.create",
    "a task when it expires, of an unknown kind",
    ({ inbox_id }) => ({ inbox_id, kind: 5, on_expiry: "task" }),
    ["task_write"],
  ],
  ["me.update", "an unknown style", () => ({ owner_email_style: "nonsense" }), ["owner_manage"]],
  [
    "me.update",
    "a note of the wrong kind",
    () => ({ owner_email_style_note: 5, nonsense: 1 }),
    ["owner_manage"],
  ],
  ["inboxes.create", "no screening", () => ({ username: 5, screening: "off" }), ["owner_manage"]],
  [
    "inboxes.create",
    "no authentication of senders",
    () => ({ require_sender_auth: false, nonsense: 1 }),
    ["owner_manage"],
  ],
  [
    "inboxes.update",
    "no screening",
    ({ other_inbox_id }) => ({ inbox_id: other_inbox_id, screening: "off", display_name: 5 }),
    ["owner_manage"],
  ],
  [
    "inboxes.update",
    "tasks from texts",
    ({ other_inbox_id }) => ({ inbox_id: other_inbox_id, sms_tasks: true, display_name: 5 }),
    ["owner_manage"],
  ],
  [
    "drafts.create",
    "a time that is none",
    ({ inbox_id }) => ({ inbox_id, send_at: "some day", nonsense: 1 }),
    ["message_send", "draft_send"],
  ],
  [
    "drafts.update",
    "a time that is none, and an unknown draft",
    ({ inbox_id }) => ({ inbox_id, draft_id: "dft_unknown", send_at: "some day" }),
    ["message_send", "draft_send"],
  ],
  [
    "messages.delete",
    "permanent, and an unknown message",
    ({ inbox_id }) => ({ inbox_id, message_id: "msg_unknown", permanent: true }),
    ["message_delete"],
  ],
  [
    "drafts.delete",
    "permanent, and an unknown draft",
    ({ inbox_id }) => ({ inbox_id, draft_id: "dft_unknown", permanent: true }),
    ["message_delete"],
  ],
  [
    "threads.move",
    "the trash, and too many threads",
    ({ inbox_id }) => ({ inbox_id, thread_ids: [], folder: "trash" }),
    ["message_delete"],
  ],
];

let served: Served;
let ada: Furnished;
beforeAll(async () => {
  served = await serve();
  ada = await furnish(served, "ada");
});
afterAll(() => served.close());

const allowOf = (name: OperationName): readonly Permission[] => {
  const { allow } = operationNamed(name);
  return allow === "any" ? [] : allow;
};

async function withKey<T>(
  terms: { permissions: Permission[]; inbox_id?: string },
  run: (api_key: string) => Promise<T>,
): Promise<T> {
  const { id, api_key } = await ada.as.keys.create(terms);
  const answer = await run(api_key);
  await ada.as.keys.delete({ key_id: id });
  return answer;
}

const allBut = (lacking: readonly Permission[]): Permission[] =>
  PERMISSION_NAMES.filter((permission) => !lacking.includes(permission));

async function send(
  name: OperationName,
  fields: Fields,
  api_key: string,
  change: RequestInit & { query?: string },
) {
  const { url, init } = createWireRequest(name, fields);
  const { query = "", ...rest } = change;
  const response = await fetch(`${served.base_url}${url}${query}`, {
    ...init,
    ...rest,
    headers: { authorization: `Bearer ${api_key}`, ...rest.headers },
  });
  const { error } = (await response.json()) as { error?: { code: string; param?: string } };
  return { status: response.status, code: error?.code, param: error?.param };
}

/** Requests that are wrong in every way that one can be, but for the inbox in the path. */
function wrongRequests(
  name: OperationName,
  fields: Fields,
): [string, Fields, RequestInit & { query?: string }][] {
  const { path }: Route = routes[name];
  const inPath = [...path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field);
  const records = Object.fromEntries(
    inPath.filter((field) => field !== "inbox_id").map((field) => [field, "nothing"]),
  );
  const odd = Object.fromEntries(
    Object.keys(operationNamed(name).input.shape)
      .filter((field) => field !== "inbox_id" && !inPath.includes(field))
      .map((field) => [field, writes(name) ? { odd: [true] } : "{odd"]),
  );
  const inbox = fields["inbox_id"] === undefined ? {} : { inbox_id: fields["inbox_id"] };
  const body = (text: string, type = "application/json"): RequestInit => ({
    body: text,
    headers: { "content-type": type },
  });
  return [
    ["a record that doesn't exist", { ...fields, ...records }, {}],
    ["a field that nobody knows", { ...fields, nonsense: "1" }, {}],
    ["fields of the wrong kind", { ...inbox, ...records, ...odd }, {}],
    ["no field but the path's", { ...inbox, ...records }, {}],
    ...(writes(name)
      ? ([
          ["a body that is no JSON", fields, body("{")],
          ["a body that is no object", fields, body("[1]")],
          ["a form", fields, body("a=b", "application/x-www-form-urlencoded")],
          ["a field in the wrong place", fields, { query: "?nonsense=1" }],
        ] as [string, Fields, RequestInit][])
      : []),
  ];
}

describe("permission comes before validation and record", () => {
  test.each(asking)("in %s", async (name) => {
    const allow = allowOf(name);
    await withKey({ permissions: allBut(allow) }, async (api_key) => {
      const fields = createInputs(ada, served)[name];
      for (const [how, wrong, change] of wrongRequests(name, fields)) {
        // The gate can't find a record that only a broken body names.
        const readable = !("body" in change) || name !== "updates.create";
        if (!readable) continue;
        expect(await send(name, wrong, api_key, change), how).toEqual({
          status: 403,
          code: "permission_denied",
          param: allow[0],
        });
      }
    });
  });

  test.each(ASKING_BY_INPUT)("in %s with %s", async (name, _, fieldsOf, permissions) => {
    await withKey({ permissions: allBut(permissions).concat("draft_write") }, async (api_key) => {
      expect(await send(name, fieldsOf(ada), api_key, {})).toEqual({
        status: 403,
        code: "permission_denied",
        param: permissions[0],
      });
    });
  });

  test("every operation that asks because of its input is in the table", () => {
    // A check that takes only the caller doesn't depend on the input.
    const those = names.filter((name) => (operationNamed(name).authorize?.length ?? 0) > 1);
    expect([...new Set(ASKING_BY_INPUT.map(([name]) => name))].toSorted()).toEqual(those.toSorted());
  });

  test("a key may read, rename and revoke itself without any of them", async () => {
    const { id, api_key } = await ada.as.keys.create({ permissions: ["metrics_read"] });
    expect(await send("keys.update", { key_id: id, name: 5 }, api_key, {})).toMatchObject({ status: 400 });
    expect(await send("keys.get", { key_id: id }, api_key, {})).toMatchObject({ status: 200 });
    expect(await send("keys.delete", { key_id: id }, api_key, {})).toMatchObject({ status: 200 });
  });
});

describe("the inbox of a scoped key comes before permission", () => {
  const takingInbox = asking.filter((name) => "inbox_id" in operationNamed(name).input.shape);
  test.each(takingInbox)("in %s", async (name) => {
    const terms = { permissions: allBut(allowOf(name)), inbox_id: ada.other_inbox_id };
    await withKey(terms, async (api_key) => {
      const fields = { ...createInputs(ada, served)[name], inbox_id: ada.inbox_id };
      expect(await send(name, fields, api_key, {})).toEqual({
        status: 404,
        code: "inbox_not_found",
        param: undefined,
      });
    });
  });

  test("a scoped key that mints for another inbox gets inbox_not_found, with key_write or without", async () => {
    for (const permissions of [["key_read"], ["key_read", "key_write"]] as Permission[][]) {
      const [byBody, byPath] = await withKey(
        { permissions, inbox_id: ada.other_inbox_id },
        async (api_key) => [
          await send("keys.create", { inbox_id: ada.inbox_id, permissions: ["nonsense"] }, api_key, {}),
          await send(
            "keys.createForInbox",
            { inbox_id: ada.inbox_id, permissions: ["nonsense"] },
            api_key,
            {},
          ),
        ],
      );
      expect([byBody, byPath]).toMatchObject([
        { status: 404, code: "inbox_not_found" },
        { status: 404, code: "inbox_not_found" },
      ]);
    }
  });
});

describe("param of permission_denied names a permission that would do", () => {
  const UNRELATED: Permission = "sms_send";
  const MOST_NEEDED = 3;

  test.each([...new Set([...asking, ...ASKING_BY_INPUT.map(([name]) => name)])])("in %s", async (name) => {
    const fields = {
      ...(ASKING_BY_INPUT.find(([other]) => other === name)?.[2](ada) ?? createInputs(ada, served)[name]),
      nonsense: "1",
    };
    const held: Permission[] = [UNRELATED];
    for (let round = 0; round <= MOST_NEEDED; round += 1) {
      const { code, param } = await withKey({ permissions: held }, (api_key) =>
        send(name, fields, api_key, {}),
      );
      if (code !== "permission_denied") return;
      expect(PERMISSION_NAMES).toContain(param);
      expect(held).not.toContain(param);
      held.push(param as Permission);
    }
    expect.unreachable(`${name} asks for ever more: ${held.join(", ")}`);
  });

  test("and nothing where none would do", async () => {
    const denied = { status: 403, code: "permission_denied", param: undefined };
    const accountWide = asking.filter(
      (name) => operationNamed(name).scope === "account" || name.startsWith("grants."),
    );
    for (const name of accountWide)
      expect(await send(name, createInputs(ada, served)[name], ada.scoped_key, {}), name).toEqual(denied);
    const style = { owner_email_style: "casual" };
    expect(await send("me.update", style, ada.scoped_key, {})).toEqual(denied);
    await withKey({ permissions: ["key_write"] }, async (api_key) => {
      expect(await send("keys.delete", { key_id: ada.key_id }, api_key, {})).toEqual(denied);
    });
  });
});
