import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasBrowser } from "../../packages/cli/src/profile/browser.ts";
import { runPiped, startPiped } from "../../packages/cli/test/run-cli.ts";
import { startInTerminal } from "../../packages/cli/test/run-terminal.ts";
import { createOAuth } from "../../packages/oauth/src/index.ts";
import { type OAuthWorld, startOAuthWorld } from "../../packages/server/testing/oauth-world.ts";

const GRACE = "grace@example.com";

let world: OAuthWorld;
let account: Awaited<ReturnType<OAuthWorld["signUp"]>>;
let home: string;
let env: Record<string, string>;
beforeAll(async () => {
  world = await startOAuthWorld();
  account = await world.signUp("ada");
  await world.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email: GRACE });
});
afterAll(() => world?.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "letterslot-login-"));
  env = { HOME: home, LETTERSLOT_URL: world.base_url, BROWSER: "true" };
  return () => rmSync(home, { recursive: true, force: true });
});

/** Goes where the login sends the browser and lets it in; answers where the browser is sent back to. */
async function letIn(url: string, inbox_id: string | null = null): Promise<string> {
  const begun = await fetch(url, { redirect: "manual" });
  const cookie = begun.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const page = () => new Request(begun.headers.get("location") ?? "", { headers: { cookie } });
  const oauth = createOAuth(world.letterslot);
  const { permissions } = await oauth.describe(page());
  const person = { email: GRACE, session_id: null, ip: null };
  const choice = { account_id: account.account_id, inbox_id, permissions };
  const resumed = await oauth.allow(page(), person, choice);
  const back = await fetch(resumed.headers.get("location") ?? "", {
    headers: { cookie },
    redirect: "manual",
  });
  return back.headers.get("location") ?? "";
}

/** The address that a text tells a person to open. */
const addressIn = (text: string): string | undefined =>
  /http:\S+\/oauth\/authorize\?\S+(?=\s)/.exec(text)?.[0];

async function untilAsked(stream: NodeJS.EventEmitter): Promise<string> {
  let said = "";
  return new Promise((resolve) => {
    stream.on("data", (part: string) => {
      said += part;
      const address = addressIn(said);
      if (address !== undefined) resolve(address);
    });
  });
}

/** Logs in by the browser of this machine. */
async function login(inbox_id: string | null = null, ...more: string[]) {
  const running = startPiped(["login", ...more], { env });
  const back = await letIn(await untilAsked(running.err), inbox_id);
  expect(new URL(back).hostname).toBe("127.0.0.1");
  const strange = new URL(back);
  strange.searchParams.set("state", "another");
  expect((await fetch(strange)).status).toBe(404);
  expect(await (await fetch(back)).text()).toContain("You are logged in");
  return running.ended;
}

const configFile = () => join(home, ".config/letterslot/config.json");
interface Kept {
  profiles: Record<string, { oauth: { access_token: string; refresh_token: string; expires_at: number } }>;
}
const kept = () => JSON.parse(readFileSync(configFile(), "utf8")) as Kept;

/** Makes the access token one that is about to end. */
function age(): void {
  const config = kept();
  for (const { oauth } of Object.values(config.profiles)) oauth.expires_at = 0;
  writeFileSync(configFile(), JSON.stringify(config));
}

describe("a login in the browser", () => {
  test("comes back to this machine, and lets commands in without showing a token", async () => {
    const ended = await login();
    expect([ended.code, ended.err]).toEqual([0, expect.not.stringContaining("ls_oat")]);
    expect(ended.json()).toMatchObject([
      { object: "login", profile: "default", account_id: account.account_id },
    ]);
    expect(ended.out).not.toContain("ls_oat");
    const me = await runPiped(["whoami"], { env });
    expect(me.json(), me.err).toMatchObject([{ auth_type: "oauth", account_id: account.account_id }]);
    expect((await runPiped(["inboxes", "list"], { env })).json()).toMatchObject([{ username: "ada" }]);
  });

  test("to one inbox makes that the one that commands are about", async () => {
    await login(account.inbox.id, "--scope", "inbox_read message_read");
    const list = await runPiped(["messages", "list"], { env });
    expect([list.code, list.err]).toEqual([0, ""]);
    const refused = await runPiped(["messages", "send", "--to", GRACE, "--text", "x"], { env });
    expect(refused.code).toBe(4);
  });

  test.each([
    ["keys", "list"],
    ["owners", "list"],
    ["workspaces", "list"],
  ])("%s needs a key", async (group, verb) => {
    await login();
    const ended = await runPiped([group, verb], { env });
    expect([ended.code, ended.err]).toEqual([4, expect.stringContaining("API key")]);
  });

  test("is renewed by one of many commands at once, and goes on", async () => {
    await login();
    const first = kept().profiles["default"]?.oauth;
    age();
    const all = await Promise.all(Array.from({ length: 8 }, () => runPiped(["whoami"], { env })));
    expect(all.map(({ code }) => code)).toEqual(all.map(() => 0));
    const second = kept().profiles["default"]?.oauth;
    expect(second?.refresh_token).not.toBe(first?.refresh_token);
    age();
    expect(await runPiped(["whoami"], { env })).toMatchObject({ code: 0 });
  });

  test("ends with logout, at the server too", async () => {
    await login();
    const { access_token = "" } = kept().profiles["default"]?.oauth ?? {};
    expect((await runPiped(["logout"], { env })).json()).toMatchObject([{ revoked: true }]);
    const { status } = await fetch(`${world.base_url}/api/v1/me`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(status).toBe(401);
    const after = await runPiped(["whoami"], { env });
    expect([after.code, after.err]).toEqual([4, expect.stringContaining("letterslot login")]);
  });

  test("that was ended elsewhere says to log in again", async () => {
    await login();
    const me = account.as;
    for (const { client_id } of (await me.grants.list({})).data) await me.grants.delete({ client_id });
    age();
    const ended = await runPiped(["whoami"], { env });
    expect([ended.code, ended.err]).toEqual([4, expect.stringContaining("letterslot login")]);
  });

  test("that the person refuses ends with 4", async () => {
    const running = startPiped(["login"], { env });
    const url = new URL(await untilAsked(running.err));
    const back = new URL(url.searchParams.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({
      error: "access_denied",
      state: url.searchParams.get("state") ?? "",
      iss: world.base_url,
    }).toString();
    await fetch(back);
    expect(await running.ended).toMatchObject({ code: 4, err: expect.stringContaining("did not allow") });
  });

  test("answered by another server gets nothing", async () => {
    const running = startPiped(["login"], { env });
    const back = new URL(await letIn(await untilAsked(running.err)));
    back.searchParams.set("iss", "https://evil.example");
    await fetch(back);
    expect(await running.ended).toMatchObject({ code: 4 });
  });

  test("is given up with Ctrl-C", async () => {
    const running = startPiped(["login"], { env });
    await untilAsked(running.err);
    running.interrupt();
    expect(await running.ended).toMatchObject({ code: 130 });
  });
});

test("without a browser the code is copied from the page that shows it", async () => {
  const running = startInTerminal(["login", "--no-browser"], { env, cwd: home });
  await running.shows("The code that it shows");
  const back = new URL(await letIn(addressIn(running.shown()) ?? ""));
  expect(back.pathname).toBe("/oauth/code");
  expect(await (await fetch(back)).text()).toContain(back.searchParams.get("code") ?? "no code");
  running.type(`${back.searchParams.get("code") ?? ""}\r`);
  expect(await running.ended, running.shown()).toBe(0);
  expect((await runPiped(["whoami"], { env })).json()).toMatchObject([{ auth_type: "oauth" }]);
});

test("where nobody can be asked for a code, a key is the way", async () => {
  const ended = await runPiped(["login", "--no-browser"], { env });
  expect([ended.code, ended.err]).toEqual([2, expect.stringContaining("LETTERSLOT_API_KEY")]);
});

test("a server that is called otherwise is not logged in to", async () => {
  const other = world.base_url.replace("localhost", "127.0.0.1");
  const ended = await runPiped(["login", "--url", other], { env });
  expect([ended.code, ended.err]).toEqual([4, expect.stringContaining(world.base_url)]);
});

test.each([
  ["with a display", { DISPLAY: ":0" }, "linux", true],
  ["on a Mac", {}, "darwin", true],
  ["on a server", {}, "linux", false],
  ["over ssh", { DISPLAY: ":0", SSH_CONNECTION: "1 2 3 4" }, "linux", false],
  ["over ssh to a Mac", { SSH_TTY: "/dev/pts/0" }, "darwin", false],
  ["with BROWSER", { BROWSER: "lynx", SSH_TTY: "/dev/pts/0" }, "linux", true],
] as const)("%s a browser is there or not", (_, environment, platform, there) => {
  expect(hasBrowser(environment, platform)).toBe(there);
});
