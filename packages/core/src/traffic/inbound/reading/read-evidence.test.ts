import { expect, test } from "vitest";
import { createTestService, forgedFrom } from "../../../../testing/index.ts";
import { fail } from "../../../catalogue/errors.ts";
import { readMail } from "../../../mail/read-mail.ts";

/** A service that notes when a mail's sender is checked and when it is read; each ends as given. */
async function noting(ends: { check?: Error; read?: Error }) {
  const happened: string[] = [];
  const service = createTestService({
    senderAuth: {
      async check() {
        happened.push("check");
        if (ends.check !== undefined) throw ends.check;
        return forgedFrom("evil.test");
      },
    },
    parser: {
      async parse(raw, how) {
        happened.push("read");
        if (ends.read !== undefined) throw ends.read;
        return readMail(raw, how, () => performance.now());
      },
    },
  });
  const { inbox } = await service.signUp();
  const raw = Buffer.from("From: grace@example.org\r\nSubject: Hi\r\n\r\nHello");
  const envelope = { mail_from: "grace@example.org", rcpt_to: [inbox.email], client_ip: null, helo: null };
  return { happened, receive: () => service.letterslot.receive({ raw, envelope, origin: "smtp" }) };
}

test("the sender's check has begun when the mail is read, so that both can be under way", async () => {
  const { happened, receive } = await noting({});
  expect(await receive()).toMatchObject({ results: [{ outcome: "stored" }] });
  expect(happened).toEqual(["check", "read"]);
});

test("a mail that can't be read is refused, and one whose sender can't be checked now is to be sent again", async () => {
  const unreadable = await noting({ read: fail("mail_unreadable") });
  expect(await unreadable.receive()).toMatchObject({ results: [{ reason: "mail_unreadable" }] });
  const unchecked = await noting({ check: new Error("the thread has ended") });
  await expect(unchecked.receive()).rejects.toThrow("the thread has ended");
});
