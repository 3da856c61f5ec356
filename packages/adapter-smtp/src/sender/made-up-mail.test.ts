import { readMail } from "@letterslot/core/mail";
import { expect, test } from "vitest";
import { checkSender } from "./check-sender.ts";
import { MADE_UP_MAIL, MADE_UP_SETTINGS } from "./made-up-mail.ts";

test("the made-up mail goes all the way: each check passes, and both bodies are read", async () => {
  const facts = await checkSender(MADE_UP_MAIL, MADE_UP_SETTINGS);
  expect(facts).toMatchObject({
    spf: { result: "pass" },
    dkim: [{ result: "pass", domain: "letterslot.invalid", key_bits: 2048 }],
    dmarc: { domain: "letterslot.invalid", policy: "reject" },
  });
  const read = await readMail(MADE_UP_MAIL.raw, { screeningTimeoutMs: 60_000 }, () => performance.now());
  expect(read.text).toContain("When does the paper come?");
  expect(read.html).toContain("<b>order</b>");
  expect(read.extraction.extracted_text).not.toContain("When does the paper come?");
  expect(read.screened).toMatchObject({ findings: expect.any(Array) });
});
