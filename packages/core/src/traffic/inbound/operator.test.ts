import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import type { MailToOperator } from "../../ports/operator-mail.ts";
import { acceptsRecipient } from "./destination.ts";

const POSTMASTERS = [
  "postmaster@letterslot.localhost",
  "POSTMASTER",
  "Abuse@LetterSlot.localhost",
  "postmaster+x@letterslot.localhost",
];

function open(postmaster: string | null) {
  const kept: MailToOperator[] = [];
  const operatorMail = { keep: async (mail: MailToOperator) => void kept.push(mail) };
  const service = createTestService({ postmaster, operatorMail });
  let number = 0;
  const write = async (to: string, headers: string[] = []) => {
    number += 1;
    const mail = {
      from: "ada@a.example",
      to,
      subject: `Subject ${number}`,
      text: "You are listed.",
      headers,
    };
    const accepted = await acceptsRecipient(service.letterslot.services, to);
    const { results } = await service.receive(mail);
    return { accepted, ...results[0] };
  };
  return { service, kept, write };
}

test.each(POSTMASTERS)("mail to %s is accepted and kept for the operator", async (to) => {
  const { kept, write } = open(null);
  expect(await write(to)).toMatchObject({ accepted: "ok", outcome: "recorded", message_id: null });
  expect(kept).toMatchObject([{ recipient: to }]);
  expect(Buffer.from(kept[0]?.raw ?? []).toString()).toContain("You are listed.");
});

test.each(POSTMASTERS)("mail to %s comes to the inbox that the operator named", async (to) => {
  const { service, kept, write } = open("ops@letterslot.localhost");
  const { as, inbox } = await service.signUp("ops");
  expect(await write(to)).toMatchObject({ accepted: "ok", outcome: "stored" });
  const { data } = await as.messages.list({ inbox_id: inbox.id });
  expect(data).toMatchObject([
    {
      text: expect.stringContaining("You are listed.") as string,
      envelope_to: expect.stringMatching(/postmaster|abuse/i) as string,
    },
  ]);
  await as.inboxes.update({ inbox_id: inbox.id, status: "paused" });
  expect(await write(to)).toMatchObject({ accepted: "ok", outcome: "recorded" });
  expect(kept).toHaveLength(1);
});

test("mail to the operator is written on to the address outside that they named", async () => {
  const { service, kept, write } = open("olga@ops.example");
  expect(await write("postmaster@letterslot.localhost")).toMatchObject({
    accepted: "ok",
    outcome: "recorded",
  });
  await service.work();
  const [letter] = service.transport.sent;
  expect(letter?.envelope.rcpt_to).toEqual(["olga@ops.example"]);
  expect(Buffer.from(letter?.raw ?? []).toString()).toContain("You are listed.");
  expect(kept).toEqual([]);
});

test("automatic replies are dropped, a flood is to come later, and other names stay unknown", async () => {
  const { kept, write } = open(null);
  const to = "postmaster@letterslot.localhost";
  expect(await write(to, ["Auto-Submitted: auto-replied"])).toMatchObject({ outcome: "dropped" });
  for (let count = 0; count < 60; count += 1) await write(to);
  expect(await write(to)).toMatchObject({ outcome: "deferred", reason: "too_many" });
  expect(kept).toHaveLength(60);
  for (const other of ["postmaster@other.example", "postmasters@letterslot.localhost", "abuse", "hostmaster"])
    expect(await write(other)).toMatchObject({ accepted: "unknown" });
});
