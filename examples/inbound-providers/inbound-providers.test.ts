import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { buildMail, createTestService, type TestAccount } from "@letterslot/core/testing";
import { createApp } from "@letterslot/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receive as receiveFromMailgun } from "./mailgun.ts";
import { receive as receiveFromPostmark } from "./postmark.ts";
import { handler } from "./ses.ts";

const INBOUND_SECRET = "a secret that both sides know";
const MAILGUN_SIGNING_KEY = "key-0123456789abcdef";
const POSTMARK_PASSWORD = "a password";
const NOBODY = "nobody@letterslot.localhost";

const service = createTestService();
const app = createApp({ letterslot: service.letterslot, inboundSecret: INBOUND_SECRET });
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });

beforeAll(async () => {
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, {
    LETTERSLOT_URL: `http://127.0.0.1:${port}`,
    ...{ INBOUND_SECRET, MAILGUN_SIGNING_KEY, POSTMARK_PASSWORD },
  });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const mailTo = (to: string): Buffer =>
  Buffer.from(buildMail({ from: "Grace <grace@example.org>", to, subject: "Grüße", text: "Hello." }));

async function subjectsOf({ as, inbox }: TestAccount): Promise<string[]> {
  return (await as.messages.list({ inbox_id: inbox.id })).data.map(({ subject }) => subject);
}

/** The event that SNS passes to a Lambda function for an SNS action of a receipt rule. */
const fromSes = (to: string) => ({
  Records: [
    {
      Sns: {
        Message: JSON.stringify({
          notificationType: "Received",
          receipt: { recipients: [to], action: { type: "SNS", encoding: "BASE64" } },
          mail: {
            source: "bounces@example.org",
            destination: [to],
            messageId: "d6iitobk75ur44p8kdnnp7g2n800",
          },
          content: mailTo(to).toString("base64"),
        }),
      },
    },
  ],
});

const fromPostmark = (to: string, password = POSTMARK_PASSWORD) =>
  new Request("https://host.test/", {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`postmark:${password}`)}`, "content-type": "application/json" },
    body: JSON.stringify({
      FromName: "Grace",
      MessageStream: "inbound",
      FromFull: { Email: "grace@example.org", Name: "Grace", MailboxHash: "" },
      OriginalRecipient: to,
      RawEmail: mailTo(to).toString(),
    }),
  });

function fromMailgun(to: string, change: Record<string, string> = {}) {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const token = "a".repeat(50);
  const form = new FormData();
  const fields = {
    ...{ recipient: to, sender: "bounces@example.org", subject: "Grüße", timestamp, token, ...change },
    "body-mime": mailTo(to).toString(),
  };
  const signed = createHmac("sha256", MAILGUN_SIGNING_KEY).update(fields.timestamp + token);
  for (const [name, value] of Object.entries({ signature: signed.digest("hex"), ...fields }))
    form.set(name, value);
  return new Request("https://host.test/mime", { method: "POST", body: form });
}

describe("mail arrives through", () => {
  test("Amazon SES", async () => {
    const account = await service.signUp("ses");
    await handler(fromSes(account.inbox.email));
    expect(await subjectsOf(account)).toEqual(["Grüße"]);
    await expect(handler(fromSes(NOBODY))).resolves.toBeUndefined();
  });

  test("Postmark", async () => {
    const account = await service.signUp("postmark");
    expect((await receiveFromPostmark(fromPostmark(account.inbox.email))).status).toBe(200);
    expect(await subjectsOf(account)).toEqual(["Grüße"]);
    expect((await receiveFromPostmark(fromPostmark(NOBODY))).status).toBe(403);
  });

  test("Mailgun", async () => {
    const account = await service.signUp("mailgun");
    expect((await receiveFromMailgun(fromMailgun(account.inbox.email))).status).toBe(200);
    expect(await subjectsOf(account)).toEqual(["Grüße"]);
    expect((await receiveFromMailgun(fromMailgun(NOBODY))).status).toBe(406);
  });
});

test("what isn't the provider's own is refused", async () => {
  const account = await service.signUp("refused");
  const { email } = account.inbox;
  expect((await receiveFromPostmark(fromPostmark(email, "wrong"))).status).toBe(401);
  expect((await receiveFromMailgun(fromMailgun(email, { signature: "00" }))).status).toBe(401);
  expect((await receiveFromMailgun(fromMailgun(email, { timestamp: "1000000000" }))).status).toBe(401);
  expect(await subjectsOf(account)).toEqual([]);
});

test("the provider sends a mail again while the service doesn't take it", async () => {
  const account = await service.signUp("again");
  const { LETTERSLOT_URL } = process.env;
  process.env["INBOUND_SECRET"] = "another";
  await expect(handler(fromSes(account.inbox.email))).rejects.toThrow("the service answered 401");
  process.env["INBOUND_SECRET"] = INBOUND_SECRET;
  process.env["LETTERSLOT_URL"] = "http://127.0.0.1:9";
  await expect(receiveFromPostmark(fromPostmark(account.inbox.email))).rejects.toThrow("fetch failed");
  process.env["LETTERSLOT_URL"] = LETTERSLOT_URL;
  await handler(fromSes(account.inbox.email));
  expect(await subjectsOf(account)).toEqual(["Grüße"]);
});

test("the page in the docs shows these programs, to the letter", () => {
  const page = readFileSync(new URL("../../docs/mail-in-without-port-25.md", import.meta.url), "utf8");
  const shown = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const files = ["../cloudflare-email/index.ts", "deliver.ts", "ses.ts", "postmark.ts", "mailgun.ts"];
  expect(shown).toEqual(files.map((file) => readFileSync(new URL(file, import.meta.url), "utf8")));
});
