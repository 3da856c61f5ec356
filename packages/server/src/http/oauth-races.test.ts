import { createTestService } from "@letterslot/core/testing";
import { createOAuth } from "@letterslot/oauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ProofStorageName, proofStorages } from "../../../../test/support/proof-storages.ts";

const grace = "grace@example.com";
const ISSUER = "http://letterslot.test";
const CALLBACK = "https://app.example/done";
const VERIFIER = "v".repeat(43);

const form = (path: string, fields: Record<string, string>) =>
  new Request(`${ISSUER}${path}`, { method: "POST", body: new URLSearchParams(fields) });

describe.each(Object.keys(proofStorages) as ProofStorageName[])("three processes on %s", (name) => {
  let open: Awaited<ReturnType<(typeof proofStorages)[ProofStorageName]>>;
  beforeAll(async () => {
    open = await proofStorages[name]();
  });
  afterAll(() => open.remove());

  const begin = async () => {
    const { letterslot } = createTestService({ storage: open.storage, baseUrl: ISSUER });
    const { account_id } = await letterslot.operator.accounts.create({ owner: grace });
    const processes = [1, 2, 3].map(() => createOAuth(letterslot));
    const [first] = processes as [ReturnType<typeof createOAuth>];
    const registration = new Request(`${ISSUER}/oauth/register`, {
      method: "POST",
      body: JSON.stringify({ redirect_uris: [CALLBACK] }),
    });
    const { client_id = "" } = (await (await first.handle(registration, null)).json()) as {
      client_id?: string;
    };
    const challenge = Buffer.from(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER)),
    ).toString("base64url");
    const query = new URLSearchParams({
      ...{ client_id, response_type: "code", redirect_uri: CALLBACK, resource: `${ISSUER}/api/v1` },
      ...{ scope: "message_read", code_challenge: challenge, code_challenge_method: "S256" },
    });
    const asked = await first.handle(new Request(`${ISSUER}/oauth/authorize?${query.toString()}`), null);
    const cookie = asked.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const page = () => new Request(asked.headers.get("location") ?? "", { headers: { cookie } });
    const choice = { account_id, inbox_id: null, permissions: ["message_read" as const] };
    const allowed = await Promise.allSettled(
      processes.map((each) => each.allow(page(), { email: grace, session_id: null, ip: null }, choice)),
    );
    const resumed = allowed.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(resumed).toHaveLength(1);
    const resume = new Request(resumed[0]?.headers.get("location") ?? "", { headers: { cookie } });
    // Concurrent requests to the same way back, to any process, get one code in total.
    const ways = await Promise.allSettled(processes.map((each) => each.handle(resume.clone(), null)));
    const led = ways.flatMap((way) => (way.status === "fulfilled" ? [way.value] : []));
    expect(led.map(({ headers }) => headers.get("location")?.includes("code="))).toEqual([true]);
    const [back] = led as [Response];
    const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const tokenFrom = async (process: typeof first, fields: Record<string, string>) => {
      const response = await process.handle(form("/oauth/token", { client_id, ...fields }), null);
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    /** A request to the token endpoint of one process. */
    const token = (fields: Record<string, string>) => tokenFrom(first, fields);
    /** The same request to all of them at once. */
    const race = (fields: Record<string, string>) =>
      Promise.all(processes.map((each) => tokenFrom(each, fields)));
    return { letterslot, token, race, code };
  };

  const grant_type = "authorization_code";

  test("let an app in once, and give one answer for its code", async () => {
    const { race, code } = await begin();
    const answers = await race({ grant_type, code, code_verifier: VERIFIER, redirect_uri: CALLBACK });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("renew a refresh token once, and the grant goes on", async () => {
    const { letterslot, token, race, code } = await begin();
    const given = await token({ grant_type, code, code_verifier: VERIFIER, redirect_uri: CALLBACK });
    const { refresh_token = "" } = given.body;
    const answers = await race({ grant_type: "refresh_token", refresh_token });
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const renewed = answers.find(({ status }) => status === 200)?.body ?? {};
    expect(await letterslot.authenticate(renewed["access_token"] ?? "", null)).toMatchObject({ type: "app" });
  });
});
