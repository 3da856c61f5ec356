import { letInApp } from "@letterslot/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const METADATA = "/.well-known/oauth-protected-resource";
const PATHS = [
  ["GET", "/.well-known/oauth-authorization-server"],
  ["OPTIONS", "/.well-known/oauth-authorization-server"],
  ["GET", `${METADATA}/api/v1`],
  ["GET", `${METADATA}/mcp`],
  ["POST", "/oauth/register"],
  ["OPTIONS", "/oauth/register"],
  ["GET", "/oauth/authorize?client_id=cli_x"],
  ["GET", "/oauth/authorize/some-id"],
  ["POST", "/oauth/token"],
  ["POST", "/oauth/revoke"],
  ["GET", "/oauth/consent/some-id"],
  ["POST", "/oauth/consent/some-id"],
  ["GET", "/oauth/code?code=abc"],
] as const;

let without: Served;
let beside: Served;

beforeAll(async () => {
  without = await serve({ oauth: undefined });
  beside = await serve();
});
afterAll(() => Promise.all([without.close(), beside.close()]));

const ask = (served: Served, method: string, path: string, token?: string) =>
  fetch(`${served.base_url}${path}`, {
    method,
    redirect: "manual",
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

describe("without the authorization server", () => {
  test.each(PATHS)("%s %s is not there", async (method, path) => {
    const answer = await ask(without, method, path);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { type: "not_found", code: "route_not_found" } },
    ]);
    expect(await (await ask(beside, method, path)).text()).not.toContain("route_not_found");
  });

  test("the document describes none of it", async () => {
    const described = async (served: Served) => {
      const { paths } = (await (await ask(served, "GET", "/openapi.json")).json()) as { paths: object };
      return Object.keys(paths).filter((path) => /^\/(oauth|\.well-known\/(?!approval-keys))/.test(path));
    };
    expect(await described(without)).toEqual([]);
    expect(await described(beside)).toContain("/oauth/authorize");
  });

  test("a call without a key is told of the scheme alone", async () => {
    const refused = await ask(without, "GET", "/api/v1/me");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  test("keys work, and apps that were let in before keep what they have, and are listed", async () => {
    const { account_id, api_key } = await without.signUp("agent");
    const email = "grace@example.com";
    await without.letterslot.operator.accounts.authority.give({ account_id, email });
    const { access_token } = await letInApp(without, { account_id }, { email, scope: ["inbox_read"] });

    expect((await without.client(api_key).inboxes.list()).data).toHaveLength(1);
    const { data } = await without.client(api_key).grants.list();
    expect(data).toMatchObject([{ client_id: "cli_test", active_tokens: 1 }]);
    expect((await ask(without, "GET", "/api/v1/inboxes", access_token)).status).toBe(200);
    const refused = await ask(without, "GET", "/api/v1/tasks", access_token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="task_read"',
    ]);
  });
});
