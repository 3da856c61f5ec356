import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { APP_PERMISSIONS, type Permission } from "../../packages/core/src/catalogue/permissions.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { AnyRecord } from "../../packages/core/src/model/belonging.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { INBOX_OWNER_PERMISSIONS } from "../../packages/core/src/owners/sessions/rules.ts";
import { letInApp } from "../../packages/core/testing/index.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { createTextExtraction } from "../../packages/text-extraction/src/index.ts";
import { type Furnished, furnish, furnishWorkspace, listSecrets } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { signInOverWire } from "../support/sign-in-over-wire.ts";
import { codeFor, recordIn, recordsOf, takesInbox } from "../support/tenant-matrix.ts";
import { callOverWire } from "../support/wire-call.ts";

type Headers = Record<string, string>;
type Answer = { name: OperationName; status: number; code: string | undefined };

/** A credential's rights at home. */
interface Standing {
  kind: "key" | "app" | "owner";
  /** Null: all. */
  permissions: readonly Permission[] | null;
  /** Held to inboxes of its own account. */
  held?: true;
}

const KEY: Standing = { kind: "key", permissions: null };
const APP: Standing = { kind: "app", permissions: APP_PERMISSIONS };
const HELD_APP: Standing = {
  kind: "app",
  permissions: INBOX_OWNER_PERMISSIONS.filter((permission) => APP_PERMISSIONS.includes(permission)),
  held: true,
};
const ACCOUNT_OWNER: Standing = { kind: "owner", permissions: null };
const INBOX_OWNER: Standing = { kind: "owner", permissions: INBOX_OWNER_PERMISSIONS, held: true };

const names = Object.keys(routes) as OperationName[];
const inAccount = names.filter((name) => operationNamed(name).scope !== "public");
/** Operations for signed-in people only. */
const inSession = names.filter((name) => {
  const { callers } = operationNamed(name);
  return callers?.includes("owner") === true && !callers.includes("public") && !callers.includes("key");
});
/** Every operation that a credential opens: the others are open to all, or open with the token of a letter. */
const closed = [...inAccount, ...inSession];
/** It would end the very session that is tried. */
const ENDS_THE_CALLER: OperationName[] = ["sessions.end"];
/** Operations that need a permission because the named key is another one. */
const OF_ANOTHER_KEY: Partial<Record<OperationName, { permission: Permission; of: Standing["kind"][] }>> = {
  "keys.get": { permission: "key_read", of: ["key", "app", "owner"] },
  "keys.update": { permission: "key_write", of: ["key", "app", "owner"] },
  // A person may revoke the keys of their inbox.
  "keys.delete": { permission: "key_write", of: ["key", "app"] },
};
/** Operations on a whole account, only for callers without limits. */
const OF_ALL: OperationName[] = ["account.delete", "exports.create", "exports.get", "exports.download"];
/** The account owner of ada's, whose address her workspace's letters of approval may show. */
const CHIEF = "chief@family.example.com";

const extraction = createTextExtraction();

let served: Served;
let ada: Furnished;
let kid: Furnished;
let eve: Furnished;
const sessions = new Map<string, Headers>();

beforeAll(async () => {
  served = await serve({ config: { textExtraction: extraction } });
  ada = await furnish(served, "ada");
  await giveAuthority(ada, CHIEF);
  kid = await furnishWorkspace(served, ada, "kid", CHIEF);
  eve = await furnish(served, "eve");
  await giveAuthority(eve, eve.owner);
  const guardian = "eve-guardian@family.example.com";
  await giveAuthority(eve, guardian, eve.inbox_id);
  for (const [name, email] of Object.entries({ eve: eve.owner, guardian }))
    sessions.set(name, await signInOverWire(served, email));
});
// Calls are limited by the minute.
beforeEach(() => served.clock.advance(60_000));
afterAll(async () => {
  await served.close();
  await extraction.close();
});

const giveAuthority = ({ account_id }: Furnished, email: string, inbox_id?: string) =>
  served.letterslot.operator.accounts.authority.give({ account_id, email, inbox_id });
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const within = (workspace_id: string): Headers => ({ "x-letterslot-workspace": workspace_id });
const session = (name: string): Headers => sessions.get(name) ?? {};

/** An app's token, for the whole account or one of its inboxes, with all that an app may hold. */
async function appOf(account: Furnished, inbox_id?: string) {
  const { clock, letterslot } = served;
  const scope = APP_PERMISSIONS.filter(
    (permission) => inbox_id === undefined || INBOX_OWNER_PERMISSIONS.includes(permission),
  );
  const email = account === ada ? CHIEF : account.owner;
  const app = { email, scope, ...(inbox_id === undefined ? {} : { inbox_id }) };
  return letInApp({ clock, letterslot }, account, app);
}

/** The matrix's inputs, with ids where the others have none that would be found. */
async function inputsOf(account: Furnished): Promise<Record<OperationName, Record<string, unknown>>> {
  const { storage } = served.letterslot.services;
  const [authority] = await storage.find("authorities", {
    where: { account_id: account.account_id },
    limit: 1,
  });
  const [ofOwner] = await storage.find("sessions", { where: { email: account.owner }, limit: 1 });
  return {
    ...createInputs(account, served),
    "authority.delete": { authority_id: authority?.id ?? "aut_x" },
    "sessions.endOther": { session_id: ofOwner?.id ?? "ses_x" },
  };
}

/** Tries every operation with an account's ids. */
async function tryAll(
  account: Furnished,
  headers: Headers,
  which: readonly OperationName[],
): Promise<(Answer & { text: string })[]> {
  const inputs = await inputsOf(account);
  const answers = [];
  for (const name of which) {
    const { status, code, text } = await callOverWire(served, name, inputs[name], headers);
    answers.push({ name, status, code, text });
  }
  return answers;
}

type Refusal = Omit<Answer, "name">;

/** Returns the refusal that a credential gets everywhere: it is of the wrong kind, or lacks the permission. */
function denial(name: OperationName, { kind, permissions, held }: Standing): Refusal | undefined {
  const { callers, scope, allow } = operationNamed(name);
  if (callers !== undefined && !callers.includes(kind))
    return { status: 403, code: kind === "owner" ? "key_only" : "owner_only" };
  const ofKey = OF_ANOTHER_KEY[name];
  const asked = ofKey?.of.includes(kind) === true ? [ofKey.permission] : [];
  const any = allow === "any" ? asked : allow;
  const lacks = permissions !== null && any.length > 0 && !any.some((one) => permissions.includes(one));
  const accountWide = scope === "account" || (kind !== "owner" && name.startsWith("grants."));
  const limited = permissions !== null && OF_ALL.includes(name);
  const ofAccountOwners = kind === "owner" && held === true && name.startsWith("me.");
  const denied =
    (scope !== "public" && lacks) || (held === true && accountWide) || limited || ofAccountOwners;
  return denied ? { status: 403, code: "permission_denied" } : undefined;
}

/**
 * Returns the answer to a credential without any standing in an account, in the order of the gate; undefined if it
 * names nothing and is answered about its own account.
 */
function refusal(name: OperationName, standing: Standing): Refusal | undefined {
  const { kind, held } = standing;
  const denied = denial(name, standing);
  if (denied !== undefined && denied.code !== "permission_denied") return denied;
  if (kind === "owner" && (routes[name] as Route).path.includes(":inbox_id")) return NO_INBOX;
  if (held && nameInbox.has(name)) return NO_INBOX;
  if (denied !== undefined) return denied;
  if (nameInbox.has(name)) return NO_INBOX;
  const field = recordIn(name) ?? (name === "questions.answerInSession" ? "update_id" : undefined);
  return field === undefined ? undefined : { status: 404, code: codeFor(name, field) };
}

/** The operations whose input in the matrix names an inbox. */
const nameInbox = new Set<OperationName>();
beforeAll(async () => {
  for (const [name, input] of Object.entries(await inputsOf(ada)))
    if ("inbox_id" in input && takesInbox(name as OperationName)) nameInbox.add(name as OperationName);
});

/** Tries a stranger's credential on all of an account: nothing is shown, and nothing has changed. */
async function expectShut(
  account: Furnished,
  headers: Headers,
  standing: Standing,
  which: readonly OperationName[] = closed,
): Promise<void> {
  const before = await stored(account);
  // An operation that names nothing of the account and reads nothing can't reach it.
  const tried = which.filter(
    (name) =>
      !ENDS_THE_CALLER.includes(name) &&
      (refusal(name, standing) !== undefined || (routes[name] as Route).method === "GET"),
  );
  const answers = await tryAll(account, headers, tried);
  for (const { name, text, ...given } of answers) {
    const expected = refusal(name, standing) ?? { status: 200, code: undefined };
    expect({ name, ...given }).toEqual({ name, ...expected });
    // A workspace may know the id of its parent account.
    const hidden = listSecrets(account).filter((it) => name !== "me.get" || it !== account.account_id);
    expect({ name, shown: hidden.filter((secret) => text.includes(secret)) }).toEqual({ name, shown: [] });
  }
  expect(await stored(account)).toEqual(before);
}

const stored = ({ account_id }: Furnished): Promise<Record<string, AnyRecord[]>> =>
  recordsOf(served.letterslot.services.storage, account_id);

/** Operations that speak for the agent, which a person's session never does; `me` is about a key. */
const FOR_AGENTS = [
  "messages.send",
  "messages.sendSms",
  "messages.call",
  "messages.reply",
  "messages.replyAll",
  "messages.forward",
  "messages.inject",
  "drafts.send",
  "updates.create",
  "updates.notify",
  "tasks.claim",
  "tasks.heartbeat",
  "tasks.complete",
  "tasks.fail",
  "tasks.reply",
  "threads.assign",
  "threads.unassign",
];

const NO_INBOX: Refusal = { status: 404, code: "inbox_not_found" };
/** The request passes the gate and fails at its unknown field. */
const ADMITTED: Refusal = { status: 400, code: "unknown_parameter" };

/** The credentials that reach into eve's account, and their rights there. */
const OF_EVE: [string, () => Promise<Headers>, Standing][] = [
  ["an app's token", async () => bearer((await appOf(eve)).access_token), APP],
  [
    "the token of an app held to an inbox",
    async () => bearer((await appOf(eve, eve.inbox_id)).access_token),
    HELD_APP,
  ],
  ["an account owner's session", async () => session("eve"), ACCOUNT_OWNER],
  ["an inbox owner's session", async () => session("guardian"), INBOX_OWNER],
];

describe("at home", () => {
  test.each(OF_EVE)(
    "%s may do what its kind and its permissions say, and nothing else",
    async (_, credential, standing) => {
      const headers = await credential();
      const inputs = await inputsOf(eve);
      for (const name of inAccount) {
        const { status, code } = await callOverWire(
          served,
          name,
          { ...inputs[name], nonsense: "1" },
          headers,
        );
        // The inbox in the trash is another one.
        const beyond = name === "inboxes.restore" && standing.held === true ? NO_INBOX : ADMITTED;
        expect({ name, status, code }).toEqual({ name, ...(denial(name, standing) ?? beyond) });
      }
    },
  );

  test("a person's session is closed to what speaks for the agent alone", () => {
    const shut = inAccount.filter((name) => operationNamed(name).callers?.includes("owner") === false);
    expect(shut.toSorted()).toEqual(FOR_AGENTS.toSorted());
  });

  test("no key and no app does an owner's own acts", () => {
    for (const name of inSession) {
      const { callers } = operationNamed(name);
      expect([name, callers?.includes("key"), callers?.includes("app")]).toEqual([name, false, false]);
    }
  });
});

describe("another account's credential", () => {
  test.each<[string, () => Promise<Headers>, Standing]>([
    ...OF_EVE,
    [
      "a key that acts within its own workspace",
      async () => ({ ...bearer(eve.api_key), ...within(eve.workspace_id) }),
      KEY,
    ],
    [
      "an account owner's session that acts within its own workspace",
      async () => ({ ...session("eve"), ...within(eve.workspace_id) }),
      ACCOUNT_OWNER,
    ],
  ])("%s finds nothing", async (_, credential, standing) => {
    await expectShut(ada, await credential(), standing);
  });
});

describe("between a workspace and its account", () => {
  /** The account that a workspace belongs to may look at it, and delete it. */
  const ofTheWorkspaceItself = closed.filter((name) => !name.startsWith("workspaces."));

  test.each<[string, () => Promise<Headers>, Standing]>([
    ["the workspace's key", async () => bearer(kid.api_key), KEY],
    ["the token of an app in the workspace", async () => bearer((await letInWorkspace()).access_token), APP],
  ])("%s finds nothing of the account", async (_, credential, standing) => {
    await expectShut(ada, await credential(), standing);
  });

  test.each<[string, () => Promise<Headers>, Standing]>([
    ["the account's key", async () => bearer(ada.api_key), KEY],
    ["the token of an app in the account", async () => bearer((await appOf(ada)).access_token), APP],
  ])("%s finds nothing of the workspace without naming it", async (_, credential, standing) => {
    await expectShut(kid, await credential(), standing, ofTheWorkspaceItself);
  });

  test.each<[string, () => Promise<Headers>, number, string]>([
    ["another account's key", async () => bearer(eve.api_key), 404, "workspace_not_found"],
    ["the workspace's own key", async () => bearer(kid.api_key), 404, "workspace_not_found"],
    ["a key held to an inbox", async () => bearer(ada.scoped_key), 403, "permission_denied"],
    ["an app in the account", async () => bearer((await appOf(ada)).access_token), 403, "permission_denied"],
    ["another account's owner", async () => session("eve"), 404, "workspace_not_found"],
    ["an inbox owner", async () => session("guardian"), 404, "workspace_not_found"],
  ])("X-Letterslot-Workspace is closed to %s", async (_, credential, status, code) => {
    const headers = { ...(await credential()), ...within(kid.workspace_id) };
    const forPeople = "cookie" in headers;
    const which = inAccount.filter(
      (name) => !forPeople || operationNamed(name).callers?.includes("owner") !== false,
    );
    const answers = await tryAll(kid, headers, which);
    expect(answers.map(({ text: _text, ...answer }) => answer)).toEqual(
      which.map((name) => ({ name, status, code })),
    );
  });

  const letInWorkspace = () =>
    letInApp(served, { account_id: kid.account_id }, { email: CHIEF, scope: APP_PERMISSIONS });
});

describe("a credential that has ended opens no operation", () => {
  const DAY_MS = 24 * 3600_000;

  test.each<[string, () => Promise<Headers>, string]>([
    [
      "a token whose app was shut out",
      async () => {
        const { grant, access_token } = await appOf(eve);
        await eve.as.grants.delete({ client_id: grant.id });
        return bearer(access_token);
      },
      "invalid_api_key",
    ],
    [
      "a token an hour later",
      async () => {
        const { access_token } = await appOf(eve);
        await served.clock.advance(3600_000);
        return bearer(access_token);
      },
      "invalid_api_key",
    ],
    [
      "a token for /mcp",
      async () => {
        const app = { email: eve.owner, scope: APP_PERMISSIONS, resource: "/mcp" } as const;
        return bearer((await letInApp(served, eve, app)).access_token);
      },
      "invalid_api_key",
    ],
    [
      "a token whose giver lost their authority",
      async () => {
        const email = "eve-leaver@family.example.com";
        const { id } = await giveAuthority(eve, email);
        const { access_token } = await letInApp(served, eve, { email, scope: APP_PERMISSIONS });
        await served.letterslot.operator.accounts.authority.end(id);
        return bearer(access_token);
      },
      "invalid_api_key",
    ],
    [
      "the key of a workspace that was deleted",
      async () => {
        const { id, api_key = "" } = await eve.as.workspaces.create({ name: "Gone", inbox_quota: 1 });
        await eve.as.workspaces.delete({ workspace_id: id });
        return bearer(api_key);
      },
      "api_key_revoked",
    ],
    [
      "the token of an app in a workspace that was deleted",
      async () => {
        const { id, account_id } = await eve.as.workspaces.create({ name: "Gone", inbox_quota: 1 });
        const app = { email: eve.owner, scope: APP_PERMISSIONS };
        const { access_token } = await letInApp(served, { account_id }, app);
        await eve.as.workspaces.delete({ workspace_id: id });
        return bearer(access_token);
      },
      "invalid_api_key",
    ],
    [
      "a session that was signed out",
      async () => {
        const headers = await signInOverWire(served, eve.owner);
        await callOverWire(served, "sessions.end", {}, headers);
        return headers;
      },
      "session_required",
    ],
    [
      "a session that nobody has",
      async () => ({ ...session("eve"), cookie: `ls_session=${"0".repeat(40)}` }),
      "session_required",
    ],
    [
      "a session that wasn't used for 30 days",
      async () => {
        const headers = await signInOverWire(served, eve.owner);
        await served.clock.advance(30 * DAY_MS + 1);
        return headers;
      },
      "session_required",
    ],
  ])("%s", async (_, credential, code) => {
    const headers = await credential();
    const answers = await tryAll(eve, headers, closed);
    expect(answers.map(({ text: _text, ...answer }) => answer)).toEqual(
      closed.map((name) => ({ name, status: 401, code })),
    );
  });

  test("the session of a person whose authority was taken opens nothing of the account", async () => {
    const account = await furnish(served, "una");
    const { id } = await giveAuthority(account, account.owner);
    await giveAuthority(account, CHIEF);
    const headers = await signInOverWire(served, account.owner);
    expect((await callOverWire(served, "inboxes.list", {}, headers)).status).toBe(200);
    await served.letterslot.operator.accounts.authority.end(id);
    const answers = await tryAll(account, headers, inAccount);
    const codes = new Set(answers.map(({ status, code }) => `${status} ${code}`));
    expect([...codes].sort()).toEqual(["403 key_only", "404 account_not_found", "404 inbox_not_found"]);
  });
});
