import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCaptureTransport } from "../../packages/adapter-smtp/src/index.ts";
import { createConsole } from "../../packages/console/src/index.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
/** What somebody else's server is asked for. */
const asked: string[] = [];
const elsewhere = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.end("here");
});

const hostile = (tracker: string) =>
  [
    '<body style="font-family: sans-serif"><h1 id="title">Your invoice</h1>',
    `<p><a href="${tracker}/link">Pay it</a></p>`,
    `<img src="${tracker}/picture" alt=""><style>@import "${tracker}/style"; body { background: url(${tracker}/ground) }</style>`,
    '<script>document.getElementById("title").textContent = "It ran"</script>',
    `<img src="x:" onerror="document.title = 1"><meta http-equiv="refresh" content="0;url=${tracker}/refresh">`,
    `<form action="${tracker}/form"><button>Send it</button></form></body>`,
  ].join("\n");

/** The browser says what it refused in such a mail. */
const REFUSAL = /^request to |violates the following|sandboxed|^Blocked /;

let folder: string;
let world: ConsoleWorld;
let transport: ReturnType<typeof createCaptureTransport>;
/** Of the browser in which Grace signs in. */
let page: Page;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-console-outbox-"));
  transport = createCaptureTransport({ directory: folder });
  world = await startConsole({
    console: createConsole({ outbox: true, passkeys: true }),
    capturedMail: transport,
    config: { transport },
  });
}, 180_000);
afterAll(async () => {
  await world?.close();
  elsewhere.close();
  elsewhere.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps a mail as if an agent had sent it. */
async function capture(subject: string, html: string): Promise<void> {
  const head = [`From: ada@letterslot.localhost`, `To: ${GRACE}`, `Subject: ${subject}`, "MIME-Version: 1.0"];
  const raw = Buffer.from([...head, "Content-Type: text/html; charset=utf-8", "", html].join("\r\n"));
  await transport.send({
    ...{ raw, from: "ada@letterslot.localhost", message_id: `<${subject.length}@letterslot.localhost>` },
    envelope: { mail_from: "ada@letterslot.localhost", rcpt_to: [GRACE] },
  });
}

test("whoever signs in finds the code in the captured mail, which shows up by itself", async () => {
  const { served } = world;
  page = await world.open(null, "/outbox");
  await page.getByText("Nothing has been sent yet").waitFor();
  await world.look(page, "outbox-empty");

  const second = await page.context().newPage();
  await second.goto(`${served.base_url}/console/`);
  await second.getByLabel("Your email address").fill(GRACE);
  await second.keyboard.press("Enter");
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    second.getByRole("link", { name: "open the captured mail" }).click(),
  ]);
  await opened.getByRole("heading", { name: "Captured mail" }).waitFor();
  expect(new URL(opened.url()).hash).toBe("#/outbox");
  await served.work();

  await page.getByRole("link", { name: GRACE }).click();
  const letter = page.frameLocator("iframe").locator("body");
  const [code = ""] = /\b\d{6}\b/.exec((await letter.textContent()) ?? "") ?? [];
  await world.look(page, "outbox-letter");
  await page.getByRole("button", { name: "Text", exact: true }).click();
  await page.getByText(code).first().waitFor();
  await page.getByRole("button", { name: "Source" }).click();
  await page.locator("pre").getByText(`To: ${GRACE}`).waitFor();
  await world.look(page, "outbox-source");

  await second.getByLabel("The code from the email").fill(code);
  await second.keyboard.press("Enter");
  await second.getByRole("heading", { name: "Let your first agent in" }).waitFor();
  expect(world.faults()).toEqual([]);
  await Promise.all([opened.close(), second.close()]);
}, 120_000);

test("hostile HTML is shown as it was sent, and can do nothing", async () => {
  await once(elsewhere.listen(0, "127.0.0.1"), "listening");
  await capture("Invoice", hostile(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await world.go(page, "/outbox");
  await page.getByRole("link", { name: "Invoice" }).press("Enter");
  await page.getByText("Pictures of other servers aren't loaded.").waitFor();
  const mail = page.frameLocator("iframe");
  await mail.getByRole("heading", { name: "Your invoice" }).waitFor();
  await mail.getByRole("button", { name: "Send it" }).click();
  expect(await mail.locator("#title").textContent()).toBe("Your invoice");
  expect(asked).toEqual([]);
  const [popup] = await Promise.all([
    page.context().waitForEvent("page"),
    mail.getByRole("link", { name: "Pay it" }).click(),
  ]);
  // A link alone leads away, beside the console.
  await popup.getByText("here").waitFor();
  expect(asked.filter((path) => path !== "/favicon.ico")).toEqual(["/link"]);
  await popup.close();

  const frame = page.locator("iframe");
  expect((await frame.boundingBox())?.width).toBeGreaterThan(500);
  await page.getByRole("button", { name: "As wide as a phone" }).click();
  expect((await frame.boundingBox())?.width).toBeLessThanOrEqual(375);
  await world.look(page, "outbox-hostile");
  expect(world.faults().filter((fault) => !REFUSAL.test(fault))).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
}, 120_000);

test("a first mail is handed over as the person's own, and becomes a task while they watch", async () => {
  const { served } = world;
  await world.go(page, "/start");
  await page.getByRole("button", { name: "Make a code" }).click();
  const [, code = ""] = /pairing code (\S+):/.exec((await page.locator("pre").textContent()) ?? "") ?? [];
  const { inbox, api_key } = await served.client().pairings.pair({ code, username: "ada" });
  await page.getByRole("button", { name: "Send one for me" }).waitFor();
  await world.look(page, "start-send-one");
  await page.getByRole("button", { name: "Send one for me" }).click();
  await page.getByText("The first mail is there").waitFor();
  await world.look(page, "start-sent-one");
  const { data } = await served.client(api_key).tasks.list({});
  expect(data).toMatchObject([{ inbox_id: inbox.id, trusted: true }]);

  await page.getByRole("link", { name: "captured mail" }).click();
  await page.getByRole("heading", { name: "Captured mail" }).waitFor();
  await world.go(page, "/operations");
  await page.getByRole("link", { name: "Captured mail" }).waitFor();
  expect(world.faults()).toEqual([]);
}, 120_000);

test("a server without captured mail has no such view", async () => {
  const other = await startConsole();
  const alone = await other.open(null, "/outbox");
  await alone.getByLabel("Your email address").waitFor();
  expect(await alone.getByText("Captured mail").count()).toBe(0);
  await other.close();
}, 120_000);
