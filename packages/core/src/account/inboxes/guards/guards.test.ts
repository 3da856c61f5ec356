import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../../testing/index.ts";
import type { Permission } from "../../../catalogue/permissions.ts";

const grace = "grace@example.com";
const approve = { untrusted: "approve", content: "approve", new_recipients: "approve" };
const guarded = { untrusted: "approve", content: "approve", new_recipients: "observe" };
const observe = { untrusted: "observe", content: "observe", new_recipients: "observe" };
const code = (expected: string) => expect.objectContaining({ code: expected });

let service: TestService;
let account: TestAccount;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
});

const here = () => ({ inbox_id: account.inbox.id });
const withOwner = () => service.addOwner(account, grace);
const asGrace = () =>
  service.letterslot.as({
    ...{ type: "owner", email: grace, account_owner: true, session_id: null },
    ...{ account_id: account.account_id, permissions: null, inbox_ids: null, ip: null },
  });

async function withKey(permissions: Permission[]) {
  const made = await account.as.keys.create({ permissions });
  if (!("api_key" in made)) throw new Error("there is no key");
  return service.letterslot.as(await service.letterslot.authenticate(made.api_key, null));
}

describe("a new inbox", () => {
  test("is direct and observes, unless it is asked to be guarded", async () => {
    expect(account.inbox).toMatchObject({ send_mode: "direct", effective_outbound: observe });
    const made = await account.as.inboxes.create({ send_mode: "guarded", outbound: { content: "block" } });
    expect(made).toMatchObject({
      send_mode: "guarded",
      outbound: { untrusted: null, content: "block", new_recipients: null },
      effective_send_mode: "guarded",
      effective_outbound: { ...guarded, content: "block" },
    });
    await expect(account.as.inboxes.create({ send_mode: "approval" })).rejects.toEqual(
      code("owner_required"),
    );
    await expect(account.as.inboxes.create({ outbound: { content: "never" as "off" } })).rejects.toEqual(
      code("invalid_outbound"),
    );
  });

  test("starts as the settings of the service say, at each door", async () => {
    service = createTestService({ defaultSendMode: "guarded" });
    account = await service.signUp();
    expect(account.inbox.send_mode).toBe("guarded");
    const direct = await service.letterslot.onboard({ username: "other", send_mode: "direct" });
    expect(direct.inbox.send_mode).toBe("direct");
    await expect(service.letterslot.onboard({ username: "third", send_mode: "approval" })).rejects.toEqual(
      code("owner_required"),
    );
  });

  test("starts with the strictest mode of the account, in a batch and a workspace too", async () => {
    await account.as.inboxes.create({ send_mode: "guarded" });
    expect(await account.as.inboxes.create({ send_mode: "direct" })).toMatchObject({ send_mode: "guarded" });
    const { data } = await account.as.inboxes.createBatch({ count: 2 });
    expect(data.map(({ effective_outbound }) => effective_outbound)).toEqual([guarded, guarded]);
    const { api_key } = await account.as.workspaces.create({ name: "Two", inbox_quota: 5 });
    const inside = service.letterslot.as(await service.letterslot.authenticate(api_key ?? "", null));
    expect(await inside.inboxes.create({})).toMatchObject({ send_mode: "guarded" });
  });
});

describe("an existing inbox", () => {
  test("asks people only where there are some", async () => {
    for (const change of [
      { send_mode: "guarded" as const },
      { send_mode: "approval" as const },
      { outbound: { new_recipients: "approve" as const } },
    ])
      await expect(account.as.inboxes.update({ ...here(), ...change })).rejects.toEqual(
        code("owner_required"),
      );
    await withOwner();
    expect(await account.as.inboxes.update({ ...here(), send_mode: "approval" })).toMatchObject({
      effective_outbound: approve,
    });
  });

  test("is made tighter by a key that may change it, and looser by one that manages owners", async () => {
    const made = await account.as.inboxes.create({ send_mode: "guarded" });
    const inbox_id = made.id;
    const changer = await withKey(["inbox_update"]);
    for (const change of [
      { send_mode: "direct" as const },
      { outbound: { untrusted: "observe" as const } },
      { outbound: { content: "block" as const } },
      { screening: "off" as const },
    ])
      await expect(changer.inboxes.update({ inbox_id, ...change })).rejects.toEqual(
        code("permission_denied"),
      );
    const manager = await withKey(["inbox_update", "owner_manage"]);
    expect(await manager.inboxes.update({ inbox_id, outbound: { content: "block" } })).toMatchObject({
      effective_outbound: { ...guarded, content: "block" },
    });
    expect(await manager.inboxes.update({ inbox_id, send_mode: "direct" })).toMatchObject({
      effective_outbound: { ...observe, content: "block" },
    });
  });

  test("is made looser by a person alone, once there is one", async () => {
    await withOwner();
    await account.as.inboxes.update({ ...here(), send_mode: "guarded" });
    await expect(
      account.as.inboxes.update({ ...here(), send_mode: "direct", display_name: "Ada" }),
    ).rejects.toEqual(code("invalid_request"));
    const asked = await account.as.inboxes.update({ ...here(), outbound: { untrusted: "off" } });
    expect(asked).toMatchObject({ object: "approval", subject_type: "outbound_change", status: "pending" });
    expect(await account.as.inboxes.get(here())).toMatchObject({ effective_outbound: guarded });
    if (asked.object !== "approval") throw new Error("nobody was asked");
    const { id: approval_id, digest } = asked;
    await asGrace().approvals.decideInSession({ approval_id, digest, decision: "approve" });
    expect(await account.as.inboxes.get(here())).toMatchObject({
      outbound: { untrusted: "off", content: null, new_recipients: null },
      effective_outbound: { ...guarded, untrusted: "off" },
    });
    expect(await asGrace().inboxes.update({ ...here(), send_mode: "direct" })).toMatchObject({
      object: "inbox",
      send_mode: "direct",
    });
    const kinds = (await account.as.events.list({})).data.map(({ type }) => type);
    expect(kinds.filter((type) => type === "inbox.security_changed")).toHaveLength(2);
  });

  test("is deleted and owned as in approval mode where it may ask somebody", async () => {
    const made = await account.as.inboxes.create({ send_mode: "guarded" });
    const friend = "friend@example.com";
    expect(await account.as.owners.create({ inbox_id: made.id, email: friend })).toMatchObject({
      object: "owner",
    });
    await withOwner();
    expect(await account.as.owners.create({ inbox_id: made.id, email: "third@example.com" })).toMatchObject({
      subject_type: "owner_add",
    });
    expect(await account.as.inboxes.delete({ inbox_id: made.id })).toMatchObject({
      subject_type: "inbox_delete",
    });
  });
});

describe("the account's floor", () => {
  test("is raised where people can be asked, and holds for all inboxes and workspaces", async () => {
    const floor = () => account.as.me.update({ send_mode_floor: "guarded" });
    await expect(floor()).rejects.toEqual(code("owner_required"));
    await withOwner();
    const { api_key } = await account.as.workspaces.create({ name: "Two", inbox_quota: 5 });
    const inside = service.letterslot.as(await service.letterslot.authenticate(api_key ?? "", null));
    const inbox_id = (await inside.inboxes.create({})).id;
    await expect((await withKey(["inbox_update"])).me.update({ send_mode_floor: "guarded" })).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(inside.me.update({ send_mode_floor: "guarded" })).rejects.toEqual(code("permission_denied"));
    expect(await floor()).toMatchObject({ send_mode_floor: "guarded" });
    for (const [as, id] of [
      [account.as, account.inbox.id],
      [inside, inbox_id],
    ] as const)
      expect(await as.inboxes.get({ inbox_id: id })).toMatchObject({
        send_mode: "direct",
        effective_send_mode: "guarded",
        effective_outbound: guarded,
      });
    expect(await inside.me.get({})).toMatchObject({ send_mode_floor: "guarded" });
  });

  test("is lowered in an account owner's own session alone", async () => {
    await withOwner();
    await asGrace().authority.create({ account_id: account.account_id });
    await account.as.me.update({ send_mode_floor: "approval" });
    await expect(account.as.me.update({ send_mode_floor: "direct" })).rejects.toEqual(
      code("permission_denied"),
    );
    expect(await asGrace().me.update({ send_mode_floor: "direct" })).toMatchObject({
      auth_type: "owner",
      key: null,
      send_mode_floor: "direct",
    });
    expect(await account.as.inboxes.get(here())).toMatchObject({ effective_outbound: observe });
  });
});

describe("a mode for all inboxes", () => {
  test("is set with that of one, by an account owner in their session alone", async () => {
    await withOwner();
    const other = await account.as.inboxes.create({});
    const all = { ...here(), send_mode: "guarded" as const, for_all: true };
    await expect(account.as.inboxes.update(all)).rejects.toThrow(code("permission_denied"));
    expect(await account.as.inboxes.get(here())).toMatchObject({ send_mode: "direct" });
    await expect(asGrace().inboxes.update({ ...here(), for_all: true, status: "active" })).rejects.toThrow(
      code("invalid_request"),
    );
    expect(await asGrace().inboxes.update(all)).toMatchObject({ effective_send_mode: "guarded" });
    expect(await account.as.inboxes.get({ inbox_id: other.id })).toMatchObject({
      ...{ send_mode: "direct", effective_send_mode: "guarded", release_by: "authority" },
    });
    expect(await account.as.me.get({})).toMatchObject({ send_mode_floor: "guarded" });
    await asGrace().inboxes.update({ ...here(), send_mode: "approval" });
    expect(await account.as.me.get({})).toMatchObject({ send_mode_floor: "guarded" });
  });
});
