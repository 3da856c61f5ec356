import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyReceipt } from "../../packages/client/src/receipts.ts";
import type { TestAccount } from "../../packages/core/testing/index.ts";
import { createPasskeys } from "../../packages/passkeys/src/index.ts";
import { freePort } from "../support/free-port.ts";
import { type Authenticator, addAuthenticator } from "../support/virtual-authenticator.ts";
import { type ConsoleWorld, startConsole } from "./harness.ts";

const GRACE = "grace@example.com";
const DAY_AND_MORE_MS = 25 * 3600_000;

let world: ConsoleWorld;
let account: TestAccount;
let page: Page;
let device: Authenticator;

beforeAll(async () => {
  const port = await freePort();
  // Passkeys are for names, not for addresses of machines.
  const baseUrl = `http://localhost:${port}`;
  world = await startConsole({ port, config: { baseUrl, passkeys: createPasskeys() } });
  account = await world.served.signUp("ada");
  await world.served.addOwner(account, GRACE);
  await world.served.letterslot
    .asOwner({ email: GRACE, account_id: "" })
    .authority.create({ account_id: account.account_id });
  await account.as.inboxes.update({ inbox_id: account.inbox.id, send_mode: "approval", display_name: "Ada" });
  page = await world.open(GRACE, "/you/passkeys");
  device = await addAuthenticator(page);
}, 180_000);
afterAll(() => world?.close());

/** Has the agent ask for a mail; returns the approval. */
async function asked(mail: Record<string, unknown> = {}) {
  const draft = await account.as.messages.send({
    ...{ inbox_id: account.inbox.id, to: ["ben@example.org"], subject: "Offer" },
    text: "Dear Ben,\n\n42 euros.\n\nAda",
    ...mail,
  });
  if (draft.object !== "draft" || draft.approval_id === null) throw new Error("nobody was asked");
  await world.served.work();
  return account.as.approvals.get({ approval_id: draft.approval_id });
}

const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const press = (name: string) => page.getByRole("button", { name }).click();

/** Saves the receipt of the approval that the page shows, and checks it as anybody can. */
async function receiptOf(approval_id: string) {
  const [download] = await Promise.all([page.waitForEvent("download"), press("Download the receipt")]);
  expect(download.suggestedFilename()).toBe(`receipt-${approval_id}.json`);
  const { jws } = JSON.parse(await readFile(await download.path(), "utf8")) as { jws: string };
  const keys = await world.served.letterslot.operator.approvalKeys.list();
  return (await verifyReceipt(jws, { keys, approval: approval_id, decision: "approve" })).payload;
}

test("a passkey that is added here counts after a day, and approves what asks for one; its receipt is at hand", async () => {
  const plain = await asked();
  await page.getByLabel("Name", { exact: true }).fill("My phone");
  await press("Add a passkey");
  await page.getByRole("list", { name: "Your passkeys" }).getByText("My phone").waitFor();
  await world.look(page, "passkey-added");
  // It doesn't count yet: nothing takes it, and the page says so before anybody waits in vain.
  await world.go(page, `/approvals/${plain.id}`);
  await heading("Send this email?");
  expect(await page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
  await press("Approve");
  await heading("Approved");

  await world.served.clock.advance(DAY_AND_MORE_MS);
  await account.as.inboxes.update({ inbox_id: account.inbox.id, approve_with: "passkey" });
  const approval = await asked({ subject: "A second offer" });
  await world.go(page, `/approvals/${approval.id}`);
  await page.getByText("Approving takes your passkey here.").waitFor();
  expect(await page.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
  await world.look(page, "passkey-approval");
  await press("Approve with your passkey");
  await heading("Approved");
  await page.getByText("With a passkey").waitFor();
  await world.look(page, "passkey-approved");
  expect(await account.as.approvals.get({ approval_id: approval.id })).toMatchObject({
    ...{ status: "approved", decided_by: { email: GRACE, method: "passkey" } },
  });
  expect(await receiptOf(approval.id)).toMatchObject({
    ...{ edited: false, decided_by: { method: "passkey" }, evidence: [{ type: "passkey" }] },
  });
}, 60_000);

test("a device that doesn't verify its person signs nothing, says so, and can be tried again", async () => {
  const approval = await asked({ subject: "A third offer" });
  await world.go(page, `/approvals/${approval.id}`);
  await heading("Send this email?");
  await device.verifies(false);
  await press("Approve with your passkey");
  await page.getByRole("alert").getByText("The passkey did not sign.").waitFor();
  await world.look(page, "passkey-unsigned");
  expect(await account.as.approvals.get({ approval_id: approval.id })).toMatchObject({ status: "pending" });
  await device.verifies(true);
  await press("Approve with your passkey");
  await heading("Approved");
}, 60_000);

test("what a person changes is signed as they changed it, also once something is found in it", async () => {
  const approval = await asked({ subject: "A fourth offer" });
  await world.go(page, `/approvals/${approval.id}`);
  await heading("Send this email?");
  await press("Edit");
  await page.getByLabel("To", { exact: true }).fill("dan@example.net");
  await press("Approve with changes");
  await page.getByText("dan@example.net is new to you.").waitFor();
  expect((await account.as.approvals.get({ approval_id: approval.id })).status).toBe("pending");
  await press("Approve anyway");
  await heading("Approved with changes");
  expect(await receiptOf(approval.id)).toMatchObject({
    ...{ edited: true, decided_by: { method: "passkey" }, evidence: [{ type: "passkey" }] },
  });
}, 60_000);

test("rejecting takes none; where none is asked for, one may sign all the same", async () => {
  const rejected = await asked({ subject: "A fifth offer" });
  await world.go(page, `/approvals/${rejected.id}`);
  await heading("Send this email?");
  await press("Reject");
  await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await heading("Rejected");
  expect(await account.as.approvals.get({ approval_id: rejected.id })).toMatchObject({
    ...{ status: "rejected", decided_by: { method: "session" } },
  });

  const { storage } = world.served.letterslot.services;
  await storage.update("inboxes", { id: account.inbox.id }, { approve_with: "session" });
  const approval = await asked({ subject: "A sixth offer" });
  await world.go(page, `/approvals/${approval.id}`);
  await press("Sign with a passkey");
  await heading("Approved");
  expect(await receiptOf(approval.id)).toMatchObject({ evidence: [{ type: "passkey" }] });
  expect(world.faults().filter((fault) => !fault.includes("409 (Conflict)"))).toEqual([]);
}, 60_000);
