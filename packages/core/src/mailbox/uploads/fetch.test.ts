import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { Plans } from "../../catalogue/plans.ts";

const code = (name: string, more: Record<string, unknown> = {}) =>
  expect.objectContaining({ code: name, ...more });
const HOUR_MS = 3_600_000;
const base = "https://files.example.com/reports/";
const mail = { to: ["olga@example.com"], subject: "Report", text: "Here it is." };

let service: TestService;
let account: TestAccount;
let inbox_id: string;

beforeEach(async () => {
  service = createTestService({ attachmentUrls: [base] });
  account = await service.signUp();
  inbox_id = account.inbox.id;
  service.receivers.documents.set(`${base}q3.pdf`, "%PDF-1.7 report");
  service.receivers.documents.set(`${base}q4.pdf`, "%PDF-1.7 another");
});

const send = (urls: string[], more: Record<string, unknown> = {}) =>
  account.as.messages.send({ inbox_id, ...mail, attachments: urls.map((url) => ({ url })), ...more });
const fetched = () => service.receivers.fetched;

test("a file is attached from its URL, with the name that it says or another", async () => {
  const sent = await account.as.messages.send({
    ...{ inbox_id, ...mail },
    attachments: [
      { url: `${base}q3.pdf` },
      { filename: "between.txt", content_base64: "QQ==" },
      { url: `${base}q4.pdf`, filename: "last.bin", content_type: "application/x-other" },
    ],
  });
  expect(sent.attachments).toMatchObject([
    { filename: "q3.pdf", content_type: "application/pdf", size_bytes: 15 },
    { filename: "between.txt" },
    { filename: "last.bin", content_type: "application/x-other" },
  ]);
  const { bytes } = await account.as.attachments.get({
    ...{ inbox_id, message_id: sent.id, attachment_id: sent.attachments[0]?.id ?? "" },
  });
  expect(Buffer.from(bytes).toString()).toBe("%PDF-1.7 report");
  await service.clock.advance(3 * HOUR_MS);
  await service.work();
  expect(
    (
      await account.as.attachments.get({
        ...{ inbox_id, message_id: sent.id, attachment_id: sent.attachments[0]?.id ?? "" },
      })
    ).bytes.length,
  ).toBe(15);
});

test("drafts, replies and changes of drafts take one too, and what was fetched stays", async () => {
  const draft = await account.as.drafts.create({
    inbox_id,
    ...mail,
    attachments: [{ url: `${base}q3.pdf` }],
  });
  service.receivers.documents.set(`${base}q3.pdf`, "something else");
  const changed = await account.as.drafts.update({
    ...{ inbox_id, draft_id: draft.id, add_attachments: [{ url: `${base}q4.pdf` }] },
  });
  expect(changed.attachments).toMatchObject([{ filename: "q3.pdf" }, { filename: "q4.pdf" }]);
  await account.as.drafts.send({ inbox_id, draft_id: draft.id });
  await service.work();
  const raw = Buffer.from(service.transport.sent.at(-1)?.raw ?? "").toString();
  expect(raw).toContain(Buffer.from("%PDF-1.7 report").toString("base64"));
});

test("what no mail uses goes after its hour", async () => {
  await expect(send([`${base}q3.pdf`, `${base}missing.pdf`])).rejects.toEqual(
    code("attachment_fetch_failed", { param: "attachments[1].url", kind: "upstream" }),
  );
  const { blobs } = service.letterslot.services;
  const hash = await blobs.put(Buffer.from("%PDF-1.7 report"));
  await service.clock.advance(3 * HOUR_MS);
  await service.work();
  expect((await blobs.has([hash])).size).toBe(0);
});

test("nothing is fetched where one of them is refused, or the mail is wrong anyway", async () => {
  await expect(send([`${base}q3.pdf`, "https://elsewhere.example/x"])).rejects.toEqual(
    code("attachment_url_refused", { param: "attachments[1].url", kind: "invalid" }),
  );
  await expect(
    send([], { attachments: [{ url: `${base}q3.pdf` }, { upload_id: "upl_none" }] }),
  ).rejects.toEqual(code("upload_not_found"));
  await expect(send([`${base}${"a".repeat(2_048)}`])).rejects.toEqual(code("attachment_url_refused"));
  expect(fetched()).toEqual([]);
});

test("a dry run fetches nothing", async () => {
  const tries = {
    dry_run: true,
    attachments: [{ content_base64: "QQ==", filename: "a.txt" }, { url: `${base}q3.pdf` }],
  };
  const refused = code("attachment_url_refused", {
    param: "attachments[1].url",
    message: "A dry run fetches nothing: try it with an upload.",
  });
  await expect(send([], tries)).rejects.toEqual(refused);
  const send_at = new Date(service.clock.now().getTime() + HOUR_MS).toISOString();
  await expect(account.as.drafts.create({ inbox_id, ...mail, ...tries, send_at })).rejects.toEqual(refused);
  expect(fetched()).toEqual([]);
});

test("nothing is fetched for a draft that may not be changed", async () => {
  await account.as.allowlist.create({ inbox_id, address: "bo@friend.example" });
  const received = await service.receive({ from: "bo@friend.example", to: account.inbox.email });
  const message_id = received.results[0]?.message_id ?? "";
  const { thread_id } = await account.as.messages.get({ inbox_id, message_id });
  const send_at = new Date(service.clock.now().getTime() + HOUR_MS).toISOString();
  const { id: draft_id } = await account.as.drafts.create({
    ...{ inbox_id, kind: "reply", in_reply_to: message_id, text: "Later.", send_at },
  });
  await account.as.threads.assign({ inbox_id, thread_id, assignee: "worker-1", lease_seconds: 300 });
  await expect(
    account.as.drafts.update({ inbox_id, draft_id, add_attachments: [{ url: `${base}q3.pdf` }] }),
  ).rejects.toEqual(code("thread_claimed"));
  expect(fetched()).toEqual([]);
});

test("where from is read as URLs are, and must end with a slash", async () => {
  service = createTestService({ attachmentUrls: ["https://FILES.example.com/other/../reports/"] });
  account = await service.signUp();
  inbox_id = account.inbox.id;
  service.receivers.documents.set(`${base}q3.pdf`, "%PDF-1.7 report");
  await send([`${base}q3.pdf`]);
  expect(fetched()).toEqual([`${base}q3.pdf`]);
  for (const wrong of [
    ...["https://files.example.com", "https://files.example.com/reports", "http://files.example.com/"],
    ...["https://files.example.com/?a=/", "https://user@files.example.com/", "files/", ""],
  ])
    expect(() => createTestService({ attachmentUrls: [base, wrong] })).toThrow(
      `attachmentUrls has ${wrong}, which is no beginning of https URLs`,
    );
});

test("it is off unless the operator lists where from", async () => {
  service = createTestService();
  account = await service.signUp();
  inbox_id = account.inbox.id;
  await expect(send([`${base}q3.pdf`])).rejects.toEqual(code("attachment_url_refused"));
  expect(fetched()).toEqual([]);
});

test("nothing is fetched where mail might wait, or couldn't leave", async () => {
  const url = `${base}q3.pdf`;
  const refused = async () => {
    await expect(send([url])).rejects.toEqual(code("attachment_url_refused"));
    await expect(account.as.drafts.create({ inbox_id, ...mail, attachments: [{ url }] })).rejects.toEqual(
      code("attachment_url_refused"),
    );
  };
  const guarded = inbox_id;
  inbox_id = (await account.as.inboxes.create({ username: "blocking", outbound: { content: "block" } })).id;
  await refused();
  inbox_id = (await account.as.inboxes.create({ username: "paused" })).id;
  await account.as.inboxes.update({ inbox_id, status: "paused" });
  await refused();
  inbox_id = guarded;
  await service.addOwner(account, "grace@example.org");
  await account.as.inboxes.update({ inbox_id, send_mode: "guarded" });
  await refused();
  expect(fetched()).toEqual([]);
});

test("a key that may only write drafts fetches nothing", async () => {
  const { api_key } = await account.as.keys.create({
    name: "writer",
    permissions: ["draft_write", "draft_read"],
  });
  const writer = service.letterslot.withKey(api_key);
  await expect(
    writer.drafts.create({ inbox_id, ...mail, attachments: [{ url: `${base}q3.pdf` }] }),
  ).rejects.toEqual(code("attachment_url_refused"));
  expect(fetched()).toEqual([]);
});

test("a key with a budget fetches nothing, nor one below it", async () => {
  const { id, api_key } = await account.as.keys.create({
    ...{ name: "small", permissions: ["message_send", "key_write"] },
    budget: { sends_per_day: 100 },
  });
  const below = await service.letterslot.withKey(api_key).keys.create({
    ...{ name: "below", permissions: ["message_send"] },
  });
  for (const key of [api_key, below.api_key])
    await expect(
      service.letterslot.withKey(key).messages.send({
        ...{ inbox_id, ...mail, attachments: [{ url: `${base}q3.pdf` }] },
      }),
    ).rejects.toEqual(code("attachment_url_refused"));
  expect(fetched()).toEqual([]);
  await account.as.keys.update({ key_id: id, budget: null });
  await service.letterslot.withKey(below.api_key).messages.send({
    ...{ inbox_id, ...mail, attachments: [{ url: `${base}q3.pdf` }] },
  });
  expect(fetched()).toHaveLength(1);
});

test("what must never leave doesn't leave in a URL", async () => {
  const { api_key } = await account.as.keys.create({ name: "other" });
  const canary = await account.as.canaries.create({ inbox_id, name: "bait" });
  for (const [word, error] of [
    [api_key, "own_secret"],
    [canary.canary, "canary_leaked"],
  ] as const)
    await expect(send([`${base}${encodeURIComponent(word)}.pdf`])).rejects.toEqual(code(error));
  expect(fetched()).toEqual([]);
});

test("an account has files fetched for few mails at a time", async () => {
  const { storage } = service.letterslot.services;
  const places = Array.from({ length: LIMITS.attachment_fetches_at_once }, (_, nth) => ({
    ...{ name: `fetch:${account.account_id}:${nth}`, holder: `req_${nth}` },
    expires_at: new Date(service.clock.now().getTime() + 30_000).toISOString(),
  }));
  await storage.transaction(async (tx) => tx.append("slots", places));
  await expect(send([`${base}q3.pdf`])).rejects.toEqual(code("rate_limited", { retry_after_seconds: 1 }));
  expect(fetched()).toEqual([]);
  await storage.delete("slots", { holder: "req_3" });
  await send([`${base}q3.pdf`]);
  await send([`${base}q4.pdf`]);
  expect(await storage.count("slots", {}, 9)).toBe(LIMITS.attachment_fetches_at_once - 1);
});

test("nothing is stored that the plan has no room for", async () => {
  const plans = Plans.parse({ default: "free", plans: { free: { storage_mb: 1 } } });
  service = createTestService({ attachmentUrls: [base], plans });
  account = await service.signUp();
  inbox_id = account.inbox.id;
  const large = "a".repeat(1_100_000);
  service.receivers.documents.set(`${base}large.txt`, large);
  const { blobs } = service.letterslot.services;
  await expect(send([`${base}large.txt`])).rejects.toEqual(code("plan_limit_exceeded"));
  expect((await blobs.has([createHash("sha256").update(large).digest("hex")])).size).toBe(0);
});

test("files of more than a mail may have aren't attached, and the same call again fetches nothing", async () => {
  service.receivers.documents.set(`${base}large.bin`, "a".repeat(20_000_000));
  await expect(send([`${base}large.bin`, `${base}large.bin`])).rejects.toEqual(
    code("message_too_large", { param: "attachments[1].url" }),
  );
  const options = { idempotencyKey: "once" };
  const input = { inbox_id, ...mail, attachments: [{ url: `${base}q3.pdf` }] };
  const first = await account.as.messages.send(input, options);
  const before = fetched().length;
  expect((await account.as.messages.send(input, options)).id).toBe(first.id);
  expect(fetched().length).toBe(before);
});
