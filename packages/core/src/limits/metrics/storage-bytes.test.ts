import { describe, expect, test } from "vitest";
import { seeded } from "../../../../../test/support/seeded.ts";
import { buildMail, forgedFrom, signedBy } from "../../../testing/build-mail.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { scanTable } from "../../account/transfer/scan.ts";
import type { MessageRecord } from "../../model/messages.ts";

const DAY_MS = 24 * 3600_000;
const MAX_FILE_BYTES = 3_000;
const FRIEND = "bo@sender.example";

/** The bytes of an account's messages and of its drafts' attachments, read from every record. */
async function scan({ letterslot }: TestService, { account_id }: TestAccount): Promise<number> {
  const { storage } = letterslot.services;
  let bytes = 0;
  for (const table of ["messages", "drafts", "trash"] as const)
    for await (const batch of scanTable(storage, table))
      for (const record of batch as unknown as (Partial<MessageRecord> &
        Pick<MessageRecord, "attachments">)[]) {
        if (record.account_id !== account_id) continue;
        bytes += record.size_bytes ?? record.attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
      }
  return bytes;
}

const counted = async ({ as }: TestAccount) => (await as.metrics.usage({})).storage_bytes;

/** A random operation that stores or deletes mail or a draft. */
function operationOf(
  service: TestService,
  account: TestAccount,
  random: () => number,
): (() => Promise<unknown>) | undefined {
  const { as } = account;
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const file = () => ({
    filename: "a.bin",
    content_base64: Buffer.alloc(1 + Math.floor(random() * MAX_FILE_BYTES), random() * 256).toString(
      "base64",
    ),
  });
  const files = () => Array.from({ length: Math.floor(random() * 3) }, file);
  const permanent = random() < 0.5;
  const words = () => "Hello ".repeat(1 + Math.floor(random() * 40));
  const anInbox = async () => pick((await as.inboxes.list({})).data)?.id ?? "none";
  const aMessage = async (inbox_id: string) => pick((await as.messages.list({ inbox_id })).data);
  const aDraft = async (inbox_id: string) => pick((await as.drafts.list({ inbox_id })).data);

  const receive = async () => {
    const to = pick((await as.inboxes.list({})).data)?.email ?? account.inbox.email;
    const raw = buildMail({ from: FRIEND, to, text: words(), message_id: `<${random()}@sender.example>` });
    await service.receiveRaw(raw, to, FRIEND, forgedFrom("sender.example"));
    // Its genuine copy, some headers longer, takes its place.
    const copy = Buffer.concat([Buffer.from("X-Way: another\r\n".repeat(1 + Math.floor(random() * 9))), raw]);
    if (random() < 0.5) await service.receiveRaw(copy, to, FRIEND, signedBy("sender.example"));
  };
  const inject = async () =>
    as.messages.inject({ inbox_id: await anInbox(), from: FRIEND, text: words(), attachments: files() });
  const send = async () =>
    as.messages.send({ inbox_id: await anInbox(), to: [FRIEND], text: words(), attachments: files() });
  const forward = async () => {
    const inbox_id = await anInbox();
    const message_id = (await aMessage(inbox_id))?.id ?? "none";
    return as.messages.forward({ inbox_id, message_id, to: [FRIEND] });
  };
  const draft = async () =>
    as.drafts.create({ inbox_id: await anInbox(), to: [FRIEND], text: words(), attachments: files() });
  const editDraft = async () => {
    const inbox_id = await anInbox();
    const found = await aDraft(inbox_id);
    const gone = found?.attachments[0]?.id;
    return as.drafts.update({
      ...{ inbox_id, draft_id: found?.id ?? "none", subject: words().slice(0, 60) },
      ...{ add_attachments: files(), remove_attachments: gone === undefined ? [] : [gone] },
    });
  };
  const sendDraft = async () => {
    const inbox_id = await anInbox();
    return as.drafts.send({ inbox_id, draft_id: (await aDraft(inbox_id))?.id ?? "none" });
  };
  const deleteDraft = async () => {
    const inbox_id = await anInbox();
    return as.drafts.delete({ inbox_id, draft_id: (await aDraft(inbox_id))?.id ?? "none", permanent });
  };
  const deleteMessage = async () => {
    const inbox_id = await anInbox();
    return as.messages.delete({ inbox_id, message_id: (await aMessage(inbox_id))?.id ?? "none", permanent });
  };
  const deleteThread = async () => {
    const inbox_id = await anInbox();
    const thread_id = (await aMessage(inbox_id))?.thread_id ?? "none";
    return as.threads.delete({ inbox_id, thread_id, permanent });
  };
  const restore = async () => {
    const inbox_id = await anInbox();
    const folder = "trash" as const;
    const message_id = pick((await as.messages.list({ inbox_id, folder })).data)?.id ?? "none";
    const thread_id = pick((await as.threads.list({ inbox_id, folder })).data)?.id ?? "none";
    const draft_id = pick((await as.drafts.list({ inbox_id, folder })).data)?.id ?? "none";
    const gone = pick((await as.inboxes.list({ folder })).data)?.id ?? "none";
    return Promise.allSettled([
      as.messages.restore({ inbox_id, message_id }),
      as.threads.restore({ inbox_id, thread_id }),
      as.drafts.restore({ inbox_id, draft_id }),
      as.inboxes.restore({ inbox_id: gone }),
    ]);
  };
  const openInbox = () => as.inboxes.create(random() < 0.5 ? { ttl_hours: 1 } : {});
  const deleteInbox = async () => as.inboxes.delete({ inbox_id: await anInbox(), permanent });
  const storing: (() => Promise<unknown>)[] = [
    receive,
    receive,
    inject,
    send,
    forward,
    draft,
    editDraft,
    openInbox,
  ];
  const deleting: (() => Promise<unknown>)[] = [
    sendDraft,
    deleteDraft,
    deleteMessage,
    deleteThread,
    deleteInbox,
    restore,
  ];
  return pick(random() < 0.7 ? storing : deleting);
}

/** Random operations, some at a time; each is tried, and some fail. */
function historyOf(service: TestService, account: TestAccount, random: () => number) {
  const { as } = account;
  return {
    /** Stores six files of the largest size that a history knows. */
    async begin() {
      const content_base64 = Buffer.alloc(MAX_FILE_BYTES).toString("base64");
      const attachments = Array.from({ length: 6 }, () => ({ filename: "a.bin", content_base64 }));
      await as.messages.send({ inbox_id: account.inbox.id, to: [FRIEND], text: "Hello", attachments });
    },
    async some(count: number) {
      // Each operation has a generator of its own: what is tried doesn't depend on which of them is faster.
      const generators = Array.from({ length: count }, () => seeded(random() * 2 ** 32));
      await Promise.allSettled(generators.map(async (own) => operationOf(service, account, own)?.()));
      if (random() >= 0.2) return;
      await service.clock.advance(8 * DAY_MS);
      await service.letterslot.sweep();
      await service.work();
    },
    async deleteAll() {
      for (const folder of [undefined, "trash"] as const)
        for (const { id } of (await as.inboxes.list({ folder })).data)
          await as.inboxes.delete({ inbox_id: id, permanent: true });
    },
  };
}

describe("the stored bytes of an account", () => {
  test.each([1, 2, 3])("are those that a scan finds, after random history %i", async (seed) => {
    const service = createTestService();
    const account = await service.signUp();
    const history = historyOf(service, account, seeded(seed));
    await history.begin();
    let most = await scan(service, account);
    for (let round = 0; round < 12; round++) {
      await history.some(6);
      await service.work();
      const bytes = await scan(service, account);
      expect([round, await counted(account)]).toEqual([round, bytes]);
      most = Math.max(most, bytes);
    }
    expect(most).toBeGreaterThan(5 * MAX_FILE_BYTES);
    await history.deleteAll();
    await service.work();
    expect([await scan(service, account), await counted(account)]).toEqual([0, 0]);
  });

  test("are the whole mail's, whatever else is stored of it, and no other account's", async () => {
    const service = createTestService();
    const account = await service.signUp();
    const stranger = await service.signUp("stranger");
    const raw = buildMail({ from: FRIEND, to: account.inbox.email, text: "Hello" });
    const report = await service.receiveRaw(raw, account.inbox.email, FRIEND, signedBy("sender.example"));
    expect([await counted(account), await counted(stranger)]).toEqual([raw.length, 0]);
    const message_id = report.results[0]?.message_id ?? "";
    await account.as.messages.delete({ inbox_id: account.inbox.id, message_id, permanent: true });
    expect(await counted(account)).toBe(0);
  });
});
