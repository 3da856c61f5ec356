import { buildMail } from "@letterslot/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const inbound_secret = "a secret of the operator";
const path = "/api/v1/internal/inbound";
const secretHeader = { "x-svc-inbound-secret": inbound_secret };

let served: Served;
beforeAll(async () => {
  served = await serve({ inboundSecret: inbound_secret });
});
afterAll(() => served.close());

async function post(headers: Record<string, string>, body: string | Uint8Array, server = served) {
  const response = await fetch(`${server.base_url}${path}`, {
    method: "POST",
    headers,
    body: body as Uint8Array<ArrayBuffer>,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const mail = (to: string, subject: string) =>
  buildMail({ from: "eve@example.com", to, subject, text: "Hello." });

describe("the internal path", () => {
  test("is 404 without a configured secret", async () => {
    const other = await serve();
    const answer = await post(secretHeader, "{}", other);
    await other.close();
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "route_not_found" } } });
  });

  test.each([[{}], [{ "x-svc-inbound-secret": "wrong" }], [{ authorization: `Bearer ${inbound_secret}` }]])(
    "rejects %j",
    async (headers) => {
      expect(await post(headers, "{}")).toMatchObject({
        status: 401,
        body: { error: { code: "invalid_operator_secret" } },
      });
    },
  );

  test.each([
    ["the most that a message may have", 26_214_400, 200],
    ["a byte more", 26_214_401, 413],
  ])("answers a mail with %s of decoded content with its status", async (_, bytes, status) => {
    // Of its own: reading so much may take longer than a connection is kept open.
    const server = await serve({ inboundSecret: inbound_secret });
    const { inbox } = await server.signUp("large");
    const headers = { ...secretHeader, "content-type": "message/rfc822", "x-svc-rcpt-to": inbox.email };
    const head = "Subject: x\r\nContent-Transfer-Encoding: base64\r\nContent-Type: application/pdf\r\n\r\n";
    const line = `${Buffer.alloc(57, 7).toString("base64")}\r\n`;
    const last = `${Buffer.alloc(bytes % 57, 7).toString("base64")}\r\n`;
    const raw = Buffer.from(`${head}${line.repeat(Math.floor(bytes / 57))}${last}`);
    const answer = await post(headers, raw, server);
    await server.close();
    expect(answer).toMatchObject(
      status === 200 ? { status } : { status, body: { error: { code: "message_too_large" } } },
    );
  });

  test("asks for mail to a suspended account again later, when others keep the one they got", async () => {
    const { inbox, as } = await served.signUp("not-suspended");
    const suspended = await served.signUp("suspended");
    const { suspend, resume } = served.letterslot.operator.accounts;
    await suspend(suspended.account_id);
    const headers = {
      ...secretHeader,
      "content-type": "message/rfc822",
      "x-svc-rcpt-to": `${inbox.email}, ${suspended.inbox.email}`,
    };
    const raw = mail(inbox.email, "For both");
    expect(await post(headers, raw)).toMatchObject({
      status: 503,
      body: { error: { code: "recipient_deferred", retryable: true } },
    });
    await resume(suspended.account_id);
    expect(await post(headers, raw)).toMatchObject({ status: 200, body: { accepted: true } });
    for (const each of [{ as, inbox }, suspended])
      expect((await each.as.messages.list({ inbox_id: each.inbox.id })).data).toHaveLength(1);
  });

  test("accepts a raw mail with its envelope in headers", async () => {
    const { inbox, as } = await served.signUp("raw");
    const headers = {
      ...secretHeader,
      "content-type": "message/rfc822",
      "x-svc-mail-from": "<eve@example.com>",
      "x-svc-rcpt-to": `${inbox.email}, nobody@letterslot.localhost`,
      "x-svc-client-ip": "203.0.113.9",
      "x-svc-helo": "mail.example.com",
    };
    const { status, body } = await post(headers, mail(inbox.email, "By header"));
    const { data } = await as.messages.list({ inbox_id: inbox.id });
    expect(data).toMatchObject([{ subject: "By header", from: "eve@example.com" }]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        accepted: true,
        dropped: false,
        reason: null,
        results: [
          { recipient: inbox.email, accepted: true, dropped: false, reason: null, message_id: data[0]?.id },
          {
            recipient: "nobody@letterslot.localhost",
            accepted: false,
            dropped: false,
            reason: "unknown_recipient",
            message_id: null,
          },
        ],
      },
    });
  });

  test("accepts JSON, and answers the same mail with its first message", async () => {
    const { inbox } = await served.signUp("json");
    const raw = Buffer.from(mail(inbox.email, "By JSON")).toString("base64");
    const body = JSON.stringify({
      mail_from: "eve@example.com",
      rcpt_to: [inbox.email],
      client_ip: null,
      helo: null,
      raw,
    });
    const first = await post(secretHeader, body);
    const again = await post(secretHeader, body);
    expect(first).toMatchObject({
      status: 200,
      body: { accepted: true, results: [{ message_id: expect.stringMatching(/^msg_/) }] },
    });
    expect(again.body["results"]).toEqual(first.body["results"]);
  });

  test("drops mail for a paused inbox with 200", async () => {
    const { inbox, as } = await served.signUp("paused");
    await as.inboxes.update({ inbox_id: inbox.id, status: "paused" });
    const raw = Buffer.from(mail(inbox.email, "Nobody home")).toString("base64");
    expect(await post(secretHeader, JSON.stringify({ rcpt_to: inbox.email, raw }))).toMatchObject({
      status: 200,
      body: { accepted: true, dropped: true, reason: "inbox_paused", results: [{ message_id: null }] },
    });
  });

  test.each([
    ["{}", "invalid_request", "rcpt_to"],
    ['{"rcpt_to":[],"raw":""}', "no_recipients", "rcpt_to"],
    ['{"rcpt_to":"a@example.com","raw":"not base 64!"}', "invalid_request", "raw"],
    ['{"rcpt_to":"a@example.com","raw":"","from":"x"}', "unknown_parameter", "from"],
    ["nonsense", "invalid_json", undefined],
  ])("rejects %s", async (body, code, param) => {
    expect((await post(secretHeader, body)).body["error"]).toMatchObject({
      code,
      ...(param === undefined ? {} : { param }),
    });
  });
});
