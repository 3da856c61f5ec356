import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { findAxeViolations } from "./support/axe.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const grace = "grace@example.com";

let served: Served;
let client: ReturnType<Served["client"]>;
let inbox_id: string;
let browser: PhoneBrowser;

beforeAll(async () => {
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "agent" });
  client = served.client(opened.api_key);
  inbox_id = opened.inbox.id;
  const owner = await client.owners.create({ inbox_id, email: grace });
  await served.work();
  await client.owners.confirmWithCode({ inbox_id, owner_id: owner.id, code: served.codeFor(grace) });
  await client.inboxes.update({ inbox_id, send_mode: "approval" });
  browser = await startPhoneBrowser();
});
afterAll(async () => {
  await browser.close();
  await served.close();
});

/** Holds a mail with this HTML, and opens the page on which its owner decides. */
async function pageOf(
  html: string,
  attachments: { filename: string; content_id: string; content_type: string; content_base64: string }[] = [],
) {
  await client.messages.send({ inbox_id, to: ["ada@example.org"], subject: "The hall", html, attachments });
  await served.work();
  const letter = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(grace));
  const text = new TextDecoder().decode(letter?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  const token = /owners\/approve\?token=(\w+)/.exec(text)?.[1] ?? "";
  return browser.open(`${served.base_url}/api/v1/owners/approve?token=${token}`);
}

describe("the page on which an owner decides", () => {
  test("shows HTML rendered, as text and as source", async () => {
    const page = await pageOf(
      '<h1 style="color:#1f5fd0">The hall</h1><p>May we <b>have</b> it?<script>alert(1)</script></p><p><a href="https://example.com/plan">The plan</a> <img src="cid:plan" alt="a plan"></p>',
      [{ filename: "plan.png", content_id: "plan", content_type: "image/png", content_base64: "AAAA" }],
    );
    const frame = page.frameLocator("iframe");
    expect(await frame.locator("body").innerText()).toBe(
      "The hall\n\nMay we have it?\n\nThe plan [image: a plan]",
    );
    expect(await page.frames()[1]?.evaluate("getComputedStyle(document.querySelector('h1')).color")).toBe(
      "rgb(31, 95, 208)",
    );
    expect(await page.locator("pre").first().innerText()).toBe(
      "The hall\n\nMay we have it?\n\nThe plan <https://example.com/plan> [image: a plan]",
    );
    await page.getByText("HTML source").click();
    expect(await page.locator("details pre").innerText()).toContain("<p>May we <b>have</b> it?</p>");
    expect(await page.locator("main").innerText()).toContain("Taken out of the agent's email");
    expect(await page.locator("main").innerText()).toContain("scripts");
    await browser.screenshot(page, "approve-html");
    expect(await findAxeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test("its frame runs nothing, loads nothing and leads nowhere", async () => {
    const page = await pageOf('<p>Pay <a href="https://example.com/">here</a></p>');
    expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const frame = page.frames()[1];
    await frame?.locator("a").click();
    await page.waitForTimeout(200);
    expect(asked.filter((url) => url.startsWith("https://example.com"))).toEqual([]);
    expect(page.url()).toContain("/owners/approve");
    await page.context().close();
  });

  test("tells why it is asked first, and approves with changes, without a script", async () => {
    const page = await pageOf("<p>May we have the hall?</p>", [
      { filename: "plan.txt", content_id: "plan", content_type: "text/plain", content_base64: "AAAA" },
    ]);
    const { storage } = served.letterslot.services;
    const [approval] = await storage.find("approvals", {
      where: { inbox_id },
      order: { by: "id", direction: "desc" },
      limit: 1,
    });
    const reasons = [
      { code: "untrusted_recipient", detail: "ada@example.org", message_id: "msg_1" },
      { code: "elsewhere_attachment", detail: "plan.txt" },
    ];
    await storage.update("approvals", { id: approval?.id ?? "" }, { reasons });
    await page.reload();
    const [first] = (await page.locator("main").innerText()).split("May we have the hall?");
    expect(first).toContain(
      "ada@example.org is new to you. It appears in a mail from a stranger in this inbox.",
    );
    await page.getByText("Change it before you approve").tap();
    await page.getByLabel("Subject").fill("The hall on Monday");
    await page.getByLabel("To (one address a line)").fill("hall@example.org");
    await page.getByLabel("Text", { exact: true }).fill("May we have the hall on Monday?");
    await page.getByLabel("plan.txt").check();
    await page.getByLabel("Comment for your agent (optional)").fill("Only on Monday.");
    await browser.screenshot(page, "approve-edit");
    expect(await findAxeViolations(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    expect(await page.locator("script").count()).toBe(0);
    await page.getByRole("button", { name: "Approve", exact: true }).tap();
    await page.getByText("You changed the email, so nothing was decided.").waitFor();
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe(
      "May we have the hall on Monday?",
    );
    await browser.screenshot(page, "approve-edit-unpressed");
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Approve with changes" }).tap();
    await page.getByLabel("Code").waitFor();
    await served.work();
    await page.getByLabel("Code").fill(served.codeFor(grace));
    await page.getByRole("button", { name: "Continue" }).tap();
    await page.getByText("hall@example.org is new to you.").waitFor();
    await browser.screenshot(page, "approve-edit-found");
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Approve with changes" }).tap();
    await page.getByRole("heading", { name: "This was approved with changes" }).waitFor();
    await served.work();
    const sent = served.transport.sent.findLast(({ envelope }) =>
      envelope.rcpt_to.includes("hall@example.org"),
    );
    const raw = new TextDecoder().decode(sent?.raw);
    expect(raw).toContain("Subject: The hall on Monday");
    expect(raw).not.toContain("plan.txt");
    await page.context().close();
  });
});
