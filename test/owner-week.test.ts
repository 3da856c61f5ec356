import { join } from "node:path";
import { type Client, whole } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createDns,
  createMailParser,
  createSenderAuth,
  createSmtpListener,
  createSmtpTransport,
  generateDkimKey,
} from "../packages/adapter-smtp/src/index.ts";
import { startDnsServer } from "../packages/adapter-smtp/test/dns-server.ts";
import { createSqliteStorage } from "../packages/adapter-sqlite/src/index.ts";
import { temporaryFolder } from "../packages/adapter-sqlite/test/temporary-folder.ts";
import { acceptsRecipient } from "../packages/core/internal/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { createMailDomain, type WrittenMail } from "./support/mail-domain.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";
import { type Arrived, type SmtpSink, sendBySmtp, startSmtpSink } from "./support/smtp.ts";

/**
 * A week of Mara, who owns an agent and has no password. Mail goes both ways over SMTP, hers is signed and
 * verified, her pages are opened in a browser, data is stored in SQLite; only the clock is moved by hand.
 */
const MARA = "mara@family.example.com";
const AGENT = "ada@agents.example.org";
const family = createMailDomain("family.example.com");
const LINKS_BEGIN = "http://letterslot.test";
const HOUR_MS = 3600_000;
const DAY_MS = 24 * HOUR_MS;

let served: Served;
let client: Client;
let sink: SmtpSink;
let browser: PhoneBrowser;
let inbox_id: string;
let owner_id: string;
let smtp_port: number;
let mails = 0;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const dns = await startDnsServer({ ...family.zone });
  const { folder, remove } = await temporaryFolder();
  const storage = createSqliteStorage({ path: join(folder, "week.db") });
  const parser = createMailParser();
  const key = await generateDkimKey({ selector: "week" });
  sink = await startSmtpSink();
  const transport = createSmtpTransport({ url: sink.url, dkim: async () => key });
  const senderAuth = createSenderAuth({ dns: createDns({ server: dns.server }), workers: parser.workers });
  served = await serve({
    config: {
      storage,
      transport,
      parser,
      senderAuth,
      baseUrl: LINKS_BEGIN,
      mailDomain: "agents.example.org",
    },
  });
  const { letterslot } = served;
  const listener = await createSmtpListener({
    host: "127.0.0.1",
    port: 0,
    name: "agents.example.org",
    accept: (recipient) => acceptsRecipient(letterslot.services, recipient),
    receive: (mail) => letterslot.receive({ ...mail, origin: "smtp" }),
  });
  smtp_port = listener.port;
  browser = await startPhoneBrowser();
  closing.push(
    () => browser.close(),
    () => listener.close(),
    () => served.close(),
    () => transport.close?.(),
    () => sink.close(),
    () => dns.close(),
    () => parser.close(),
    () => storage.close(),
    remove,
  );
});

afterAll(async () => {
  for (const close of closing) await close();
});

/** Runs all due work, and returns the mail that an address got since the last call. */
async function mailTo(address: string): Promise<Arrived[]> {
  await served.work();
  const here = sink.arrived.filter(({ to }) => to.includes(address));
  const fresh = here.slice(seen.get(address) ?? 0);
  seen.set(address, here.length);
  return fresh;
}
const seen = new Map<string, number>();

/** A letter's link, on this server. */
function linkIn({ text }: Arrived, page: string): string {
  const [link] = new RegExp(`${LINKS_BEGIN}/api/v1/owners/${page}\\?token=\\S+`).exec(text) ?? [];
  if (link === undefined) throw new Error(`no link to ${page} in:\n${text}`);
  return link.replace(LINKS_BEGIN, served.base_url);
}

async function maraReplies(to: Arrived, text: string): Promise<void> {
  mails += 1;
  const mail: WrittenMail = {
    from: `Mara <${MARA}>`,
    to: to.reply_to,
    subject: `Re: ${to.subject}`,
    text: `${text}\n\nAm Do., 1. Jan. 2026 um 14:02 Uhr schrieb Ada <${AGENT}>:\n> ${to.text.split("\n")[0]}\n`,
    message_id: `<week-${mails}@family.example.com>`,
    in_reply_to: to.message_id,
    date: served.clock.now(),
  };
  expect(await sendBySmtp(smtp_port, { raw: await family.sign(mail), from: MARA, to: to.reply_to })).toBe(
    250,
  );
}

/** Opens a page on the phone, does something there, and saves a screenshot. */
async function onPhone(link: string, name: string, button: string | RegExp, then: RegExp): Promise<void> {
  const page = await browser.open(link);
  await page.getByRole("button", { name: button }).tap();
  const code = page.getByLabel("Code");
  const done = page.getByText(then);
  await code.or(done).first().waitFor();
  if ((await code.count()) > 0) {
    const [letter] = await mailTo(MARA);
    await code.fill(/\b\d{6}\b/.exec(letter?.text ?? "")?.[0] ?? "");
    await page.getByRole("button", { name: "Continue" }).tap();
  }
  await done.first().waitFor();
  await browser.screenshot(page, `week/${name}`);
  await page.context().close();
}

const eventTypes = async () =>
  (await client.events.list({ after: "0", limit: 200 })).data.map(({ type }) => type);

describe("a week of an owner who has no password", () => {
  test("Thursday: Mara is asked whether she owns the agent, and confirms on her phone", async () => {
    const signed = await served
      .client()
      .accounts.onboard({ username: "ada", display_name: "Ada", owner_email: MARA });
    client = served.client(signed.api_key);
    inbox_id = signed.inbox.id;
    const [letter, ...more] = await mailTo(MARA);
    expect(more).toEqual([]);
    if (letter === undefined) throw new Error("no letter");
    await onPhone(linkIn(letter, "confirm"), "1-confirmed", "Yes, I am its owner", /You are confirmed/);
    const [owner] = (await client.owners.list({ inbox_id })).data;
    expect(owner).toMatchObject({ email: MARA, status: "verified", digest: "immediate" });
    owner_id = owner?.id ?? "";
    expect(await eventTypes()).toContain("owner.verified");
  });

  test("she gets a progress update", async () => {
    const update = whole(
      await client.updates.create({
        inbox_id,
        kind: "progress",
        title: "Three venues are free",
        text: "Two are close by.",
        task_id: "party",
      }),
    );
    expect(update.deliveries).toMatchObject([{ owner_id, email: MARA, mode: "immediate", status: "sent" }]);
    const [letter] = await mailTo(MARA);
    expect(letter).toMatchObject({ subject: "[Progress] Three venues are free" });
    expect(letter?.raw).toMatch(/^DKIM-Signature: .*d=agents\.example\.org/ms);
    expect(letter?.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
  });

  test("she answers a question with a button, and the agent gets the value", async () => {
    const update = await client.updates.create({
      inbox_id,
      kind: "needs_input",
      title: "Which venue shall I book",
      text: "All are free on the 12th.",
      task_id: "party",
      question: {
        type: "choice",
        options: ["Garden", "Town hall"],
        default: "Garden",
        expires_at: "2026-01-02T12:00:00Z",
      },
    });
    const [letter] = await mailTo(MARA);
    expect(letter?.subject).toBe("Re: [Needs input] Which venue shall I book");
    expect(letter?.in_reply_to).toBeDefined();
    const waiting = client.tasks.claim({ inbox_id, wait: 25, lease_seconds: 600 });
    const button =
      new RegExp(`${LINKS_BEGIN}/api/v1/owners/answer\\?token=\\w+&value=Town%20hall`).exec(
        letter?.text ?? "",
      )?.[0] ?? "";
    await onPhone(
      button.replace(LINKS_BEGIN, served.base_url),
      "2-answered",
      "Send this answer",
      /Your answer was sent/,
    );
    const { task, claim_token } = await waiting;
    expect(task).toMatchObject({
      answers_update_id: update.id,
      task_id: "party",
      answer: { value: "Town hall", method: "page" },
      trusted: true,
      owner_id,
    });
    await client.tasks.complete({
      task_id: task?.id ?? "",
      claim_token: claim_token ?? "",
      result: "The town hall is booked.",
    });
  });

  test("she answers another by mail, in German, which counts as yes", async () => {
    const update = await client.updates.create({
      inbox_id,
      kind: "needs_input",
      title: "Shall I pay the deposit",
      text: "80 €, back after the party.",
      task_id: "party",
      question: { type: "yes_no" },
    });
    const [letter] = await mailTo(MARA);
    if (letter === undefined) throw new Error("no letter");
    await maraReplies(letter, "Hallo Ada,\n\nja gerne, überweise das bitte.\n\nLiebe Grüße\nMara");
    const [task] = (await client.tasks.list({ inbox_id })).data;
    expect(task).toMatchObject({
      answers_update_id: update.id,
      task_id: "party",
      answer: { value: true, method: "reply" },
      trusted: true,
      owner_id,
      auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
    });
    expect(task?.text).not.toContain("schrieb Ada");
    expect((await client.updates.list({ inbox_id })).data[0]).toMatchObject({
      answer: { value: true, owner_id },
    });
    expect((await eventTypes()).filter((type) => type === "owner.reply")).toHaveLength(2);
    await client.tasks.update({ task_id: task?.id ?? "", status: "done" });
  });

  test("the agent sends too many updates in an hour, and the rest wait for a digest", async () => {
    const modes: string[] = [];
    for (let n = 1; n <= 20; n++) {
      const { deliveries } = whole(
        await client.updates.create({
          inbox_id,
          kind: "progress",
          title: `Guest ${n} is invited`,
          text: "By mail.",
        }),
      );
      modes.push(`${deliveries[0]?.status} ${deliveries[0]?.reason ?? ""}`.trim());
    }
    expect(modes.filter((mode) => mode === "sent")).toHaveLength(17);
    expect(modes.slice(17)).toEqual(Array.from({ length: 3 }, () => "queued rate_limited"));
    const letters = await mailTo(MARA);
    expect(letters).toHaveLength(17);
    const page = await browser.open(linkIn(letters[0] as Arrived, "style"));
    await page.getByLabel("Once a day, in one email").check();
    await page.getByRole("button", { name: "Save frequency" }).tap();
    await page.getByRole("status").waitFor();
    await browser.screenshot(page, "week/3-daily");
    await page.context().close();
    expect(await client.owners.get({ inbox_id, owner_id })).toMatchObject({ digest: "daily" });
    // Anyone with that letter could have done it, so she is notified.
    const [told, ...more] = await mailTo(MARA);
    expect(more).toEqual([]);
    expect(told?.text).toContain("Updates: once a day, in one email");
  });

  test("at 13:00 UTC she gets one letter with all of them, and answers that by mail too", async () => {
    const update = await client.updates.create({
      inbox_id,
      kind: "needs_input",
      title: "How many chairs",
      text: "The hall has 40.",
      question: { type: "number" },
    });
    await client.updates.create({
      inbox_id,
      kind: "done",
      title: "The band is booked",
      text: "They play until midnight.",
    });
    await served.clock.advance(12 * HOUR_MS);
    expect(await mailTo(MARA)).toEqual([]);
    await served.clock.advance(2 * HOUR_MS);
    const [digest, ...more] = await mailTo(MARA);
    expect(more).toEqual([]);
    expect(digest?.subject).toBe("Today from Ada: 1 question, 1 done, 3 in progress");
    if (digest === undefined) throw new Error("no digest");
    await maraReplies(digest, "Etwa fünfzig");
    expect((await client.tasks.list({ inbox_id })).data).toMatchObject([
      { answers_update_id: update.id, answer: { value: 50 } },
    ]);
    const deliveries = (await client.updates.list({ inbox_id })).data.map(
      (each) => each.deliveries[0]?.status,
    );
    expect(new Set(deliveries)).toEqual(new Set(["sent"]));
  });

  test("Sunday: she approves a mail before it is sent, on a page that shows all of it", async () => {
    await served.clock.advance(3 * DAY_MS);
    expect(await mailTo(MARA)).toEqual([]);
    await client.inboxes.update({ inbox_id, send_mode: "approval" });
    const held = await client.messages.send({
      inbox_id,
      to: ["hall@venues.example.net"],
      subject: "The 12th",
      text: "We take the hall.",
    });
    expect(held.object).toBe("draft");
    const [letter] = await mailTo(MARA);
    expect(await mailTo("hall@venues.example.net")).toEqual([]);
    if (letter === undefined) throw new Error("no letter");
    await onPhone(linkIn(letter, "approve"), "4-approved", "Approve", /This was approved/);
    const [sent, ...twice] = await mailTo("hall@venues.example.net");
    expect(twice).toEqual([]);
    expect(sent).toMatchObject({ subject: "The 12th" });
    expect(sent?.text).toContain("We take the hall.");
    const [approval] = (await client.approvals.list({ inbox_id })).data;
    expect(approval).toMatchObject({
      status: "approved",
      decided_by: { owner_id, email: MARA, method: "page" },
    });
    await client.inboxes.update({ inbox_id, send_mode: "direct" });
    const [question] = await mailTo(MARA);
    if (question === undefined) throw new Error("no question");
    // By mail only the sending of a mail is approved.
    await onPhone(linkIn(question, "approve"), "5-direct-again", "Approve", /This was approved/);
    expect(await client.inboxes.get({ inbox_id })).toMatchObject({ send_mode: "direct" });
  });

  test("Wednesday: she has had enough, and one click in her mail client ends the updates", async () => {
    await served.clock.advance(3 * DAY_MS);
    await client.updates.create({
      inbox_id,
      kind: "done",
      title: "The party is over",
      text: "All went well.",
    });
    await client.digests.flush();
    const [letter] = await mailTo(MARA);
    const header =
      /^List-Unsubscribe:\s*<([^>]+)>/m.exec((letter?.raw ?? "").replace(/\r\n[ \t]+/g, " "))?.[1] ?? "";
    const answer = await fetch(header.replace(LINKS_BEGIN, served.base_url), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(answer.status).toBe(200);
    const { deliveries } = whole(
      await client.updates.create({
        inbox_id,
        kind: "done",
        title: "One more thing",
        text: "A scarf was left.",
      }),
    );
    expect(deliveries).toMatchObject([{ status: "skipped", reason: "unsubscribed" }]);
    await served.clock.advance(2 * DAY_MS);
    // Somebody else could have had the link, so one letter reports its effect.
    expect((await mailTo(MARA)).map(({ subject }) => subject)).toEqual(["Updates from Ada have stopped"]);
    expect(await eventTypes()).toContain("owner.unsubscribed");
    expect((await client.owners.get({ inbox_id, owner_id })).status).toBe("verified");
  });

  test("and her mail still becomes a task", async () => {
    const anything = sink.arrived.find(
      ({ subject }) => subject === "[Progress] Three venues are free",
    ) as Arrived;
    await maraReplies(anything, "Please send the scarf to my sister.");
    expect((await client.tasks.list({ inbox_id })).data[0]).toMatchObject({
      trusted: true,
      owner_id,
      task_id: "party",
      text: expect.stringContaining("scarf"),
    });
  });
});
