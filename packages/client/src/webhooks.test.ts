import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyWebhook, type WebhookDelivery } from "./webhooks.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const now = new Date("2026-11-20T08:00:00.000Z");
const seconds = now.getTime() / 1000;
const event = {
  id: "evt_1",
  object: "event",
  type: "message.received",
  schema_version: "1",
  created_at: now.toISOString(),
  account_id: "acct_1",
  inbox_id: null,
  sequence: 1,
  data: { subject: "Grüße" },
};
const body = JSON.stringify(event);

const hex = (key: string, text: string) => createHmac("sha256", key).update(text).digest("hex");
const v2 = (key: string, timestamp: number | string = seconds, text = body) =>
  `v1=${hex(key, `${timestamp}.${text}`)}`;
const standard = (key: Uint8Array | string, timestamp = seconds, text = body) =>
  `v1,${createHmac("sha256", key).update(`evt_1.${timestamp}.${text}`).digest("base64")}`;
const ours = (signature = v2(secret), timestamp: number | string = seconds) => ({
  "x-svc-signature-v2": signature,
  "x-svc-timestamp": String(timestamp),
  "x-svc-delivery": "whd_1",
});
const theirs = (signature: string, timestamp = seconds) => ({
  "webhook-signature": signature,
  "webhook-timestamp": String(timestamp),
  "webhook-id": "evt_1",
});
const verify = (delivery: Partial<WebhookDelivery>) =>
  verifyWebhook({ body, headers: ours(), secret, now, ...delivery });

describe("a delivery is accepted", () => {
  test("with its event, delivery id and time", async () => {
    expect(await verify({})).toEqual({ event, delivery_id: "whd_1", sent_at: now });
  });

  test.each([
    ["a body in bytes", { body: Buffer.from(body) }],
    ["a body in an array buffer", { body: new TextEncoder().encode(body).buffer }],
    ["a Headers object", { headers: new Headers(ours()) }],
    [
      "header names in capitals",
      { headers: { "X-Svc-Signature-V2": v2(secret), "X-SVC-TIMESTAMP": String(seconds) } },
    ],
    [
      "header values in lists",
      { headers: { "x-svc-signature-v2": [v2("old"), v2(secret)], "x-svc-timestamp": [String(seconds)] } },
    ],
    ["the second of two signatures", { headers: ours(`${v2("other")}, ${v2(secret)}`) }],
    ["the second of two secrets", { secret: ["newer", secret] }],
    ["a secret that is not base64", { headers: ours(v2("plain words")), secret: "plain words" }],
    ["a clock that is 5 minutes off", { headers: ours(v2(secret, seconds + 300), seconds + 300) }],
    ["Standard Webhooks' headers", { headers: theirs(standard(Buffer.alloc(32, 7))) }],
    [
      "Standard Webhooks' headers with two signatures",
      { headers: theirs(`v1a,xyz ${standard("old")} ${standard(Buffer.alloc(32, 7))}`) },
    ],
    [
      "Standard Webhooks' headers and a plain secret",
      { headers: theirs(standard("plain words")), secret: "plain words" },
    ],
  ])("with %s", async (_, delivery) => {
    expect((await verify(delivery)).event.id).toBe("evt_1");
  });

  test("by Standard Webhooks' headers alone, with the event id as delivery id", async () => {
    expect((await verify({ headers: theirs(standard(Buffer.alloc(32, 7))) })).delivery_id).toBe("evt_1");
  });
});

describe("a delivery is refused", () => {
  const signed = (text: string) => ({ body: text, headers: ours(v2(secret, seconds, text)) });
  test.each<[string, string, Partial<WebhookDelivery>]>([
    ["no headers", "missing_signature", { headers: {} }],
    [
      "a signature without a timestamp",
      "missing_signature",
      { headers: { "x-svc-signature-v2": v2(secret) } },
    ],
    [
      "only the signature that holds no time",
      "missing_signature",
      { headers: { "x-svc-signature": `sha256=${hex(secret, body)}` } },
    ],
    ["a body that was changed", "invalid_signature", { body: body.replace("Grüße", "Gruesse") }],
    ["another secret", "invalid_signature", { secret: "another" }],
    ["another timestamp than was signed", "invalid_signature", { headers: ours(v2(secret), seconds + 1) }],
    ["the wrong scheme", "invalid_signature", { headers: ours(v2(secret).replace("v1=", "v2=")) }],
    ["a signature cut short", "invalid_signature", { headers: ours(v2(secret).slice(0, -2)) }],
    ["an empty signature", "invalid_signature", { headers: ours("") }],
    [
      "a wrong v2 signature beside a right standard one",
      "invalid_signature",
      { headers: { ...theirs(standard(Buffer.alloc(32, 7))), ...ours(v2("x")) } },
    ],
    [
      "the right signature after too many others",
      "invalid_signature",
      { headers: ours([...Array(20).fill(v2("x")), v2(secret)].join(",")) },
    ],
    ["a timestamp that is not a number", "invalid_timestamp", { headers: ours(v2(secret, "now"), "now") }],
    [
      "an old timestamp",
      "timestamp_out_of_tolerance",
      { headers: ours(v2(secret, seconds - 301), seconds - 301) },
    ],
    [
      "a timestamp in the future",
      "timestamp_out_of_tolerance",
      { headers: ours(v2(secret, seconds + 301), seconds + 301) },
    ],
    [
      "a timestamp beyond a tighter tolerance",
      "timestamp_out_of_tolerance",
      { headers: ours(v2(secret, seconds - 11), seconds - 11), tolerance_seconds: 10 },
    ],
    ["a signed body that is not JSON", "invalid_body", signed("not json")],
    ["a signed body that is not an event", "invalid_body", signed("null")],
  ])("for %s: %s", async (_, reason, delivery) => {
    await expect(verify(delivery)).rejects.toMatchObject({ name: "WebhookVerificationError", reason });
  });

  test("without a secret, with a TypeError", async () => {
    await expect(verify({ secret: "" })).rejects.toThrow(TypeError);
    await expect(verify({ secret: [] })).rejects.toThrow(TypeError);
  });
});
