import { beforeEach, describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { canonicalText, digestOfText } from "../../owners/approvals/content.ts";

const code = (name: string) => expect.objectContaining({ code: name });
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const EMAIL = "grace@example.com";
const MINUTES_5 = 5 * 60_000;

let service: TestService;
let account: TestAccount;
let inbox_id: string;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
  inbox_id = account.inbox.id;
  await service.addOwner(account, EMAIL);
  await service.addOwner(account, "alan@example.com");
  await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
});

/** Has a mail wait; returns its approval. */
async function asked(mail: Record<string, unknown> = {}) {
  const draft = await account.as.messages.send({
    ...{ inbox_id, to: ["bob@example.org"], subject: "An offer <b>" },
    html: '<p style="color:#ff0000" onclick="x()">42 <b>euros</b></p><script>y()</script><img src="https://pics.example/a.png" alt="A">',
    ...mail,
  });
  if (draft.object !== "draft" || draft.approval_id === null) throw new Error("nobody was asked");
  return account.as.approvals.get({ approval_id: draft.approval_id });
}

/** A person in a session of theirs, which `end` ends. */
async function signedIn(email = EMAIL) {
  const { letterslot } = service;
  const { challenge } = await letterslot.startSession({ email, ip: null });
  await service.work();
  const publicly = letterslot.as({ type: "public", ip: null });
  const { id } = await publicly.sessions.create({ email, code: service.codeFor(email), challenge });
  if (id === null) throw new Error("the session needs a passkey");
  const as = letterslot.as(
    await letterslot.callerFor({ email, session_id: id, ip: null }, "approvals.view", {}),
  );
  return { as, end: () => letterslot.services.storage.delete("sessions", { id }) };
}

async function open({ url }: { url: string }) {
  const word = new URL(url).pathname.split("/").at(-1) ?? "";
  const { stream, headers } = await service.letterslot.openView(word);
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  const page = Buffer.concat(pieces).toString();
  return { page, body: page.slice(page.indexOf("</style>") + "</style>".length), headers };
}

describe("a mail that waits for approval", () => {
  test("is shown exactly as it would leave, to whoever decides, for 5 minutes", async () => {
    const { id: approval_id, digest } = await asked();
    const { as } = await signedIn();
    const made = await as.approvals.view({ approval_id, digest });
    expect(made).toEqual({
      object: "message_view",
      url: expect.stringMatching(/^http:\/\/localhost:8025\/view\/lsv[a-z2-7]{38}$/),
      expires_at: new Date(service.clock.now().getTime() + MINUTES_5).toISOString(),
      remote_images: 0,
    });
    const { page, body, headers } = await open(made);
    expect(page).toContain("<title>An offer &lt;b&gt;</title>");
    expect(body).toBe('<p style="color:#ff0000">42 <b>euros</b></p>A');
    expect(headers["Content-Security-Policy"]).toMatch(/^sandbox; default-src 'none'; /);

    await as.approvals.decideInSession({ approval_id, digest, decision: "approve" });
    await service.work();
    const sent = service.transport.sent.map(({ raw }) => Buffer.from(raw).toString().replace(/=\r\n/g, ""));
    expect(sent.at(-1)?.replaceAll("=3D", "=")).toContain(body);

    const late = await asked();
    const view = await as.approvals.view({ approval_id: late.id, digest: late.digest });
    await service.clock.advance(MINUTES_5 - 1);
    await open(view);
    await service.clock.advance(1);
    await expect(open(view)).rejects.toEqual(code("view_not_found"));
  });

  test("has the images that are attached to it, and without HTML is its text", async () => {
    const { as } = await signedIn();
    const attachments = [{ filename: "a.png", content_id: "<sum>", content_base64: PNG }];
    const pictured = await asked({ html: '<p><img src="cid:sum" alt="10"></p>', attachments });
    const view = await as.approvals.view({ approval_id: pictured.id, digest: pictured.digest });
    expect((await open(view)).body).toBe(`<p><img src="data:image/png;base64,${PNG}" alt="10"></p>`);
    const plain = await asked({ html: undefined, text: "1 < 2" });
    const text = await as.approvals.view({ approval_id: plain.id, digest: plain.digest });
    expect((await open(text)).body).toBe("<pre>\n1 &lt; 2</pre>");
  });

  test("is shown for as long as it is what its digest stands for", async () => {
    const { id: approval_id, digest, subject_id: draft_id } = await asked();
    const { as } = await signedIn();
    const made = await as.approvals.view({ approval_id, digest });
    await expect(as.approvals.view({ approval_id, digest: "sha-256:another" })).rejects.toEqual(
      code("approval_changed"),
    );
    await account.as.drafts.update({ inbox_id, draft_id, html: "<!doctype html><p>43 euros</p>" });
    await expect(open(made)).rejects.toEqual(code("approval_changed"));
    await expect(as.approvals.view({ approval_id, digest })).rejects.toEqual(code("approval_changed"));
    const again = await account.as.drafts.send({ inbox_id, draft_id });
    const next = await account.as.approvals.get({
      approval_id: (again as { approval_id: string }).approval_id,
    });
    const view = await as.approvals.view({ approval_id: next.id, digest: next.digest });
    expect((await open(view)).body).toBe("<p>43 euros</p>");
    await account.as.approvals.cancel({ approval_id: next.id });
    await account.as.drafts.delete({ inbox_id, draft_id });
    await expect(open(view)).rejects.toEqual(code("draft_not_found"));
  });

  test("shows what a person made of it once they have approved that", async () => {
    const { id: approval_id, digest } = await asked({
      send_at: new Date(service.clock.now().getTime() + 3600_000).toISOString(),
    });
    const { as } = await signedIn();
    const before = await as.approvals.view({ approval_id, digest });
    const changes = { html: "<p>41 <i>euros</i></p>" };
    const decided = await as.approvals.decideInSession({ approval_id, digest, decision: "approve", changes });
    expect(decided.edited).toBe(true);
    await expect(open(before)).rejects.toEqual(code("approval_changed"));
    const view = await as.approvals.view({ approval_id, digest: decided.digest });
    expect((await open(view)).body).toBe("<p>41 <i>euros</i></p>");
  });

  test("isn't shown where its HTML may hide what it says, as a version that didn't clean held it", async () => {
    const { id: approval_id, subject_id: id } = await asked();
    const { as } = await signedIn();
    const { storage } = service.letterslot.services;
    await storage.update("drafts", { id }, { html: '<p>a</p><p style="display:none">b</p>' });
    const { mail } = await as.approvals.content({ approval_id });
    expect(mail).toMatchObject({ html_renders: false });
    const { bytes } = (await as.approvals.canonical({ approval_id })) as { bytes: Uint8Array };
    // Its digest as it would have been.
    const content = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>;
    const html = '<p>a</p><p style="display:none">b</p>';
    const digest = digestOfText(canonicalText({ ...content, html }));
    await storage.update("approvals", { id: approval_id }, { digest });
    await expect(as.approvals.view({ approval_id, digest })).rejects.toEqual(code("approval_changed"));
  });

  test("is nobody's but theirs who decide, as long as they are signed in and do", async () => {
    const { id: approval_id, digest } = await asked();
    const person = await signedIn();
    // She decides as the first who was verified; then she has charge, and others only read.
    await open(await person.as.approvals.view({ approval_id, digest }));
    const { account_id } = account;
    const grace = service.letterslot.asOwner({ email: EMAIL, account_id });
    await grace.authority.create({ account_id });
    const view = await person.as.approvals.view({ approval_id, digest });
    await open(view);

    const later = await asked({ subject: "Another" });
    const alan = await signedIn("alan@example.com");
    const read = { approval_id: later.id, digest: later.digest };
    expect((await alan.as.approvals.content({ approval_id: later.id })).decides).toBe(false);
    await expect(alan.as.approvals.view(read)).rejects.toEqual(code("authority_required"));
    const stranger = await service.signUp("stranger");
    await service.addOwner(stranger, "eve@example.net");
    const eve = await signedIn("eve@example.net");
    await expect(eve.as.approvals.view(read)).rejects.toEqual(code("approval_not_found"));
    const by_key = account.as as unknown as { approvals: { view(input: object): Promise<unknown> } };
    await expect(by_key.approvals.view(read)).rejects.toEqual(code("owner_only"));

    await person.end();
    await expect(open(view)).rejects.toEqual(code("view_not_found"));
    const again = await signedIn();
    const kept = await again.as.approvals.view({ approval_id, digest });
    const { authority } = service.letterslot.operator.accounts;
    await authority.give({ account_id, email: "ida@example.org" });
    const { storage } = service.letterslot.services;
    const hers = await storage.find("authorities", { where: { account_id, email: EMAIL }, limit: 5 });
    for (const { id } of hers) await authority.end(id);
    await expect(open(kept)).rejects.toEqual(code("view_not_found"));
  });

  test("is what only mails have: other requests have no design", async () => {
    const { id: approval_id } = (await account.as.inboxes.delete({ inbox_id })) as { id: string };
    const { digest } = await account.as.approvals.get({ approval_id });
    const { as } = await signedIn();
    await expect(as.approvals.view({ approval_id, digest })).rejects.toEqual(code("draft_not_found"));
  });
});
