import { describe, expect, test } from "vitest";
import {
  ada,
  approvalOf,
  guarded,
  heldMail,
  leftFor,
  letterTo,
  publicly,
  signedIn,
} from "../../../test/approval-inbox.fixture.ts";
import { createTestService } from "../../../testing/index.ts";
import type { ReasonRecord } from "../../model/approvals.ts";
import { EDIT_ERRORS } from "./decide-as.ts";

const bob = "bob@example.net";
const plan = { filename: "plan.txt", content_base64: Buffer.from("the plan").toString("base64") };
const map = { filename: "map.txt", content_base64: Buffer.from("the map").toString("base64") };

type Setting = Awaited<ReturnType<typeof guarded>>;
type Changes = NonNullable<
  Parameters<ReturnType<typeof signedIn>["approvals"]["decideInSession"]>[0]["changes"]
>;

/** A held mail, and how its owner approves it with changes. */
/** The mails of these tests are asked about because all are, not for what is found in them. */
const lookAtNothing = ({ service, inbox_id }: Setting) =>
  service.letterslot.services.storage.update(
    "inboxes",
    { id: inbox_id },
    { effective_outbound: { untrusted: "off", content: "off", new_recipients: "off" } },
  );

async function asked(mail: Record<string, unknown> = {}, setting?: Setting) {
  const at = setting ?? (await guarded());
  await lookAtNothing(at);
  const draft = await heldMail(at, mail);
  const approval_id = draft.approval_id ?? "";
  const { digest } = await approvalOf(at, approval_id);
  const { approvals } = signedIn(at.service);
  const approve = (changes: Changes, more: Record<string, unknown> = {}) =>
    approvals.decideInSession({ approval_id, decision: "approve", digest, changes, ...more });
  return { ...at, draft, approval_id, digest, approvals, approve };
}

/** What was sent to an address last, as text. */
const sentTo = ({ service }: Pick<Setting, "service">, email: string) =>
  new TextDecoder().decode(leftFor(service, email).at(-1)?.raw);

describe("a mail that is approved with changes", () => {
  test("is sent as changed, and says what it was", async () => {
    const at = await asked({ cc: ["eve@example.net"], attachments: [plan, map] });
    const { as, service, inbox_id, approval_id, digest } = at;
    const [first] = at.draft.attachments;
    const answer = await at.approve(
      {
        subject: "Our offer",
        text: "41 euros",
        to: ["Bob <bob@example.net>"],
        cc: [],
        remove_attachments: [first?.id ?? ""],
      },
      { comment: "Too dear." },
    );
    expect(answer).toMatchObject({ status: "approved", edited: true, comment: "Too dear." });
    expect(answer.digest).not.toBe(digest);
    expect(answer.summary).toBe("Email to bob@example.net: Our offer");
    expect(answer.versions).toEqual([
      { digest, by: null, at: answer.requested_at },
      { digest: answer.digest, by: "grace@example.com", at: answer.decided_at },
    ]);
    await service.work();
    const raw = sentTo(at, bob);
    for (const words of ["To: Bob <bob@example.net>", "Subject: Our offer", "41 euros", "map.txt"])
      expect(raw).toContain(words);
    expect(raw).not.toContain("plan.txt");
    expect(leftFor(service, ada)).toEqual([]);
    expect(leftFor(service, "eve@example.net")).toEqual([]);
    const events = await service.letterslot.services.storage.find("events", {
      where: { inbox_id },
      limit: 100,
    });
    const decided = events.find(({ type }) => type === "approval.decided");
    expect(decided?.data).toMatchObject({
      approval: { id: approval_id, edited: true },
      changes: [
        { field: "to", before: ada, after: "Bob <bob@example.net>" },
        { field: "cc", before: "eve@example.net", after: null },
        { field: "subject", before: "Offer", after: "Our offer" },
        { field: "text", before: "42 euros", after: "41 euros" },
        { field: "attachments", before: "plan.txt\nmap.txt", after: "map.txt" },
      ],
    });
    expect((await as.approvals.get({ approval_id })).edited).toBe(true);
    expect(await at.approve({ text: "41 euros" })).toMatchObject({ status: "approved" });
  });

  test("has bytes that have the digest of what was sent", async () => {
    const at = await asked();
    const { digest } = await at.approve({ text: "41 euros" });
    const { bytes } = await at.approvals.canonical({ approval_id: at.approval_id });
    const hash = await crypto.subtle.digest("SHA-256", bytes);
    expect(`sha-256:${Buffer.from(hash).toString("hex")}`).toBe(digest);
  });

  test("becomes plain where only its text is changed, and its HTML is cleaned where that is", async () => {
    const plain = await asked({ text: undefined, html: "<p>42 <b>euros</b></p>" });
    await plain.approve({ text: "41 euros" });
    await plain.service.work();
    expect(sentTo(plain, ada)).not.toContain("text/html");
    const html = await asked({ text: undefined, html: "<p>42</p>" });
    await html.approve({ html: "<p>41 <script>x</script>euros</p>" });
    await html.service.work();
    expect(sentTo(html, ada)).toContain("<p>41 euros</p>");
  });

  test("is just approved where the changes change nothing", async () => {
    const at = await asked();
    expect(await at.approve({ text: "42 euros", to: [ada] })).toMatchObject({
      status: "approved",
      edited: false,
      versions: [],
      digest: at.digest,
    });
  });

  test.each<[string, Changes, Record<string, unknown>, string]>([
    ["nobody left to write to", { to: [] }, {}, "no_recipients"],
    ["no words left", { text: "" }, {}, "missing_body"],
    ["an attachment that isn't there", { remove_attachments: ["att_none"] }, {}, "attachment_not_found"],
    ["another digest", { text: "x" }, { digest: "sha-256:0" }, "approval_changed"],
    ["a rejection", { text: "x" }, { decision: "reject" }, "invalid_request"],
    ["a field that can't be changed", { headers: {} } as Changes, {}, "unknown_parameter"],
  ])("is refused with %s, and nothing is done", async (_what, changes, more, code) => {
    const at = await asked();
    await expect(at.approve(changes, more)).rejects.toMatchObject({ code });
    expect(await approvalOf(at, at.approval_id)).toMatchObject({ status: "pending", digest: at.digest });
    const draft = await at.as.drafts.get({ inbox_id: at.inbox_id, draft_id: at.draft.id });
    expect(draft).toMatchObject({ text: "42 euros", to: [ada], approval_status: "pending" });
  });

  test("is refused with the error that sending would fail with", async () => {
    const at = await asked();
    await at.as.lists.create({ direction: "send", type: "block", entry: bob });
    await expect(at.approve({ to: [bob] })).rejects.toMatchObject({ code: "recipient_blocked" });
    expect(await approvalOf(at, at.approval_id)).toMatchObject({ status: "pending" });
    await at.approve({ text: "41 euros" });
    await at.service.work();
    expect(sentTo(at, ada)).toContain("41 euros");
  });

  test("is refused with a secret of the account or a canary in it, and with what the inbox blocks", async () => {
    const at = await asked();
    const { api_key } = await at.as.keys.create({ name: "k" });
    await expect(at.approve({ text: api_key })).rejects.toMatchObject({ code: "own_secret" });
    const { inbox_id } = at;
    const { canary } = await at.as.canaries.create({ inbox_id, name: "Instructions" });
    await expect(at.approve({ text: canary })).rejects.toMatchObject({ code: "canary_leaked" });
    expect(await approvalOf(at, at.approval_id)).toMatchObject({ status: "pending", digest: at.digest });
    expect(EDIT_ERRORS).toEqual(expect.arrayContaining(["own_secret", "canary_leaked", "outbound_blocked"]));
  });

  test("can't go beyond the budget of the key that asked", async () => {
    const setting = await guarded();
    const { api_key } = await setting.as.keys.create({
      name: "k",
      budget: { recipient_domains: ["example.org"] },
    });
    const { letterslot } = setting.service;
    const as = letterslot.as(await letterslot.authenticate(api_key, null));
    const at = await asked({}, { ...setting, as });
    await expect(at.approve({ to: [bob] })).rejects.toMatchObject({ code: "recipient_outside_budget" });
  });

  test("has its words alone changed, if it is a text or a call", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    await as.phoneNumbers.create({ inbox_id, area_code: "415" });
    const draft = await as.messages.sendSms({ inbox_id, to: "+14155550199", text: "42" });
    if (draft.object !== "draft") throw new Error("it was not held");
    const approval_id = draft.approval_id ?? "";
    const { digest } = await approvalOf(setting, approval_id);
    const { approvals } = signedIn(service);
    const said = { approval_id, decision: "approve" as const, digest };
    await expect(approvals.decideInSession({ ...said, changes: { subject: "x" } })).rejects.toMatchObject({
      code: "invalid_draft",
      param: "changes.subject",
    });
    await expect(approvals.decideInSession({ ...said, changes: { text: " " } })).rejects.toMatchObject({
      code: "missing_text",
    });
    expect(await approvals.decideInSession({ ...said, changes: { text: "41" } })).toMatchObject({
      edited: true,
      summary: "Text message to +14155550199: 41",
    });
  });

  test("is no change of an inbox", async () => {
    const { as, inbox_id, service } = await guarded();
    const change = await as.inboxes.update({ inbox_id, send_mode: "direct" });
    if (change.object !== "approval") throw new Error("it was not held");
    const said = { approval_id: change.id, decision: "approve" as const, digest: change.digest };
    await expect(
      signedIn(service).approvals.decideInSession({ ...said, changes: { text: "x" } }),
    ).rejects.toMatchObject({ code: "invalid_request", param: "changes" });
  });

  test("can't be changed by who may only read it", async () => {
    const service = createTestService();
    const account = await service.signUp("agent");
    const inbox_id = account.inbox.id;
    const owner_id = await service.addOwner(account, "grace@example.com");
    await service.addOwner(account, "anna@example.net");
    await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
    const at = await asked({}, { service, ...account, account, owner_id, inbox_id });
    const { approvals } = signedIn(at.service, "anna@example.net");
    await expect(
      approvals.decideInSession({
        approval_id: at.approval_id,
        decision: "approve",
        digest: at.digest,
        changes: { to: [bob] },
      }),
    ).rejects.toMatchObject({ code: "authority_required" });
  });
});

describe("what is found in the mail as changed", () => {
  const found: ReasonRecord[] = [{ code: "secret", detail: "a private key in the text" }];

  /** A service whose judge finds this in every edit. */
  async function judging() {
    const setting = await guarded(createTestService());
    const { services } = setting.service.letterslot;
    services.heldDrafts = { ...services.heldDrafts, judge: async () => found };
    return asked({}, setting);
  }

  test("comes back once, and its digest approves it", async () => {
    const at = await judging();
    const error = await at.approve({ text: "-----BEGIN" }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "approval_changed",
      reasons: found,
      digest: expect.stringMatching(/^sha-256:/),
    });
    expect(await approvalOf(at, at.approval_id)).toMatchObject({ status: "pending", reasons: [] });
    const { digest } = error as { digest: string };
    await expect(at.approve({ text: "-----BEGIN other" }, { digest })).rejects.toMatchObject({
      code: "approval_changed",
    });
    expect(await at.approve({ text: "-----BEGIN" }, { digest })).toMatchObject({
      status: "approved",
      reasons: found,
      digest,
    });
    await at.service.work();
    expect(leftFor(at.service, ada)).toHaveLength(1);
  });

  test("isn't told again where it was among the reasons", async () => {
    const at = await judging();
    const { storage } = at.service.letterslot.services;
    await storage.update("approvals", { id: at.approval_id }, { reasons: found });
    expect(await at.approve({ text: "41 euros" })).toMatchObject({ status: "approved", reasons: found });
  });
});

describe("versions", () => {
  test("of a mail are shown with what differs, over all its approvals", async () => {
    const at = await asked();
    const { as, inbox_id, approvals } = at;
    await approvals.decideInSession({ approval_id: at.approval_id, decision: "reject", digest: at.digest });
    await as.drafts.update({ inbox_id, draft_id: at.draft.id, text: "40 euros" });
    const again = await as.drafts.send({ inbox_id, draft_id: at.draft.id });
    const approval_id = again.object === "draft" ? (again.approval_id ?? "") : "";
    const { versions } = await approvals.content({ approval_id });
    expect(versions).toMatchObject([
      { approval_id: at.approval_id, by: null, digest: at.digest, changes: [] },
      { approval_id, by: null, changes: [{ field: "text", before: "42 euros", after: "40 euros" }] },
    ]);
    expect((await approvals.content({ approval_id: at.approval_id })).versions).toHaveLength(1);
    const { digest } = await approvalOf(at, approval_id);
    const changes = { subject: "Last offer" };
    await approvals.decideInSession({ approval_id, decision: "approve", digest, changes });
    expect((await approvals.content({ approval_id })).versions.at(-1)).toMatchObject({
      by: "grace@example.com",
      changes: [{ field: "subject", before: "Offer", after: "Last offer" }],
    });
  });
});

test("only as much of the versions is compared as can be in a moment", async () => {
  const at = await asked({ text: "a".repeat(400_000) });
  const { as, inbox_id, approvals } = at;
  let approval_id = at.approval_id;
  for (const letter of ["b", "c", "d", "e", "f"]) {
    await as.drafts.update({ inbox_id, draft_id: at.draft.id, text: letter.repeat(400_000) });
    const again = await as.drafts.send({ inbox_id, draft_id: at.draft.id });
    approval_id = again.object === "draft" ? (again.approval_id ?? "") : "";
  }
  const { versions } = await approvals.content({ approval_id });
  expect(versions).toHaveLength(4);
  expect(versions.at(-1)?.changes).toEqual([
    { field: "text", before: `${"e".repeat(19_999)}…`, after: `${"f".repeat(19_999)}…` },
  ]);
});

describe("races", () => {
  test("of many decisions at once one counts, edited or not", async () => {
    const at = await asked();
    const { approvals, approval_id, digest } = at;
    const outcomes = await Promise.allSettled([
      at.approve({ text: "41 euros" }),
      at.approve({ text: "40 euros" }),
      approvals.decideInSession({ approval_id, decision: "approve", digest }),
      approvals.decideInSession({ approval_id, decision: "reject", digest }),
    ]);
    await at.service.work();
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { status } = await approvalOf(at, approval_id);
    expect(leftFor(at.service, ada)).toHaveLength(status === "approved" ? 1 : 0);
  });

  test("the agent edits while the owner approves with changes: never both", async () => {
    const at = await asked();
    const { as, inbox_id, service } = at;
    const outcomes = await Promise.allSettled([
      as.drafts.update({ inbox_id, draft_id: at.draft.id, text: "4200 euros" }),
      at.approve({ subject: "Our offer" }),
    ]);
    await service.work();
    const sent = leftFor(service, ada).map(({ raw }) => new TextDecoder().decode(raw));
    expect(sent.some((raw) => raw.includes("4200"))).toBe(false);
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
  });
});

test("whoever comes second is told that their changes were not made", async () => {
  const setting = await guarded();
  const anna = "anna@example.net";
  await setting.service.letterslot.operator.accounts.authority.give({
    account_id: setting.account.account_id,
    email: "grace@example.com",
  });
  await setting.service.letterslot.operator.accounts.authority.give({
    account_id: setting.account.account_id,
    email: anna,
  });
  const at = await asked({}, setting);
  await at.approve({ text: "41 euros" });
  const said = { approval_id: at.approval_id, decision: "approve" as const, digest: at.digest };
  const { approvals } = signedIn(setting.service, anna);
  await expect(approvals.decideInSession({ ...said, changes: { text: "40 euros" } })).rejects.toMatchObject({
    code: "approval_closed",
  });
  await expect(approvals.decideInSession(said)).rejects.toMatchObject({ code: "approval_changed" });
  expect(await at.approve({ text: "41 euros" })).toMatchObject({ status: "approved" });
});

describe("recipients of an approved mail", () => {
  const remembered = async ({ service }: Setting) =>
    (
      await service.letterslot.services.storage.find("recipients", {
        where: { account_id: { gt: "" } },
        limit: 10,
      })
    ).filter(({ approved_at }) => approved_at !== null);

  test("are remembered if the person says so, as they were approved", async () => {
    const at = await asked();
    await at.approve({ to: [bob] }, { remember_recipients: true });
    expect(await remembered(at)).toMatchObject([{ address: bob, inbox_id: at.inbox_id }]);
    await at.service.work();
    expect(await remembered(at)).toHaveLength(1);
  });

  test("are not remembered otherwise, nor where it is rejected", async () => {
    const at = await asked();
    await at.approve({ to: [bob] });
    const other = await asked({}, at);
    await other.approvals.decideInSession({
      approval_id: other.approval_id,
      decision: "reject",
      digest: other.digest,
      remember_recipients: true,
    });
    expect(await remembered(at)).toEqual([]);
  });
});

test("a letter's token approves with changes too, in its session", async () => {
  const at = await asked();
  const { token } = await letterTo(at.service);
  const said = { token, decision: "approve" as const, digest: at.digest, changes: { text: "41 euros" } };
  await expect(publicly(at.service).approvals.decide(said)).rejects.toMatchObject({
    code: "session_required",
  });
  expect(await signedIn(at.service).approvals.decide(said)).toMatchObject({
    edited: true,
    decided_by: { method: "page" },
  });
});
