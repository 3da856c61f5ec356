import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@family.example";
const BO = "bo@elsewhere.example";

let served: Served;
let browser: PhoneBrowser;

beforeAll(async () => {
  [served, browser] = await Promise.all([serve(), startPhoneBrowser()]);
}, 180_000);
afterAll(async () => {
  await Promise.all([served?.close(), browser?.close()]);
});

/** The newest letter to an address, its lines joined again. */
function letterTo(email: string): string {
  const { raw } = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email)) ?? {};
  return new TextDecoder().decode(raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
}
const linkIn = (letter: string, path: string): string =>
  new RegExp(`https?://\\S+${path}\\?token=\\w+`)
    .exec(letter)?.[0]
    .replace(/^https?:\/\/[^/]+/, served.base_url) ?? "none";

test("over HTTP an agent asks, the mailbox types the code on its page, a person decides on theirs, and mail goes on", async () => {
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "ada" });
  const client = served.client(api_key);
  const inbox_id = inbox.id;
  await expect(client.forwarding.create({ inbox_id, email: BO })).rejects.toMatchObject({
    ...{ status: 409, code: "owner_required" },
  });
  const owner = await client.owners.create({ inbox_id, email: GRACE });
  await served.work();
  await client.owners.confirmWithCode({ inbox_id, owner_id: owner.id, code: served.codeFor(GRACE) });

  const said = await served.fetch(`${served.base_url}/api/v1/inboxes/${inbox_id}/forwarding`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ email: BO, everything: true }),
  });
  const asked = (await said.json()) as { id: string; object: string; status: string };
  expect([said.status, asked.object, asked.status]).toEqual([202, "forwarding", "pending"]);
  await served.work();

  const link = linkIn(letterTo(BO), "/forwarding/confirm");
  const right = served.codeFor(BO);
  const page = await browser.open(link);
  expect(await page.textContent("main")).toContain(
    `wants to forward all mail that comes to its inbox to ${BO}`,
  );
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "forwarding-code");
  await page.getByLabel("Code from the newest email").fill(right === "000000" ? "000001" : "000000");
  await page.getByRole("button", { name: "Yes, forward it to me" }).click();
  await page.getByText("The code is wrong.").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "forwarding-wrong");
  await page.getByLabel("Code from the newest email").fill(`${right.slice(0, 3)} ${right.slice(3)}`);
  await page.getByRole("button", { name: "Yes, forward it to me" }).click();
  await page.getByText("A person in charge of the inbox was asked.").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await browser.screenshot(page, "forwarding-asked");
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(390);

  await served.work();
  const decision = await browser.open(linkIn(letterTo(GRACE), "/owners/approve"));
  expect(await decision.textContent("main")).toContain(
    `Forward all mail that comes to ${inbox.email} to ${BO}`,
  );
  expect(await decision.textContent("main")).toContain("codes and links for signing in among it");
  await browser.screenshot(decision, "forwarding-decision");
  await decision.getByRole("button", { name: "Approve" }).click();
  await decision.getByLabel("Code").waitFor();
  await served.work();
  await decision.getByLabel("Code").fill(served.codeFor(GRACE));
  await decision.getByRole("button", { name: "Continue" }).click();
  await decision.getByText("approved", { exact: false }).first().waitFor();
  expect(await client.forwarding.get({ inbox_id, forwarding_id: asked.id })).toMatchObject({
    status: "verified",
  });
  await page.goto(link);
  expect(await page.textContent("main")).toContain("You get this mail");

  await served.letterslot.receive({
    raw: Buffer.from(`From: al@shop.example\r\nTo: ${inbox.email}\r\nSubject: Sale\r\n\r\nBuy.\r\n`),
    envelope: { mail_from: "al@shop.example", rcpt_to: [inbox.email], client_ip: "198.51.100.9", helo: "x" },
    origin: "smtp",
  });
  await served.work();
  expect(letterTo(BO)).toContain("Content-Type: message/rfc822");
  expect((await client.forwarding.list({ inbox_id })).data).toHaveLength(1);
  await client.forwarding.delete({ inbox_id, forwarding_id: asked.id });
  await page.goto(link);
  expect(await page.textContent("main")).toContain("whether its mail may be forwarded to you");
  await browser.screenshot(page, "forwarding-dead");
}, 120_000);

test("a program confirms with JSON, and a link scanner that opens the page confirms nothing", async () => {
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "bea" });
  const client = served.client(api_key);
  const inbox_id = inbox.id;
  const email = "cy@elsewhere.example";
  const owner = await client.owners.create({ inbox_id, email: GRACE });
  await served.work();
  await client.owners.confirmWithCode({ inbox_id, owner_id: owner.id, code: served.codeFor(GRACE) });
  const { id: forwarding_id } = await client.forwarding.create({ inbox_id, email });
  await served.work();
  const link = linkIn(letterTo(email), "/forwarding/confirm");
  for (let times = 0; times < 3; times++) expect((await fetch(link)).status).toBe(200);
  expect((await client.forwarding.get({ inbox_id, forwarding_id })).approval_id).toBeNull();
  const token = /token=(\w+)/.exec(link)?.[1] ?? "";
  await expect(
    served.client().forwarding.confirm({ token: "nothing", code: "123456" }),
  ).rejects.toMatchObject({
    ...{ status: 400, code: "confirm_invalid" },
  });
  expect(await served.client().forwarding.confirm({ token, code: served.codeFor(email) })).toMatchObject({
    confirmed: true,
  });
});
