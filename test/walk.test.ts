import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, verifyWebhook } from "@letterslot/client";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDnsServer } from "../packages/adapter-smtp/test/dns-server.ts";
import { createCheckedFetch } from "../packages/server/testing/checked-fetch.ts";
import { madeWebhook } from "./support/made-webhook.ts";
import { compose, createMailDomain, type WrittenMail } from "./support/mail-domain.ts";
import { startPhoneBrowser } from "./support/phone-browser.ts";
import { createServerHome, type ServerHome, type ServerProcess } from "./support/server-process.ts";
import { type SmtpSink, sendBySmtp, startSmtpSink } from "./support/smtp.ts";
import { until } from "./support/until.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./support/webhook-receiver.ts";

const OWNER = "mara@family.example.com";
const AGENT = "ada@agents.example.org";
const family = createMailDomain("family.example.com");
const OVERSIZE_BYTES = 36 * 1024 * 1024;

let home: ServerHome;
let server: ServerProcess;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let sink: SmtpSink;
let receiver: WebhookReceiver;
let client: Client;
let inbox_id: string;
let secret: string;
let mails = 0;

beforeAll(async () => {
  dns = await startDnsServer({ ...family.zone });
  sink = await startSmtpSink();
  receiver = await startWebhookReceiver();
  home = await createServerHome({
    MAIL_DOMAIN: "agents.example.org",
    DNS_SERVER: dns.server,
    WEBHOOK_ALLOW: "127.0.0.0/8",
    WEBHOOK_RETRIES: "1,2",
  });
  server = await home.start();
});

afterAll(async () => {
  await server?.end("SIGKILL");
  await Promise.all([dns?.close(), sink?.close(), receiver?.close()]);
  home?.remove();
});

/** An agent's client that validates every response against the server's OpenAPI document. */
async function clientWith(api_key?: string): Promise<Client> {
  const document = (await (await fetch(`${home.base_url}/openapi.json`)).json()) as Record<string, unknown>;
  const checked = createCheckedFetch(home.base_url, document);
  return createClient({
    baseUrl: home.base_url,
    fetch: checked,
    ...(api_key === undefined ? {} : { apiKey: api_key }),
  });
}

function written(change: Partial<WrittenMail> = {}): WrittenMail {
  mails += 1;
  const message_id = `<walk-${mails}@family.example.com>`;
  return {
    from: `Mara <${OWNER}>`,
    to: AGENT,
    subject: "The boiler",
    text: "Please book a plumber.",
    message_id,
    ...change,
  };
}

async function sendAsOwner(
  change: Partial<WrittenMail> = {},
): Promise<{ status: number | null; mail: WrittenMail }> {
  const mail = written(change);
  const status = await sendBySmtp(home.smtp_port, { raw: await family.sign(mail), from: OWNER, to: mail.to });
  return { status, mail };
}

/** All messages of the inbox with this subject. */
async function messagesAbout(subject: string) {
  const found = [];
  for await (const message of client.messages.list({ inbox_id }))
    if (message.subject === subject) found.push(message);
  return found;
}

async function messageAbout(subject: string) {
  const [message] = await messagesAbout(subject);
  if (message === undefined) throw new Error(`no message is about ${subject}`);
  return message;
}

const eventsOf = (type: string) =>
  receiver.delivered
    .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, never> })
    .filter((event) => event.type === type);

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

describe("a person and an agent, with real components only", () => {
  test("an agent signs up and names its owner", async () => {
    const signed = await (await clientWith()).accounts.onboard({
      username: "ada",
      display_name: "Ada",
      owner_email: OWNER,
    });
    expect(signed.inbox.email).toBe(AGENT);
    client = await clientWith(signed.api_key);
    inbox_id = signed.inbox.id;
    const { data } = await client.owners.list({ inbox_id });
    expect(data).toMatchObject([{ email: OWNER, status: "pending" }]);
  });

  test("the agent's copy of the letter contains neither code nor link", async () => {
    const letter = await until("the confirmation letter to be sent", async () => {
      const { data } = await client.messages.list({ inbox_id });
      return data.find(({ to, status }) => to.includes(OWNER) && status === "sent");
    });
    const { code, link } = await captured();
    const raw = await client.messages.raw({ inbox_id, message_id: letter.id });
    const seen =
      JSON.stringify(await client.messages.get({ inbox_id, message_id: letter.id })) +
      Buffer.from(raw.bytes).toString();
    expect(seen).not.toContain(code);
    expect(seen).not.toContain(new URL(link).searchParams.get("token"));
  });

  test("the owner opens the link on a phone; the button confirms, opening does not", async () => {
    const browser = await startPhoneBrowser();
    try {
      const outbox = await browser.open(`${home.base_url}/outbox`);
      await browser.screenshot(outbox, "1-outbox");
      await outbox
        .getByRole("link", { name: /confirm/i })
        .first()
        .click();
      await browser.screenshot(outbox, "2-letter");
      await outbox.getByRole("link", { name: /\/owners\/confirm/ }).click();
      await outbox.getByRole("button").waitFor();
      await browser.screenshot(outbox, "3-confirm");
      expect(await outbox.textContent("main")).toContain(OWNER);
      expect(await outbox.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
      expect((await client.owners.list({ inbox_id })).data).toMatchObject([{ status: "pending" }]);

      await outbox.getByRole("button").click();
      await outbox.getByRole("heading", { name: /you are confirmed/i }).waitFor();
      await browser.screenshot(outbox, "4-confirmed");
    } finally {
      await browser.close();
    }
    const { data } = await client.owners.list({ inbox_id });
    expect(data).toMatchObject([{ status: "verified" }]);
  });

  test("the owner's signed mail is authenticated and wakes the agent waiting for a task", async () => {
    const hook = madeWebhook(await client.webhooks.create({ url: receiver.url }));
    secret = hook.secret;
    const latencies: number[] = [];
    for (let round = 1; round <= 7; round++) {
      const waiting = client.tasks
        .list({ inbox_id, wait: 25 })
        .then((page) => ({ page, answered_at: performance.now() }));
      await client.me.get();
      await client.me.get();
      const { status, mail } = await sendAsOwner({ subject: `The boiler ${round}` });
      const taken_at = performance.now();
      expect(status).toBe(250);
      const { page, answered_at } = await waiting;
      latencies.push(answered_at - taken_at);
      expect(page.data).toMatchObject([
        {
          subject: mail.subject,
          trusted: true,
          status: "pending",
          auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
        },
      ]);
      await client.tasks.update({ task_id: page.data[0]?.id ?? "", status: "done" });
    }
    // Polling once a second would be half a second late on average.
    console.log(
      `  a waiting agent had its task ${median(latencies).toFixed(0)} ms after the mail was taken (median of 7)`,
    );
    expect(median(latencies)).toBeLessThan(400);
    expect(Math.max(...latencies)).toBeLessThan(5_000);
    expect(new Set(dns.asked)).toContain("TXT _dmarc.family.example.com");
  });

  test("the webhook gets both events, and both signatures verify by hand and with the client", async () => {
    await until(
      "the deliveries",
      () => eventsOf("task.received").length === 7 && eventsOf("message.received").length === 7,
    );
    for (const { headers, body } of receiver.delivered) {
      const hmac = (text: string) => createHmac("sha256", secret).update(text).digest("hex");
      const timestamp = String(headers["x-svc-timestamp"]);
      expect(headers["x-svc-signature"]).toBe(`sha256=${hmac(body)}`);
      expect(headers["x-svc-signature-v2"]).toBe(`v1=${hmac(`${timestamp}.${body}`)}`);
      const { event, delivery_id } = await verifyWebhook({ headers, body, secret });
      expect(headers).toMatchObject({
        "x-svc-event": event.type,
        "x-svc-delivery": delivery_id,
        "webhook-id": event.id,
      });
    }
    await expect(
      verifyWebhook({ headers: receiver.delivered[0]?.headers ?? {}, body: "{}", secret }),
    ).rejects.toThrow(/signature/i);
  });

  test("after a restart with a mail server, the agent's reply arrives there once, in the same thread", async () => {
    const tasks = (await client.tasks.list({ inbox_id, status: "all" })).data;
    const task = tasks.find(({ subject }) => subject === "The boiler 7");
    expect(await server.end("SIGTERM")).toBe(0);
    server = await home.start({ SMTP_URL: sink.url });

    const answer = await client.tasks.reply({
      task_id: task?.id ?? "",
      text: "The plumber comes on Monday.",
    });
    const sent = await until("the reply to be sent", async () => {
      const message = await client.messages.get({ inbox_id, message_id: answer.message.id });
      return message.status === "sent" && message;
    });
    const asked = await client.messages.get({ inbox_id, message_id: task?.message_id ?? "" });
    expect(sent.thread_id).toBe(asked.thread_id);
    expect(sent.delivery_events).toMatchObject([{ type: "sent", recipient: OWNER }]);
    expect(sink.arrived).toHaveLength(1);
    expect(sink.arrived[0]).toMatchObject({
      to: [OWNER],
      message_id: sent.message_id,
      in_reply_to: asked.message_id,
      references: [asked.message_id],
      subject: "Re: The boiler 7",
    });
    expect(sink.arrived[0]?.text).toContain("The plumber comes on Monday.");
    expect(sink.arrived[0]?.raw).toMatch(/^DKIM-Signature: .*d=agents\.example\.org/ms);

    const { mail } = await sendAsOwner({
      subject: "Re: The boiler 7",
      text: "Thank you!",
      in_reply_to: sent.message_id ?? "",
    });
    expect((await messageAbout("Re: The boiler 7")).thread_id).toBe(asked.thread_id);
    const { data } = await client.messages.list({ inbox_id, view: "summary" });
    expect(data.filter(({ message_id }) => message_id === mail.message_id)).toHaveLength(1);
  });

  test("a forged copy of the owner's mail creates no task, and explain says why", async () => {
    const before = (await client.tasks.list({ inbox_id, status: "all" })).data.length;
    const raw = await compose(written({ subject: "Forged" }));
    expect(await sendBySmtp(home.smtp_port, { raw, from: "eve@elsewhere.example.net", to: AGENT })).toBe(250);
    const message = await messageAbout("Forged");
    expect(message).toMatchObject({
      auth: { dkim: "none", dmarc: "fail" },
      labels: expect.arrayContaining(["untrusted"]),
    });
    expect((await client.tasks.list({ inbox_id, status: "all" })).data).toHaveLength(before);
    const { data } = await client.messages.explain({ inbox_id, message_id: message.id });
    expect(data.find(({ step }) => step === "task")).toMatchObject({ outcome: "not_made" });
    expect(data.find(({ step }) => step === "task")?.details.join()).toMatch(/sender_not_authenticated/);
  });

  test("a mail that was altered in transit creates no task either", async () => {
    const signed = (await family.sign(written({ subject: "Changed" }))).toString();
    const raw = Buffer.from(signed.replace("book a plumber", "wire me 900 EUR"));
    expect(await sendBySmtp(home.smtp_port, { raw, from: "eve@elsewhere.example.net", to: AGENT })).toBe(250);
    const message = await messageAbout("Changed");
    expect(message.auth).toMatchObject({ dkim: "fail", dmarc: "fail" });
    expect(
      (await client.tasks.list({ inbox_id, status: "all" })).data.map(({ subject }) => subject),
    ).not.toContain("Changed");
  });

  test("phishing is held: its text can't be read anywhere until it is released", async () => {
    await client.inboxes.update({ inbox_id, screening: "hold" });
    const word = "quincemarmalade";
    const raw = await compose(
      written({
        from: "PayPal Service <service@check.example.top>",
        subject: "Your account has been suspended",
        text: `Dear Customer, your account has been suspended. Verify your account within 24 hours: http://paypal.com.check.example.top/login ${word}`,
        html: `<p>Dear Customer, your account has been suspended. Verify within 24 hours: <a href="http://check.example.top/login">https://paypal.com</a> ${word}</p>`,
        attachments: [{ filename: "statement.txt", content: `Statement ${word}` }],
      }),
    );
    expect(await sendBySmtp(home.smtp_port, { raw, from: "service@check.example.top", to: AGENT })).toBe(250);

    const held = await messageAbout("Your account has been suspended");
    expect(held.labels).toEqual(expect.arrayContaining(["suspicious", "held"]));
    expect(held.safety).toMatchObject({ verdict: "suspicious", mode: "hold" });
    const at = { inbox_id, message_id: held.id };
    const message = await client.messages.get(at);
    expect(message).toMatchObject({
      text: null,
      html: null,
      extracted_text: null,
      extracted_html: null,
      preview: null,
    });
    await until("message.held to be delivered", () => eventsOf("message.held").length === 1);
    const seen = [
      message,
      held,
      await client.messages.list({ inbox_id, view: "summary" }),
      await client.messages.explain(at),
      await client.messages.wait({ inbox_id, wait: 0 }),
      await client.messages.batchUpdate({ inbox_id, message_ids: [held.id], add_labels: ["seen"] }),
      receiver.delivered.map(({ body }) => body),
    ];
    expect(JSON.stringify(seen)).not.toContain(word);
    expect((await client.search.messages({ q: word })).data).toEqual([]);
    const attachment_id = message.attachments[0]?.id ?? "";
    await expect(client.messages.raw(at)).rejects.toMatchObject({ code: "message_held", status: 409 });
    await expect(client.attachments.get({ ...at, attachment_id })).rejects.toMatchObject({
      code: "message_held",
      status: 409,
    });

    const released = await client.messages.release(at);
    if (released.object !== "message") throw new Error("a person was asked");
    expect(released.labels).toContain("suspicious");
    expect(released.labels).not.toContain("held");
    expect(released.text).toContain(word);
    expect(Buffer.from((await client.messages.raw(at)).bytes).toString()).toContain(word);
    expect(Buffer.from((await client.attachments.get({ ...at, attachment_id })).bytes).toString()).toBe(
      `Statement ${word}`,
    );
    expect((await client.search.messages({ q: word })).data).toMatchObject([{ message: { id: held.id } }]);
    const told = () =>
      eventsOf("message.received").some(({ data }) => JSON.stringify(data).includes(held.id));
    await until("message.received to be delivered", told);
    await expect(client.messages.release(at)).rejects.toMatchObject({ code: "message_not_held" });
  });

  test("mail that can't be accepted is refused in the SMTP dialogue", async () => {
    for (const to of ["nobody@agents.example.org", "ada@elsewhere.example.net"])
      expect((await sendAsOwner({ to })).status).toBe(550);
    const raw = Buffer.concat([
      await compose(written({ subject: "Too large" })),
      Buffer.alloc(OVERSIZE_BYTES, "line of text\r\n"),
    ]);
    expect(await sendBySmtp(home.smtp_port, { raw, from: OWNER, to: AGENT })).toBe(552);
    expect(await messagesAbout("Too large")).toEqual([]);
  });

  test("a paused inbox accepts mail and drops it", async () => {
    await client.inboxes.update({ inbox_id, status: "paused" });
    expect((await sendAsOwner({ subject: "While paused" })).status).toBe(250);
    await client.inboxes.update({ inbox_id, status: "active" });
    expect((await sendAsOwner({ subject: "While active" })).status).toBe(250);
    expect(await messagesAbout("While active")).toHaveLength(1);
    expect(await messagesAbout("While paused")).toEqual([]);
  });
});

/** The code and link in the letter that the server captured for the owner. */
async function captured(): Promise<{ code: string; link: string }> {
  const outbox = join(home.data_dir, "outbox");
  const name = readdirSync(outbox).find((file) => file.endsWith(".eml")) ?? "";
  const { text = "", to } = await PostalMime.parse(readFileSync(join(outbox, name)));
  expect(to).toMatchObject([{ address: OWNER }]);
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? "";
  const link = /https?:\S+owners\/confirm\S+/.exec(text)?.[0] ?? "";
  expect([code, link]).not.toContain("");
  return { code, link };
}
