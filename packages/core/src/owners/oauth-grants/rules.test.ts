import { describe, expect, test } from "vitest";
import { APP_DEFAULT_PERMISSIONS, type Permission } from "../../catalogue/permissions.ts";
import { askedPermissions, type LiveGrant, permissionsOf, rowsOf } from "./rules.ts";

const DEFAULTS = APP_DEFAULT_PERMISSIONS.toSorted();

describe("the scope that an app asks for", () => {
  test.each([
    ["message_read task_read", ["message_read", "task_read"]],
    ["message_read message_read", ["message_read"]],
    ["message_read no_such_word", ["message_read"]],
    ["message_read account_manage key_manage", ["message_read"]],
    ["key_manage", DEFAULTS],
    ["openid profile", DEFAULTS],
    ["", DEFAULTS],
    [undefined, DEFAULTS],
  ])("%s", (scope, permissions) => expect(askedPermissions(scope).toSorted()).toEqual(permissions));
});

describe("what a token of a grant allows", () => {
  test.each<[string, Permission[], string | undefined, Permission[]]>([
    [
      "all that it was asked for with",
      ["message_read", "task_read"],
      "message_read task_read",
      ["message_read", "task_read"],
    ],
    ["the part that it was asked for with", ["message_read", "task_read"], "task_read", ["task_read"]],
    ["no more than its grant", ["message_read"], "message_read message_send", ["message_read"]],
    ["nothing without a scope", ["message_read"], undefined, []],
  ])("is %s", (_, scope, asked, permissions) =>
    expect(permissionsOf({ scope }, asked).toSorted()).toEqual(permissions),
  );
});

describe("an app's row", () => {
  const granted = (id: string, more: Partial<LiveGrant> = {}): LiveGrant => ({
    id,
    account_id: "acct_1",
    inbox_id: null,
    client_id: "app",
    client_name: "App",
    redirect_hosts: ["app.example"],
    scope: ["message_read"],
    resource: "https://mail.example/api/v1",
    given_by: "ada@example.com",
    connected_at: "2026-01-01T00:00:00.000Z",
    last_refreshed_at: "2026-01-01T00:00:00.000Z",
    expires_at: "2026-02-01T00:00:00.000Z",
    active_tokens: 1,
    ...more,
  });

  test("sums its grants up, and is named by the newest", () => {
    const older = granted("grant_1", {
      client_name: "Old name",
      redirect_hosts: ["app.example", "old.example"],
      scope: ["task_read"],
      last_refreshed_at: "2026-01-09T00:00:00.000Z",
      active_tokens: 2,
    });
    const newer = granted("grant_2", { connected_at: "2026-01-05T00:00:00.000Z" });
    const [row, ...others] = rowsOf([older, newer]);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: "grant_2",
      client_name: "App",
      redirect_hosts: ["app.example", "old.example"],
      connected_at: "2026-01-01T00:00:00.000Z",
      last_refreshed_at: "2026-01-09T00:00:00.000Z",
      active_tokens: 3,
      grants: [{ id: "grant_2" }, { id: "grant_1" }],
    });
    expect(row?.scope.split(" ").toSorted()).toEqual(["message_read", "task_read"]);
    expect(rowsOf([newer, older])).toEqual([row]);
  });

  test.each([
    ["the one inbox of all its grants", ["inb_1", "inb_1"], "inb_1"],
    ["null when its grants differ", ["inb_1", "inb_2"], null],
    ["null when one has the whole account", ["inb_1", null], null],
  ])("has %s", (_, [first = null, second = null], inbox_id) => {
    const grants = [granted("grant_1", { inbox_id: first }), granted("grant_2", { inbox_id: second })];
    expect(rowsOf(grants)[0]?.inbox_id).toBe(inbox_id);
  });

  test("comes before those of apps that got a token earlier", () => {
    const early = granted("grant_1", { client_id: "early" });
    const late = granted("grant_2", { client_id: "late", last_refreshed_at: "2026-01-02T00:00:00.000Z" });
    const order = (...grants: LiveGrant[]) => rowsOf(grants).map(({ client_id }) => client_id);
    expect(order(early, late)).toEqual(["late", "early"]);
    expect(order(late, early)).toEqual(["late", "early"]);
  });
});
