import { createClient, whole } from "@letterslot/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Furnished, furnish } from "../../../../test/support/furnished-account.ts";
import { createInputs } from "../../../../test/support/operation-inputs.ts";
import { signInOverWire } from "../../../../test/support/sign-in-over-wire.ts";
import { callOverWire } from "../../../../test/support/wire-call.ts";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let ada: Furnished;
let eve: Furnished;

beforeAll(async () => {
  served = await serve();
  ada = await furnish(served, "ada");
  eve = await furnish(served, "eve");
});
afterAll(() => served.close());

const clientOf = (api_key: string | undefined, workspace_id?: string) =>
  createClient({
    baseUrl: served.base_url,
    ...(api_key === undefined ? {} : { apiKey: api_key }),
    ...(workspace_id === undefined ? {} : { workspaceId: workspace_id }),
  });
const failing = (code: string, status: number) => expect.objectContaining({ code, status });

test("the client makes a workspace, fills it to its quota and deletes it", async () => {
  const opened = await served.client().accounts.onboard({ username: "parent" });
  const parent = clientOf(opened.api_key);
  const { id: workspace_id, api_key } = whole(
    await parent.workspaces.create({ name: "Acme", inbox_quota: 1 }),
  );
  const own = clientOf(api_key);
  await own.inboxes.create({});
  await expect(own.inboxes.create({})).rejects.toThrow(failing("plan_limit_exceeded", 402));
  expect((await parent.workspaces.list()).data.map(({ id }) => id)).toContain(workspace_id);
  expect((await parent.workspaces.inboxes({ workspace_id })).data).toHaveLength(1);
  expect(await parent.workspaces.update({ workspace_id, inbox_quota: 2 })).toMatchObject({ inboxes_used: 1 });
  await expect(parent.workspaces.delete({ workspace_id })).rejects.toThrow(
    failing("workspace_not_empty", 409),
  );
  expect(await parent.workspaces.delete({ workspace_id, delete_inboxes: true })).toMatchObject({
    inboxes_deleted: 1,
  });
  await expect(own.me.get()).rejects.toThrow(failing("api_key_revoked", 401));
  await expect(parent.workspaces.get({ workspace_id })).rejects.toThrow(failing("workspace_not_found", 404));
});

test("X-Letterslot-Workspace acts within a workspace, for a client or for a call", async () => {
  const within = clientOf(ada.api_key, ada.workspace_id);
  expect(await within.me.get()).toMatchObject({ account_id: ada.workspace_account_id });
  const { data } = await clientOf(ada.api_key).inboxes.list({}, { workspaceId: ada.workspace_id });
  expect(data.map(({ id }) => id)).toEqual([ada.workspace_inbox_id]);
  expect((await within.inboxes.get({ inbox_id: ada.workspace_inbox_id })).id).toBe(ada.workspace_inbox_id);
});

test("X-Letterslot-Workspace beside a session's cookie acts within it, as an account owner of the account", async () => {
  const chief = "chief@family.example.com";
  const { authority } = served.letterslot.operator.accounts;
  await authority.give({ account_id: ada.account_id, email: chief });
  const within = { ...(await signInOverWire(served, chief)), "x-letterslot-workspace": ada.workspace_id };
  const made = await callOverWire(served, "inboxes.create", { username: "ada-made-within" }, within);
  expect(made.status).toBe(200);
  const listed = await callOverWire(served, "inboxes.list", {}, within);
  const { data = [] } = (listed.json ?? {}) as { data?: { id: string }[] };
  const ids = new Set(data.map(({ id }) => id));
  expect(ids).toEqual(new Set([ada.workspace_inbox_id, made.json?.["id"]]));
  const own = { ...within, "x-letterslot-account": ada.account_id };
  expect((await callOverWire(served, "inboxes.list", {}, own)).status).toBe(200);
  const other = { ...within, "x-letterslot-account": eve.account_id };
  expect(await callOverWire(served, "inboxes.list", {}, other)).toMatchObject({
    status: 404,
    code: "workspace_not_found",
  });
  const elsewhere = { ...within, origin: "https://evil.example" };
  expect(await callOverWire(served, "inboxes.create", {}, elsewhere)).toMatchObject({
    status: 403,
    code: "cross_site_request",
  });
});

test.each([
  ["another account's key", () => eve.api_key, "workspace_not_found", 404],
  ["the workspace's own key", () => ada.workspace_key, "workspace_not_found", 404],
  ["a key that is limited to an inbox", () => ada.scoped_key, "permission_denied", 403],
  ["nobody", () => undefined, "invalid_api_key", 401],
])("%s acts in no workspace", async (_, key, code, status) => {
  const client = clientOf(key(), ada.workspace_id);
  await expect(client.me.get()).rejects.toThrow(failing(code, status));
  await expect(client.keys.create({})).rejects.toThrow(failing(code, status));
});

test("a workspace and its account find nothing of each other by id", async () => {
  const inputs = createInputs(ada, served);
  const parent = clientOf(ada.api_key);
  const child = clientOf(ada.workspace_key);
  const foreign = failing("inbox_not_found", 404);
  for (const [stranger, inbox_id] of [
    [child, ada.inbox_id],
    [parent, ada.workspace_inbox_id],
  ] as const) {
    const named = { ...inputs["messages.send"], inbox_id, to: [ada.friend], text: "Hello" };
    await expect(stranger.inboxes.get({ inbox_id })).rejects.toThrow(foreign);
    await expect(stranger.inboxes.update({ inbox_id, display_name: "Mine" })).rejects.toThrow(foreign);
    await expect(stranger.inboxes.delete({ inbox_id })).rejects.toThrow(foreign);
    await expect(stranger.messages.list({ inbox_id })).rejects.toThrow(foreign);
    await expect(stranger.messages.send(named)).rejects.toThrow(foreign);
    await expect(stranger.keys.createForInbox({ inbox_id })).rejects.toThrow(foreign);
    await expect(stranger.keys.create({ inbox_id })).rejects.toThrow(foreign);
  }
  for (const [call, code] of [
    [() => child.workspaces.get({ workspace_id: ada.workspace_id }), "workspace_not_found"],
    [() => child.keys.get({ key_id: ada.key_id }), "key_not_found"],
    [() => child.webhooks.get({ webhook_id: ada.webhook_id }), "webhook_not_found"],
    [() => child.tasks.get({ task_id: ada.task_id }), "task_not_found"],
    [() => child.approvals.get({ approval_id: ada.approval_id }), "approval_not_found"],
  ] as const)
    await expect(call()).rejects.toThrow(failing(code, 404));
  expect(JSON.stringify(await child.events.list({}))).not.toContain(ada.inbox_id);
});
