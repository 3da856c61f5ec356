import { type IncomingHttpHeaders, request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const name = "20260101000000000-0123456789abcdef.eml";
const HTML = "<p>Open <b>this</b></p><script>alert(1)</script>";
const raw = Buffer.from(
  [
    "From: ada@letterslot.localhost",
    "To: Eve <eve@example.com>",
    "Subject: <b>Hi</b>",
    "Date: Thu, 01 Jan 2026 02:03:04 +0100",
    'Content-Type: multipart/alternative; boundary="b"',
    "",
    "--b",
    "",
    "Open http://letterslot.test/api/v1/owners/confirm?token=x <script>",
    "--b",
    "Content-Type: text/html",
    "",
    HTML,
    "--b--",
  ].join("\r\n"),
);
const captured_mail = {
  list: async () => [
    {
      name,
      captured_at: "2026-01-01T00:00:00.000Z",
      from: "ada@letterslot.localhost",
      to: ["eve@example.com"],
      subject: "<b>Hi</b>",
    },
  ],
  read: async (wanted: string) => (wanted === name ? raw : undefined),
};

let served: Served;
beforeAll(async () => {
  served = await serve({ capturedMail: captured_mail });
});
afterAll(() => served.close());

/** Opens a page with headers that `fetch` does not allow to set. */
function open(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${served.base_url}${path}`, { headers }, (response) => {
      const { statusCode: status = 0, headers: given } = response;
      const text = response.toArray().then((chunks) => chunks.join(""));
      text.then((whole) => resolve({ status, text: whole, headers: given }), reject);
    });
    sent.on("error", reject).end();
  });
}

describe("the outbox", () => {
  test("lists captured mail and shows each, as text", async () => {
    expect(await open("/outbox")).toMatchObject({
      status: 200,
      text: expect.stringContaining(`href="/outbox/${name}"`),
    });
    const { status, text } = await open(`/outbox/${name}`);
    expect(status).toBe(200);
    expect(text).toContain('<a href="http://letterslot.test/api/v1/owners/confirm?token=x">');
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toMatch(/<script|<b>Hi/);
    expect(text).toContain("<td>ada@letterslot.localhost</td>");
    expect(text).toContain("<td>Eve &lt;eve@example.com&gt;</td>");
    expect(text).toContain("<td>2026-01-01 01:03 UTC</td>");
  });

  test("shows the HTML as its reader sees it, in a frame that can do nothing", async () => {
    const { text } = await open(`/outbox/${name}`);
    const [, frame = ""] = /<iframe ([^>]*)>/.exec(text) ?? [];
    expect(frame).toContain('sandbox=""');
    expect(frame).toContain("&lt;p&gt;Open &lt;b&gt;this&lt;/b&gt;&lt;/p&gt;");
    expect(frame).not.toContain("alert");
  });

  test("answers programs with JSON", async () => {
    const json = { accept: "application/json" };
    const list = await open("/outbox", json);
    expect(JSON.parse(list.text)).toEqual({
      object: "list",
      data: await captured_mail.list(),
      has_more: false,
      next_cursor: null,
    });
    expect(list.headers).toMatchObject({ "content-type": "application/json" });
    expect(JSON.parse((await open(`/outbox/${name}`, json)).text)).toEqual({
      object: "captured_mail",
      ...{ name, subject: "<b>Hi</b>", from: "ada@letterslot.localhost", to: "Eve <eve@example.com>" },
      date: "2026-01-01T01:03:04.000Z",
      text: expect.stringContaining("confirm?token=x <script>"),
      ...{ html: true, remote_pictures: false, attachments: [] },
      source: raw.toString(),
      size_bytes: raw.length,
    });
  });

  test("has the HTML as it was sent, under a policy that makes it harmless", async () => {
    const { status, text, headers } = await open(`/outbox/${name}/html`);
    expect([status, text]).toEqual([200, expect.stringContaining(HTML)]);
    const policy = headers["content-security-policy"];
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; /);
    expect(policy).not.toContain("allow-scripts");
    expect(policy).not.toContain("allow-same-origin");
    expect((await open("/outbox/other.eml/html")).status).toBe(404);
  });

  test.each([
    [{ host: "letterslot.test" }],
    [{ host: "localhost.evil.test" }],
    [{ "x-forwarded-for": "203.0.113.7" }],
    [{ "x-forwarded-prefix": "/a" }],
    [{ forwarded: "for=203.0.113.7" }],
    [{ via: "1.1 proxy" }],
  ])("is hidden from a request with %j", async (headers) => {
    expect((await open("/outbox", headers)).status).toBe(404);
    expect((await open(`/outbox/${name}`, headers)).status).toBe(404);
    expect((await open(`/outbox/${name}/html`, headers)).status).toBe(404);
  });

  test("is 404 for an unknown mail, and in a server without captured mail", async () => {
    expect((await open("/outbox/other.eml")).status).toBe(404);
    const other = await serve();
    const { status } = await fetch(`${other.base_url}/outbox`);
    await other.close();
    expect(status).toBe(404);
  });
});
