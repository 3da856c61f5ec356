import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMailParser } from "../../packages/adapter-smtp/src/reading/mail-parser.ts";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { createTestService, type TestAccount, type TestService } from "../../packages/core/testing/index.ts";
import { caseCount, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { grammaticalMail, mutatedMail } from "../support/mail-grammar.ts";
import { createProgress } from "../support/progress.ts";

const cases = caseCount(1_500, 50_000);
/** The longest time that one mail may block the main thread. */
const MAX_CPU_MS = 250;
/** The service is recreated regularly to bound the test's memory. */
const MAILS_PER_SERVICE = 200;
const MAILS_PER_HOUR = 15;
const HOUR_MS = 3600_000;

const parser = createMailParser();
const nothing = async () => {
  throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
};
const senderAuth = createSenderAuth({ dns: { resolve: nothing }, workers: parser.workers });

let service: TestService;
let ada: TestAccount;
let received = 0;
const told = createProgress("hostile mails", 2 * cases);
const worst = { ms: 0, mail: "" };

async function newService(): Promise<void> {
  service = createTestService({ parser, senderAuth });
  ada = await service.signUp("ada-main");
  await service.addOwner(ada, "mara@family.example.com");
}

beforeAll(newService);
afterAll(async () => {
  console.log(
    `  seed ${PROOF_SEED}: ${received} hostile mails, the worst took ${worst.ms.toFixed(0)} ms of the loop`,
  );
  await parser.close();
});

/** Receives the mail, runs the work it causes, and reads it as an agent would. */
async function takeIn(raw: Uint8Array): Promise<void> {
  received += 1;
  told();
  if (received % MAILS_PER_SERVICE === 0) await newService();
  // Avoid the hourly limits.
  if (received % MAILS_PER_HOUR === 0) await service.clock.advance(HOUR_MS);
  const envelope = {
    mail_from: "mara@family.example.com",
    rcpt_to: [ada.inbox.email],
    client_ip: "198.51.100.9",
    helo: "mx.example.com",
  };
  const before = process.threadCpuUsage();
  const { results } = await service.letterslot.receive({ raw, envelope, origin: "smtp" });
  const { user, system } = process.threadCpuUsage(before);
  const spent = (user + system) / 1000;
  if (spent > worst.ms)
    Object.assign(worst, { ms: spent, mail: Buffer.from(raw).toString("base64").slice(0, 4_000) });
  expect(spent, `of the loop for ${worst.mail}`).toBeLessThan(MAX_CPU_MS);
  const message_id = results[0]?.message_id;
  if (message_id == null) return;
  const inbox_id = ada.inbox.id;
  await service.work();
  await ada.as.messages.get({ inbox_id, message_id });
  await ada.as.messages.explain({ inbox_id, message_id });
}

describe("mail from anyone", () => {
  test("changed at any position is accepted or refused, and never crashes or blocks the service", {
    timeout: PROOF_TIMEOUT_MS,
  }, async () => {
    await fc.assert(fc.asyncProperty(mutatedMail, takeIn), { seed: PROOF_SEED, numRuns: cases });
  });

  test("of any parts in any order is accepted or refused, and never crashes or blocks the service", {
    timeout: PROOF_TIMEOUT_MS,
  }, async () => {
    await fc.assert(fc.asyncProperty(grammaticalMail, takeIn), { seed: PROOF_SEED, numRuns: cases });
  });
});
