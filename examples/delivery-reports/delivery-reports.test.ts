import { execFileSync } from "node:child_process";
import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { systemClock } from "@letterslot/core/ports";
import { createTestService, type TestAccount } from "@letterslot/core/testing";
import { createApp } from "@letterslot/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receive as receiveFromMailgun } from "./mailgun.ts";
import { receive as receiveFromPostmark } from "./postmark.ts";
import { receive as receiveFromResend } from "./resend.ts";
import { receive as receiveFromSendGrid } from "./sendgrid.ts";
import { receive as receiveFromSes } from "./ses.ts";

const REPORTS_SECRET = "a-secret-that-both-sides-know";
const MAILGUN_SIGNING_KEY = "key-0123456789abcdef";
const POSTMARK_PASSWORD = "a password";
const RESEND_WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of 24 bytes, ok").toString("base64")}`;
const SES_TOPIC_ARN = "arn:aws:sns:eu-west-1:123456789012:mail";
const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem";

/** On the real clock: signatures are held to it. */
const service = createTestService({ clock: systemClock });
const app = createApp({ letterslot: service.letterslot, reportsSecret: REPORTS_SECRET });
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
const sendgrid = generateKeyPairSync("ec", { namedCurve: "P-256" });
const folder = mkdtempSync(join(tmpdir(), "letterslot-sns-"));
let sns: { key: string; certificate: string };

beforeAll(async () => {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=sns.amazonaws.com", "-days", "2"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, ...subject],
    { stdio: "ignore" },
  );
  sns = { key: readFileSync(key, "utf8"), certificate: readFileSync(certificate, "utf8") };
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    LETTERSLOT_URL: `http://127.0.0.1:${port}`,
    ...{ REPORTS_SECRET, MAILGUN_SIGNING_KEY, POSTMARK_PASSWORD, RESEND_WEBHOOK_SECRET, SES_TOPIC_ARN },
    SENDGRID_PUBLIC_KEY: sendgrid.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await new Promise((resolve) => server.close(resolve));
});

/** A mail that left for Ada, and the id that the relay gave it. */
interface Sent {
  account: TestAccount;
  message_id: string;
  provider_id: string;
  to: string;
}
let accounts = 0;
async function send(): Promise<Sent> {
  accounts += 1;
  const account = await service.signUp(`agent-${accounts}`);
  const to = `ada-${accounts}@example.com`;
  const provider_id = `0100018f0000-${accounts}`;
  service.transport.relayAs(provider_id);
  const { id } = await account.as.messages.send({ inbox_id: account.inbox.id, to: [to], text: "Hello." });
  await service.work();
  const { message_id } = await account.as.messages.get({ inbox_id: account.inbox.id, message_id: id });
  return { account, message_id: message_id ?? "", provider_id, to };
}
const suppressed = async ({ account }: Sent): Promise<string[]> =>
  (await account.as.suppressions.list({})).data.map(({ address, reason }) => `${address} ${reason}`);

const now = () => new Date().toISOString();
const seconds = () => Math.floor(Date.now() / 1_000);
const post = (body: unknown, headers: Record<string, string> = {}) =>
  new Request("https://host.test/", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

/** A bounce as each provider documents it; `forged` is one that it didn't send. */
const PROVIDERS: Record<string, (sent: Sent, forged: boolean) => Promise<Response>> = {
  "Amazon SES": (sent, forged) => receiveFromSes(fromSes(sent, { forged }), fetchCertificate),
  Postmark: ({ provider_id, to }, forged) =>
    receiveFromPostmark(
      post(
        {
          RecordType: "Bounce",
          Type: "HardBounce",
          TypeCode: 1,
          MessageID: provider_id,
          Email: to,
          Details: "smtp;550 5.1.1 no such user",
          BouncedAt: now(),
          Inactive: true,
          MessageStream: "outbound",
        },
        { authorization: `Basic ${btoa(`postmark:${forged ? "guessed" : POSTMARK_PASSWORD}`)}` },
      ),
    ),
  Mailgun({ message_id, to }, forged) {
    const [timestamp, token] = [String(seconds()), "a".repeat(50)];
    const key = forged ? "guessed" : MAILGUN_SIGNING_KEY;
    const signature = createHmac("sha256", key)
      .update(timestamp + token)
      .digest("hex");
    return receiveFromMailgun(
      post({
        signature: { timestamp, token, signature },
        "event-data": {
          event: "failed",
          severity: "permanent",
          reason: "bounce",
          timestamp: Date.now() / 1_000,
          recipient: to,
          message: { headers: { "message-id": message_id.slice(1, -1), to, subject: "" } },
          "delivery-status": { code: 550, message: "550 5.1.1 no such user", description: "" },
        },
      }),
    );
  },
  Resend({ provider_id, to }, forged) {
    const body = JSON.stringify({
      type: "email.bounced",
      created_at: now(),
      data: {
        email_id: provider_id,
        from: "agent@letterslot.localhost",
        to: [to],
        bounce: { message: "550 5.1.1 no such user", subType: "General", type: "Permanent" },
      },
    });
    const [id, timestamp] = ["msg_2b7", String(seconds())];
    const secret = Buffer.from(RESEND_WEBHOOK_SECRET.replace("whsec_", ""), "base64");
    const signed = createHmac("sha256", forged ? "guessed" : secret).update(`${id}.${timestamp}.${body}`);
    const signature = `v1,${signed.digest("base64")}`;
    return receiveFromResend(
      post(body, { "svix-id": id, "svix-timestamp": timestamp, "svix-signature": signature }),
    );
  },
  SendGrid({ message_id, to }, forged) {
    const about = { email: to, timestamp: seconds(), "smtp-id": message_id, sg_event_id: "x" };
    const body = JSON.stringify([
      { ...about, event: "processed" },
      { ...about, event: "bounce", type: "bounce", status: "5.1.1", reason: "550 no such user" },
    ]);
    const timestamp = String(seconds());
    const key = forged ? generateKeyPairSync("ec", { namedCurve: "P-256" }) : sendgrid;
    const signature = createSign("sha256")
      .update(timestamp + body)
      .sign(key.privateKey, "base64");
    return receiveFromSendGrid(
      post(body, {
        "x-twilio-email-event-webhook-timestamp": timestamp,
        "x-twilio-email-event-webhook-signature": signature,
      }),
    );
  },
};

/** What stands at the address of the certificate, and nothing elsewhere. */
const fetchCertificate = async (url: string): Promise<string> => {
  if (url !== CERTIFICATE_URL) throw new Error(`asked for ${url}`);
  return sns.certificate;
};

const SNS_ORDER = ["Message", "MessageId", "Timestamp", "TopicArn", "Type"];

/** A notification as SNS posts it, signed. */
function fromSes(
  { provider_id, to }: Sent,
  { forged = false, topic = SES_TOPIC_ARN, url = CERTIFICATE_URL } = {},
) {
  const notification: Record<string, string> = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: topic,
    Message: JSON.stringify({
      eventType: "Bounce",
      bounce: {
        bounceType: "Permanent",
        bounceSubType: "General",
        bouncedRecipients: [
          { emailAddress: to, action: "failed", status: "5.1.1", diagnosticCode: "smtp; 550 no such user" },
        ],
        timestamp: now(),
      },
      mail: { timestamp: now(), messageId: provider_id, destination: [to] },
    }),
    Timestamp: now(),
    SignatureVersion: "2",
    SigningCertURL: url,
  };
  const text = SNS_ORDER.map((name) => `${name}\n${notification[name]}\n`).join("");
  const signature = createSign("RSA-SHA256")
    .update(forged ? `${text} ` : text)
    .sign(sns.key, "base64");
  return post({ ...notification, Signature: signature }, { "content-type": "text/plain; charset=UTF-8" });
}

describe.each(Object.entries(PROVIDERS))("%s", (_name, deliver) => {
  test("tells a bounce, which suppresses the address; a forged one changes nothing", async () => {
    const sent = await send();
    expect((await deliver(sent, true)).status).toBe(401);
    expect(await suppressed(sent)).toEqual([]);
    expect((await deliver(sent, false)).status).toBe(200);
    expect(await suppressed(sent)).toEqual([`${sent.to} bounce`]);
    expect((await deliver(sent, false)).status).toBe(200);
    const { data } = await sent.account.as.events.list({ types: ["message.bounced"] });
    expect(data).toHaveLength(1);
  });
});

test("a notification of another topic, or with a certificate from elsewhere, counts for nothing", async () => {
  const sent = await send();
  for (const change of [
    { topic: "arn:aws:sns:eu-west-1:999999999999:mine" },
    { url: "https://sns.eu-west-1.amazonaws.com.evil.example/cert.pem" },
    { url: "http://sns.eu-west-1.amazonaws.com/cert.pem" },
    { url: "https://evil.example/sns.eu-west-1.amazonaws.com" },
  ])
    expect((await receiveFromSes(fromSes(sent, change), fetchCertificate)).status).toBe(401);
  expect(await suppressed(sent)).toEqual([]);
});

test("an old request, as somebody may have recorded it, counts for nothing", async () => {
  const sent = await send();
  const timestamp = String(seconds() - 3_600);
  const token = "a".repeat(50);
  const signature = createHmac("sha256", MAILGUN_SIGNING_KEY)
    .update(timestamp + token)
    .digest("hex");
  const old = post({ signature: { timestamp, token, signature }, "event-data": {} });
  expect((await receiveFromMailgun(old)).status).toBe(401);
  expect(await suppressed(sent)).toEqual([]);
});
