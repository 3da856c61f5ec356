import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, letInApp, type TestAccount, type TestService } from "../../../testing/index.ts";
import type { Permission } from "../../catalogue/permissions.ts";

const grace = "grace@example.com";
const heidi = "heidi@example.org";
const day = 24 * 3600_000;

let service: TestService;
let account: TestAccount;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
  await giveAuthority(grace);
});

const giveAuthority = (email: string, inbox_id?: string) =>
  service.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email, inbox_id });

const letIn = (app: { scope?: Permission[]; inbox_id?: string; client_id?: string; email?: string } = {}) =>
  letInApp(service, account, { email: grace, scope: ["inbox_read", "message_read", "grant_read"], ...app });

/** The operations of an app's token. */
const asApp = async (access_token: string) =>
  service.letterslot.as(await service.letterslot.authenticate(access_token, null));

const asOwner = (email: string) => service.letterslot.asOwner({ email, account_id: account.account_id });

const failsWith = (code: string) => expect.objectContaining({ code });

describe("an app that was let in", () => {
  test("calls as its grant says, and is shown as such", async () => {
    const { access_token } = await letIn();
    const app = await asApp(access_token);
    expect(await app.me.get({})).toMatchObject({
      account_id: account.account_id,
      auth_type: "oauth",
      key: null,
      access: { permissions: ["inbox_read", "message_read", "grant_read"], inbox_ids: null },
    });
    expect((await app.inboxes.list({})).data).toHaveLength(1);
    await expect(app.messages.send({ inbox_id: account.inbox.id, to: ["a@example.org"] })).rejects.toThrow(
      failsWith("permission_denied"),
    );
  });

  test("reaches the inbox that it was let into, and no other", async () => {
    const other = await account.as.inboxes.create({ username: "other-one" });
    const { access_token } = await letIn({ inbox_id: account.inbox.id });
    const app = await asApp(access_token);
    expect((await app.inboxes.list({})).data.map(({ id }) => id)).toEqual([account.inbox.id]);
    await expect(app.inboxes.get({ inbox_id: other.id })).rejects.toThrow(failsWith("inbox_not_found"));
  });

  test("has a token for one part of the service, which another part refuses", async () => {
    const scope: Permission[] = ["inbox_read"];
    const { access_token } = await letInApp(service, account, { email: grace, scope, resource: "/mcp" });
    await expect(service.letterslot.authenticate(access_token, null)).rejects.toThrow(
      failsWith("invalid_api_key"),
    );
    expect(await service.letterslot.authenticate(access_token, null, "/mcp")).toMatchObject({ type: "app" });
  });

  test.each([
    ["an hour later", () => service.clock.advance(3600_000)],
    ["once its grant is revoked", async () => account.as.grants.delete({ client_id: "cli_test" })],
    [
      "once its giver's authority has ended",
      async () => {
        const [authority] = await service.letterslot.operator.accounts.authority.list(account.account_id);
        await service.letterslot.operator.accounts.authority.end(authority?.id ?? "");
      },
    ],
    [
      "once its inbox is deleted",
      async () => account.as.inboxes.delete({ inbox_id: account.inbox.id, permanent: true }),
    ],
  ])("is refused %s", async (_name, happens) => {
    const { access_token } = await letIn({ inbox_id: account.inbox.id });
    expect(await service.letterslot.authenticate(access_token, null)).toMatchObject({ type: "app" });
    await happens();
    await expect(service.letterslot.authenticate(access_token, null)).rejects.toThrow(
      failsWith("invalid_api_key"),
    );
  });

  test("stays when its giver keeps an authority that it rests on", async () => {
    const { id } = await giveAuthority(grace, account.inbox.id);
    const { access_token } = await letIn({ inbox_id: account.inbox.id });
    await service.letterslot.operator.accounts.authority.end(id);
    expect(await service.letterslot.authenticate(access_token, null)).toMatchObject({ type: "app" });
  });
});

describe("letting an app in", () => {
  test.each<[string, Parameters<typeof letIn>[0], string]>([
    ["what no app holds", { scope: ["inbox_read", "key_write"] }, "permission_escalation"],
    ["nothing at all", { scope: [] }, "permission_escalation"],
    ["where the person has no authority", { email: "nobody@example.net" }, "account_not_found"],
    ["into an inbox that isn't there", { inbox_id: "inb_nowhere" }, "inbox_not_found"],
  ])("with %s fails", async (_name, app, code) => {
    await expect(letIn(app)).rejects.toThrow(failsWith(code));
  });

  test.each<[string, Permission[], boolean, string | undefined]>([
    ["the inbox, with what it may do there", ["message_read"], true, undefined],
    ["the inbox, with what belongs to the account", ["webhook_read"], true, "permission_escalation"],
    ["the whole account", ["message_read"], false, "permission_escalation"],
  ])("whoever has authority over an inbox gives %s", async (_name, scope, one_inbox, code) => {
    await giveAuthority(heidi, account.inbox.id);
    const app = { email: heidi, scope, ...(one_inbox ? { inbox_id: account.inbox.id } : {}) };
    if (code === undefined) expect((await letIn(app)).grant.scope).toEqual(scope);
    else await expect(letIn(app)).rejects.toThrow(failsWith(code));
  });
});

describe("the list of apps", () => {
  test("has one row for each app, the last refreshed first, with its grants summed up", async () => {
    const first = await letIn({ client_id: "cli_a", scope: ["message_read"] });
    await service.clock.advance(1_000);
    await letIn({ client_id: "cli_b" });
    await service.clock.advance(1_000);
    const second = await letIn({ client_id: "cli_a", scope: ["inbox_read"], inbox_id: account.inbox.id });
    const { data } = await account.as.grants.list({});
    expect(data.map(({ client_id }) => client_id)).toEqual(["cli_a", "cli_b"]);
    expect(data[0]).toEqual({
      object: "oauth_grant",
      id: second.grant.id,
      client_id: "cli_a",
      client_name: "Test app",
      redirect_hosts: ["app.example"],
      scope: "inbox_read message_read",
      resource: "http://localhost:8025/api/v1",
      inbox_id: null,
      connected_at: first.grant.connected_at,
      last_refreshed_at: second.grant.last_refreshed_at,
      active_tokens: 2,
      grants: [
        expect.objectContaining({ id: second.grant.id, inbox_id: account.inbox.id, scope: "inbox_read" }),
        expect.objectContaining({ id: first.grant.id, inbox_id: null, scope: "message_read" }),
      ],
    });
    expect(await account.as.grants.get({ client_id: first.grant.id })).toEqual(data[0]);
  });

  test("leaves out apps whose tokens have ended", async () => {
    await letIn();
    await service.clock.advance(3600_000);
    expect((await account.as.grants.list({})).data).toEqual([]);
    await expect(account.as.grants.get({ client_id: "cli_test" })).rejects.toThrow(
      failsWith("grant_not_found"),
    );
  });

  test("is closed to callers that are held to one inbox", async () => {
    await letIn({ client_id: "cli_a" });
    const { access_token } = await letIn({ inbox_id: account.inbox.id });
    const { api_key } = await account.as.keys.createForInbox({ inbox_id: account.inbox.id });
    for (const credential of [access_token, api_key]) {
      const held = service.letterslot.as(await service.letterslot.authenticate(credential, null));
      const denied = failsWith("permission_denied");
      await expect(held.grants.list({})).rejects.toThrow(denied);
      await expect(held.grants.get({ client_id: "cli_a" })).rejects.toThrow(denied);
      await expect(held.grants.delete({ client_id: "cli_a" })).rejects.toThrow(denied);
    }
  });

  test("shows a person the apps of their inboxes, which they can end", async () => {
    await giveAuthority(heidi, account.inbox.id);
    await letIn({ client_id: "cli_whole" });
    await letIn({ client_id: "cli_inbox", inbox_id: account.inbox.id });
    const seen = await asOwner(heidi).grants.list({});
    expect(seen.data.map(({ client_id }) => client_id)).toEqual(["cli_inbox"]);
    await expect(asOwner(heidi).grants.delete({ client_id: "cli_whole" })).rejects.toThrow(
      failsWith("grant_not_found"),
    );
    expect(await asOwner(heidi).grants.delete({ client_id: "cli_inbox" })).toEqual({
      id: "cli_inbox",
      object: "oauth_grant",
      deleted: true,
      tokens_revoked: 1,
    });
  });

  test("ends one grant by its id, and all of an app by its client id", async () => {
    const first = await letIn();
    const second = await letIn();
    const third = await letIn();
    expect(await account.as.grants.delete({ client_id: first.grant.id })).toMatchObject({
      tokens_revoked: 1,
    });
    expect(await service.letterslot.authenticate(second.access_token, null)).toBeDefined();
    expect(await account.as.grants.delete({ client_id: "cli_test" })).toMatchObject({ tokens_revoked: 2 });
    await expect(service.letterslot.authenticate(third.access_token, null)).rejects.toThrow(
      failsWith("invalid_api_key"),
    );
  });
});

describe("the sweep", () => {
  test("deletes what has ended, and apps that registered without being let in within a day", async () => {
    const { storage } = service.letterslot.services;
    const clientOf = (id: string) => {
      const created_at = service.clock.now().toISOString();
      const expires_at = new Date(service.clock.now().getTime() + day).toISOString();
      return { id, metadata: {}, created_at, expires_at };
    };
    await storage.insert("oauth_clients", clientOf("cli_unused"));
    await storage.insert("oauth_clients", clientOf("cli_used"));
    const { grant } = await letIn({ client_id: "cli_used" });
    await storage.update(
      "oauth_grants",
      { id: grant.id },
      { expires_at: new Date(service.clock.now().getTime() + 2 * day).toISOString() },
    );
    await service.clock.advance(day);
    await service.letterslot.sweep();
    expect(await storage.get("oauth_clients", "cli_unused")).toBeUndefined();
    expect(await storage.get("oauth_clients", "cli_used")).toBeDefined();
    expect(await storage.get("oauth_grants", grant.id)).toBeDefined();
    expect(await storage.find("oauth_records", { where: { grant_id: grant.id }, limit: 1 })).toEqual([]);
    await service.clock.advance(day);
    await service.letterslot.sweep();
    expect(await storage.get("oauth_grants", grant.id)).toBeUndefined();
    await service.clock.advance(day);
    await service.letterslot.sweep();
    expect(await storage.get("oauth_clients", "cli_used")).toBeUndefined();
  });
});
