import { parseMail } from "../src/mail/parse.ts";
import { createTestService, type TestAccount, type TestService } from "../testing/index.ts";

/** The verified owner. */
export const grace = "grace@example.com";
/** A recipient of the agent's mail. */
export const ada = "ada@example.org";
/** Milliseconds. */
export const hour = 3600_000;

/** An inbox in approval mode with one verified owner. */
export async function guarded(service = createTestService()) {
  const account = await service.signUp("agent");
  const owner_id = await service.addOwner(account, grace);
  const inbox_id = account.inbox.id;
  await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
  return { service, ...account, account, owner_id, inbox_id };
}

/** The newest letter sent to an address, and the token of its link. */
export async function letterTo({ transport }: TestService, email = grace) {
  const letter = transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  if (letter === undefined) throw new Error(`no letter was sent to ${email}`);
  const mail = await parseMail(letter.raw);
  const token = /owners\/approve\?token=(\w+)/.exec(mail.text ?? "")?.[1] ?? "";
  return { ...mail, message_id: letter.message_id, token };
}

/** The operations for a caller without a key. */
export const publicly = ({ letterslot }: TestService) => letterslot.as({ type: "public", ip: "203.0.113.9" });

/** The operations in the session of a mailbox. */
export const signedIn = ({ letterslot }: TestService, email = grace) =>
  letterslot.asOwner({ email, account_id: "" });

/** The mails sent to an address. */
export const leftFor = ({ transport }: TestService, email: string) =>
  transport.sent.filter(({ envelope }) => envelope.rcpt_to.includes(email));

/** A mail of the agent that is held for approval, after the owner's letter was sent. */
export async function heldMail(
  setting: Awaited<ReturnType<typeof guarded>>,
  mail: Record<string, unknown> = {},
) {
  const { as, inbox_id, service } = setting;
  const draft = await as.messages.send({ inbox_id, to: [ada], subject: "Offer", text: "42 euros", ...mail });
  if (draft.object !== "draft") throw new Error("the mail was not held");
  await service.work();
  return draft;
}

/** An approval's current state. */
export const approvalOf = async ({ as }: TestAccount | { as: TestAccount["as"] }, id: string | null) =>
  as.approvals.get({ approval_id: id ?? "" });

/**
 * Replies to the newest letter to an owner, at its reply address; to another address where `to` says so.
 */
export async function answer(
  service: TestService,
  text: string,
  {
    from = grace,
    to,
    in_reply_to,
    subject = "Hello",
    facts,
  }: {
    from?: string;
    to?: string;
    in_reply_to?: string;
    subject?: string;
    facts?: Parameters<TestService["receive"]>[1];
  } = {},
) {
  const { message_id, reply_to } = await letterTo(service);
  const mail = { from, to: to ?? reply_to[0]?.address ?? "", text, subject };
  const answered = in_reply_to ?? message_id;
  const report = await service.receive({ ...mail, in_reply_to: answered, references: [answered] }, facts);
  await service.work();
  return report;
}
