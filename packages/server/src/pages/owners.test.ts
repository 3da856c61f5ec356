import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let inbox_id: string;
let client: ReturnType<Served["client"]>;
let invited = 0;

beforeAll(async () => {
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  client = served.client(opened.api_key);
  inbox_id = opened.inbox.id;
});
afterAll(() => served.close());

/** A new owner, with the code and token of their letter. */
async function invite() {
  const email = `owner${++invited}@example.com`;
  await served.clock.advance(3600_000); // letters of this kind are counted by the hour
  const { id } = await client.owners.create({ inbox_id, email });
  await served.work();
  return { email, owner_id: id, code: served.codeFor(email), token: tokenIn(textOf(email), "confirm") };
}

/** The text of the newest letter to an address, without the soft line breaks of quoted-printable. */
function textOf(email: string): string {
  const letter = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  return new TextDecoder().decode(letter?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
}

function tokenIn(text: string, page: string): string {
  const [, token] = new RegExp(`/owners/${page}\\?token=([\\w-]+)`).exec(text) ?? [];
  if (token === undefined) throw new Error(`no link to ${page} in ${text}`);
  return token;
}

const asBrowser = {
  accept: "text/html,application/xhtml+xml",
  "content-type": "application/x-www-form-urlencoded",
};

async function open(path: string, init: RequestInit = {}) {
  const response = await fetch(`${served.base_url}/api/v1/owners/${path}`, {
    headers: { accept: "text/html" },
    ...init,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = asBrowser) =>
  open(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });

const statusOf = async (owner_id: string) => (await client.owners.get({ inbox_id, owner_id })).status;

describe("the confirmation page", () => {
  test("opening the link shows a button and confirms nothing", async () => {
    const { owner_id, email, token } = await invite();
    const { status, text } = await open(`confirm?token=${token}&utm_source=mail`);
    expect(status).toBe(200);
    expect(text).toContain("ada@letterslot.localhost");
    expect(text).toContain(email);
    expect(text).toMatch(/<button type="submit">/);
    expect(await statusOf(owner_id)).toBe("pending");
  });

  test("its button confirms, and then the link says so", async () => {
    const { owner_id, token } = await invite();
    expect((await post("confirm", { token })).text).toContain("You are confirmed as owner");
    expect(await statusOf(owner_id)).toBe("verified");
    expect((await open(`confirm?token=${token}`)).text).toContain("You are confirmed as owner");
  });

  test("without a token it asks for email and code, which confirm", async () => {
    const { owner_id, email, code } = await invite();
    expect((await open("confirm")).text).toMatch(/name="email".*name="code"/s);
    expect((await post("confirm", { email, code })).status).toBe(200);
    expect(await statusOf(owner_id)).toBe("verified");
  });

  test("a wrong code or link is an error that says what to do", async () => {
    const { owner_id, email, code } = await invite();
    const wrong = code === "000000" ? "000001" : "000000";
    const answer = await post("confirm", { email, code: wrong });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/role="alert"/);
    expect((await open("confirm?token=nonsense")).status).toBe(400);
    expect(await statusOf(owner_id)).toBe("pending");
  });

  test("programs that send JSON get JSON, as documented", async () => {
    const { owner_id, email, token } = await invite();
    expect(await served.client().owners.confirmation({ token })).toMatchObject({ email, status: "pending" });
    expect(await served.client().owners.confirm({ token })).toMatchObject({
      email,
      status: "verified",
    });
    expect(await statusOf(owner_id)).toBe("verified");
    await expect(served.client().owners.confirm({ token: "nonsense" })).rejects.toMatchObject({
      code: "confirm_invalid",
    });
    const unknown = await post("confirm", { a: "b" }, { "content-type": "application/json" });
    expect(unknown).toMatchObject({ status: 400, text: expect.stringContaining("invalid_json") });
  });

  test.each([{ accept: "*/*" }, { accept: "" }])("is HTML for any client that takes %o", async (headers) => {
    const { email, code, token } = await invite();
    for (const path of [`confirm?token=${token}`, "confirm", `unsubscribe?token=${token}`]) {
      const shown = await open(path, { headers });
      expect([path, shown.headers.get("content-type")]).toEqual([path, "text/html; charset=UTF-8"]);
    }
    const form = { ...headers, "content-type": asBrowser["content-type"] };
    expect((await post("confirm", { email, code }, form)).text).toContain("<h1");
    const json = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
    const confirmed = await open("confirm", { ...json, body: JSON.stringify({ token }) });
    expect(JSON.parse(confirmed.text)).toMatchObject({ email, status: "verified" });
  });

  test("an Authorization header must be valid even here", async () => {
    const { status } = await open("confirm?token=x", {
      headers: { accept: "application/json", authorization: "Bearer wrong" },
    });
    expect(status).toBe(401);
  });
});

describe("the unsubscribe page", () => {
  async function subscribed() {
    const owner = await invite();
    await post("confirm", { token: owner.token });
    await client.updates.create({ inbox_id, kind: "progress", text: "Half of it is done." });
    await served.work();
    return { ...owner, token: tokenIn(textOf(owner.email), "unsubscribe") };
  }
  const unsubscribedAt = async (owner_id: string) =>
    (await client.owners.get({ inbox_id, owner_id })).unsubscribed_at;

  test("opening the link changes nothing; its button does", async () => {
    const { owner_id, token } = await subscribed();
    const asked = (await open(`unsubscribe?token=${token}`)).text;
    expect(asked).toContain("Stop the updates");
    expect(asked).toContain("no more updates from ada@letterslot.localhost at");
    expect(await unsubscribedAt(owner_id)).toBeNull();
    const stopped = (await post("unsubscribe", { token })).text;
    expect(stopped).toContain("The updates have stopped");
    expect(stopped).toContain("No update from ada@letterslot.localhost comes to you any more.");
    expect(await unsubscribedAt(owner_id)).not.toBeNull();
  });

  test("one-click unsubscribe posts to the link in the mail header", async () => {
    const { owner_id, token } = await subscribed();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(
      (await post(`unsubscribe?token=${token}&utm=1`, { "List-Unsubscribe": "One-Click" }, headers)).status,
    ).toBe(200);
    expect(await unsubscribedAt(owner_id)).not.toBeNull();
  });

  test("an incomplete link says so", async () => {
    expect((await open("unsubscribe")).text).toContain("incomplete");
  });
});

describe("every owner page", () => {
  test.each(["confirm", "confirm?token=nonsense", "unsubscribe?token=x"])(
    "%s runs no script, cannot be framed and leaks no address",
    async (path) => {
      const { headers, text } = await open(path);
      expect(headers.get("content-security-policy")).toMatch(
        /default-src 'none'; img-src data:; style-src 'sha256-[\w+/=]+'; form-action 'self'.*frame-ancestors 'none'/,
      );
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(text).not.toMatch(/<script|\son\w+=|https?:\/\//i);
      expect(text).toMatch(/<html lang="en">/);
      expect(text).toMatch(/name="viewport"/);
    },
  );

  test("a token that is none is not repeated", async () => {
    const { status, text } = await open(
      `unsubscribe?token=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );
    expect(status).toBe(400);
    expect(text).not.toContain("alert(1)");
  });

  test("other methods are method_not_allowed", async () => {
    expect(await open("confirm", { method: "PUT" })).toMatchObject({
      status: 405,
      text: expect.stringContaining("method_not_allowed"),
    });
  });
});
