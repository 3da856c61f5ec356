import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount } from "../../testing/index.ts";
import { PERMISSION_NAMES, type Permission, READ_PERMISSIONS } from "../catalogue/permissions.ts";
import type { BoundOperations } from "../letterslot.ts";
import type { CallOptions } from "./gate.ts";

const FRIEND = "bo@example.org";
const KEYED: CallOptions = { idempotencyKey: "again" };

interface Scene {
  account: TestAccount;
  inbox_id: string;
  message_id: string;
  task_id: string;
}

type Creation = (
  as: BoundOperations,
  scene: Scene,
  how: { client_id?: string },
  options?: CallOptions,
) => Promise<object>;

const words = { to: [FRIEND], subject: "A secret", text: "The words of the mail." };

/** Calls with a client_id or an Idempotency-Key, and the kind of record that their replay shows. */
const creations: [string, keyof typeof READ_PERMISSIONS, Permission, Creation][] = [
  [
    "a send",
    "message",
    "message_send",
    (as, { inbox_id }, how, options) => as.messages.send({ inbox_id, ...words, ...how }, options),
  ],
  [
    "a reply",
    "message",
    "message_send",
    (as, { inbox_id, message_id }, how, options) =>
      as.messages.reply({ inbox_id, message_id, text: "Yes.", ...how }, options),
  ],
  [
    "a reply to all",
    "message",
    "message_send",
    (as, { inbox_id, message_id }, how, options) =>
      as.messages.replyAll({ inbox_id, message_id, text: "Yes.", ...how }, options),
  ],
  [
    "a forward",
    "message",
    "message_send",
    (as, { inbox_id, message_id }, how, options) =>
      as.messages.forward({ inbox_id, message_id, to: [FRIEND], ...how }, options),
  ],
  [
    "a scheduled send",
    "draft",
    "message_send",
    (as, { inbox_id }, how, options) =>
      as.messages.send({ inbox_id, ...words, send_at: "2026-12-01T00:00:00.000Z", ...how }, options),
  ],
  [
    "a draft",
    "draft",
    "draft_write",
    (as, { inbox_id }, how, options) => as.drafts.create({ inbox_id, ...words, ...how }, options),
  ],
  [
    "an update",
    "update",
    "update_send",
    (as, { inbox_id }, how, options) =>
      as.updates.create({ inbox_id, kind: "progress", text: "Going on.", ...how }, options),
  ],
  [
    "an injected mail",
    "message",
    "message_inject",
    (as, { inbox_id }, how, options) =>
      as.messages.inject({ inbox_id, from: FRIEND, text: "Hello.", ...how }, options),
  ],
  [
    "an inbox",
    "inbox",
    "inbox_create",
    (as, _scene, how, options) => as.inboxes.create({ metadata: { secret: "yes" }, ...how }, options),
  ],
];

const stub = (id: string, kind: string) => ({ object: "replayed", id, kind, idempotent: true });

async function open(): Promise<{
  scene: Scene;
  keyOf(permissions: readonly Permission[]): Promise<BoundOperations>;
}> {
  const service = createTestService();
  const account = await service.signUp();
  const inbox_id = account.inbox.id;
  await service.addOwner(account, "owner@family.example");
  const message = await account.as.messages.inject({ inbox_id, from: FRIEND, subject: "Hi", text: "Hello." });
  await service.receive({ from: "owner@family.example", to: account.inbox.email, text: "Do it." });
  const task_id = (await account.as.tasks.list({})).data[0]?.id ?? "";
  return {
    scene: { account, inbox_id, message_id: message.id, task_id },
    async keyOf(permissions) {
      const { api_key } = await account.as.keys.create({ permissions: [...permissions] });
      return service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    },
  };
}

describe("a replay is shown to those who may GET the thing", () => {
  describe.each(creations)("%s", (_, object, permission, create) => {
    const unable = PERMISSION_NAMES.filter(
      (name) => !(READ_PERMISSIONS[object] as readonly Permission[]).includes(name),
    );

    test.each([
      ["client_id", { client_id: "mine" }, undefined],
      ["Idempotency-Key", {}, KEYED],
    ] as const)("by %s without the permission is an id and nothing else", async (_how, how, options) => {
      const { scene, keyOf } = await open();
      const first = (await create(scene.account.as, scene, how, options)) as { id: string };
      expect(first).toMatchObject({ object, idempotent: false });
      for (const permissions of [[permission], unable])
        expect(await create(await keyOf(permissions), scene, how, options)).toEqual(stub(first.id, object));
    });

    test("with the permission is all of it", async () => {
      const { scene, keyOf } = await open();
      const first = await create(scene.account.as, scene, { client_id: "mine" });
      for (const read of READ_PERMISSIONS[object]) {
        const reader = await keyOf([permission, read]);
        expect(await create(reader, scene, { client_id: "mine" })).toEqual({ ...first, idempotent: true });
      }
    });
  });

  const entries: [
    string,
    string,
    Permission,
    Permission,
    (as: BoundOperations, inbox_id: string) => Promise<object>,
  ][] = [
    [
      "an entry of a list",
      "list_entry",
      "list_write",
      "list_read",
      (as, inbox_id) =>
        as.lists.createForInbox({
          inbox_id,
          direction: "send",
          type: "block",
          entry: FRIEND,
          reason: "A secret",
        }),
    ],
    [
      "an allowlisted sender",
      "allowlist_entry",
      "owner_manage",
      "owner_read",
      (as, inbox_id) => as.allowlist.create({ inbox_id, address: FRIEND }),
    ],
    [
      "a suppression",
      "suppression",
      "suppression_write",
      "suppression_read",
      (as) => as.suppressions.create({ address: FRIEND }),
    ],
  ];
  test.each(entries)(
    "%s that is there already is shown by the same rule",
    async (_, object, write, read, add) => {
      const { scene, keyOf } = await open();
      const { account, inbox_id } = scene;
      const first = (await add(account.as, inbox_id)) as { id: string };
      expect(first).toMatchObject({ object, idempotent: false });
      expect(await add(await keyOf([write]), inbox_id)).toEqual(stub(first.id, object));
      expect(await add(await keyOf([write, read]), inbox_id)).toEqual({ ...first, idempotent: true });
    },
  );

  test("a task's reply shows the task and the mail each by its own permission", async () => {
    const { scene, keyOf } = await open();
    const { task_id } = scene;
    const reply = { task_id, text: "Done.", client_id: "mine" };
    const first = await scene.account.as.tasks.reply(reply);
    const task = stub(task_id, "task");
    const message = stub(first.message.id, "message");
    const by = async (...permissions: Permission[]) =>
      (await keyOf(["message_send", ...permissions])).tasks.reply(reply);
    expect(await by()).toEqual({ task, message, idempotent: true });
    expect(await by("task_read")).toMatchObject({ task: { id: task_id, status: "pending" }, message });
    expect(await by("message_read")).toMatchObject({
      task,
      message: { id: first.message.id, text: "Done." },
    });
  });

  test("of several processes that make it at once, too", async () => {
    const { scene, keyOf } = await open();
    const { inbox_id } = scene;
    const sender = await keyOf(["message_send"]);
    const sent = await Promise.all(
      [1, 2, 3].map(() => sender.messages.send({ inbox_id, ...words, client_id: "raced" })),
    );
    expect(sent.filter(({ idempotent }) => idempotent).map((each) => Object.keys(each).toSorted())).toEqual([
      ["id", "idempotent", "kind", "object"],
      ["id", "idempotent", "kind", "object"],
    ]);
  });
});

test("a key of another inbox gets no replay of what it can't see", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  const other = await as.inboxes.create({ username: "other" });
  const keys = await Promise.all(
    [inbox.id, other.id].map((inbox_id) => as.keys.createForInbox({ inbox_id, name: "scoped" })),
  );
  const [here, there] = await Promise.all(
    keys.map(async ({ api_key }) =>
      service.letterslot.as(await service.letterslot.authenticate(api_key, null)),
    ),
  );
  const hook = { url: "https://receiver.example/hook" };
  expect(await here?.webhooks.create(hook, KEYED)).toMatchObject({ inbox_ids: [inbox.id] });
  await expect(there?.webhooks.create(hook, KEYED)).rejects.toMatchObject({
    code: "idempotency_key_conflict",
  });
});
