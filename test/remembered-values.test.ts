import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../packages/core/testing/index.ts";
import { createPatientScanner } from "./support/patient-scanner.ts";

const grace = "grace@example.com";
const IBAN = "DE89 3704 0044 0532 0130 00";
const OTHER = "GB29 NWBK 6016 1331 9268 19";
const contentScanner = createPatientScanner();
afterAll(() => contentScanner.close());

let service: TestService;
let account: TestAccount;
const here = () => ({ inbox_id: account.inbox.id });
const invoice = (iban: string, inbox_id = account.inbox.id) =>
  account.as.messages.send({ inbox_id, to: [grace], text: `Please pay into the account ${iban}.` });

beforeEach(async () => {
  service = createTestService({ contentScanner });
  account = await service.signUp();
  await service.addOwner(account, grace);
  await account.as.inboxes.update({ ...here(), send_mode: "guarded" });
});

async function approve(sent: Awaited<ReturnType<typeof invoice>>, more: Record<string, unknown> = {}) {
  const approval_id = sent.object === "draft" ? (sent.approval_id ?? "") : "";
  const { digest, reasons } = await account.as.approvals.get({ approval_id });
  expect(reasons).toMatchObject([{ code: "personal_data", detail: "iban in text" }]);
  const person = service.letterslot.asOwner({ email: grace, account_id: "" });
  await person.approvals.decideInSession({ approval_id, digest, decision: "approve", ...more });
}

test("an account number that a person remembered isn't asked about again, however it is written", async () => {
  await approve(await invoice(IBAN));
  await approve(await invoice(IBAN), { remember_values: true });
  expect(await invoice(IBAN)).toMatchObject({ object: "message", outbound_findings: [] });
  expect(await invoice(IBAN.replaceAll(" ", ""))).toMatchObject({ object: "message" });
  expect(await invoice(OTHER)).toMatchObject({ object: "draft" });
  const elsewhere = await account.as.inboxes.create({});
  expect(await invoice(IBAN, elsewhere.id)).toMatchObject({ object: "draft" });
});

test("what is remembered is what was approved: a changed mail's numbers, and none of a rejected one", async () => {
  const sent = await invoice(IBAN);
  const changes = { text: `Please pay into the account ${OTHER}.` };
  await approve(sent, { changes, remember_values: true }).catch(async (error: { digest: string }) => {
    const approval_id = sent.object === "draft" ? (sent.approval_id ?? "") : "";
    await service.letterslot.asOwner({ email: grace, account_id: "" }).approvals.decideInSession({
      ...{ approval_id, digest: error.digest, decision: "approve", changes, remember_values: true },
    });
  });
  expect(await invoice(OTHER)).toMatchObject({ object: "message" });
  await approve(await invoice(IBAN), { decision: "reject", remember_values: true });
  await service.clock.advance(24 * 3600_000);
  expect(await invoice(IBAN)).toMatchObject({ object: "draft" });
});
