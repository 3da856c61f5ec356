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
import { LIMITS } from "../../catalogue/limits.ts";
import { parseMail } from "../../mail/parse.ts";
import { bodiesOfSame, type Cleanable, cleanDraft, isClean } from "./clean-draft.ts";
import { mailDigest } from "./content.ts";

const PIXEL = Buffer.from("pixel").toString("base64");
const file = {
  ...{ id: "att_x", filename: "a.png", content_type: "image/png", disposition: "inline" as const },
  ...{ size_bytes: 5, hash: "0".repeat(64) },
};

describe("what is approved is what is sent", () => {
  test.each<[trick: string, html: string, shown: string, changes: string[]]>([
    [
      "display: none beaten by !important",
      '<style>p{display:block!important}</style><p>Pay 10</p><p style="display:none">0 euros</p>',
      "Pay 10",
      ["hidden_elements", "style_sheets"],
    ],
    ["a conditional comment", "<p>Pay 10<!--[if mso]>00<![endif]--></p>", "Pay 10", ["comments"]],
    ["CSS content", '<style>p:after{content:"00"}</style><p>Pay 10</p>', "Pay 10", ["style_sheets"]],
    [
      "a hidden element",
      '<p>Pay 10<span hidden style="display:inline">00</span></p>',
      "Pay 10",
      ["hidden_elements"],
    ],
    ["noscript", "<p>Pay 10<noscript>00</noscript></p>", "Pay 1000", []],
    ["CDATA", "<p>Pay 10<![CDATA[00]]></p>", "Pay 10", ["comments"]],
    ["a select", "<p>Pay 10</p><select><option>00</option></select>", "Pay 10\n\n00", ["forms"]],
    ["a remote image", '<p>Pay 10<img src="https://x.test/00.png" alt="00"></p>', "Pay 1000", ["images"]],
    ["white words", '<p>Do <span style="color:#fff">not</span> pay</p>', "Do not pay", ["styles"]],
    ["turned words", "<p>Pay \u202e001</p>", "Pay 001", ["characters"]],
  ])("%s", async (_trick, html, shown, changes) => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting, { html, text: undefined });
    expect(draft).toMatchObject({ text: shown, html_changed: changes.length > 0, html_changes: changes });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({ html_changes: changes });
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ html_changes: changes });

    const letter = await letterTo(service);
    expect(letter.text).toContain(shown.replace(/^/gm, "| "));
    expect(letter.text).not.toContain("not the whole email");
    await signedIn(service).approvals.decide({ token: letter.token, decision: "approve" });
    await service.work();
    const [sent] = leftFor(service, ada);
    const { text, html: sent_html } = await parseMail(sent?.raw ?? new Uint8Array());
    expect(text?.trim()).toBe(shown);
    expect(sent_html?.trim()).toBe(draft.html);
    expect(sent_html).not.toMatch(/<!--|<style|hidden|content|\u202e/);
  });

  test("the text part is made from the HTML, so an agent's other text is not sent", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting, { text: "Pay 10", html: "<p>Pay <b>1000</b></p>" });
    expect(draft).toMatchObject({ text: "Pay 1000", html_changed: true, html_changes: ["text"] });
    const { text } = await letterTo(setting.service);
    expect(text).toContain("| Pay 1000");
    expect(text).not.toContain("| Pay 10\n");
  });

  test("HTML that hides nothing is only written anew", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting, { html: "<P>Hello&nbsp;<B>you</B></P>", text: "Hello you" });
    expect(draft).toMatchObject({
      html: "<!doctype html><p>Hello\u00a0<b>you</b></p>",
      html_changed: false,
      html_changes: [],
    });
  });

  test("a mail without HTML stays as it is", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting, { text: "a  <b>\n\tc" });
    expect(draft).toMatchObject({ text: "a  <b>\n\tc", html: null, html_changed: false });
  });

  test("the approval is bound to the cleaned mail", async () => {
    const setting = await guarded();
    const { service } = setting;
    const draft = await heldMail(setting, { html: "<p>a</p><!-- b -->" });
    const { storage } = service.letterslot.services;
    const stored = await storage.get("drafts", draft.id);
    const inbox = await storage.get("inboxes", setting.inbox_id);
    if (stored === undefined || inbox === undefined) throw new Error("the draft is gone");
    expect(stored.html).toBe("<!doctype html><p>a</p>");
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({
      digest: mailDigest({ ...inbox, copies: [] }, stored),
    });
  });

  test("asking again about a cleaned mail changes nothing, and keeps what was changed", async () => {
    const setting = await guarded();
    const { as, inbox_id } = setting;
    const draft = await heldMail(setting, { html: "<p>a</p><!-- b -->", text: "c" });
    const again = await as.drafts.send({ inbox_id, draft_id: draft.id });
    expect(again).toMatchObject({
      approval_id: draft.approval_id,
      html: draft.html,
      html_changes: ["comments", "text"],
    });
    const changed = await as.drafts.update({ inbox_id, draft_id: draft.id, html: "<p>d</p>" });
    expect(changed).toMatchObject({ html: "<p>d</p>", html_changed: false });
  });

  test("a draft is cleaned when it is sent, not before", async () => {
    const setting = await guarded();
    const { as, inbox_id } = setting;
    const html = "<p>a</p><!-- b -->";
    const draft = await as.drafts.create({ inbox_id, to: [ada], html });
    expect(draft).toMatchObject({ html, html_changed: false });
    const held = await as.drafts.send({ inbox_id, draft_id: draft.id });
    expect(held).toMatchObject({
      html: "<!doctype html><p>a</p>",
      html_changed: true,
      html_changes: ["comments"],
    });
  });

  test("mail that needs no approval is sent as it was given", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    await as.inboxes.update({ inbox_id, send_mode: "direct" });
    await service.work();
    const { token } = await letterTo(service);
    await signedIn(service).approvals.decide({ token, decision: "approve" });
    const sent = await as.messages.send({ inbox_id, to: [ada], html: "<p>a<!-- b --></p>", text: "c" });
    expect(sent).toMatchObject({ html: "<p>a<!-- b --></p>", text: "c" });
  });

  test("nothing that remains is refused", async () => {
    const { as, inbox_id } = await guarded();
    const mail = { inbox_id, to: [ada], subject: "Offer" };
    await expect(
      as.messages.send({ ...mail, html: '<img src="https://x.test/a.png">' }),
    ).rejects.toMatchObject({ code: "missing_body" });
    await expect(as.messages.send({ ...mail, html: "<p>a</p>".repeat(40_000) })).rejects.toMatchObject({
      code: "message_too_large",
    });
    expect(await as.messages.send({ ...mail, html: "<!-- a -->", text: "b" })).toMatchObject({
      html: null,
      text: "b",
      html_changes: ["comments"],
    });
  });
});

describe("a letter that is not the whole email says so", () => {
  const many = Array.from({ length: 40 }, (_, index) => `${"a".repeat(60)}${index}@example.org`);
  test.each<[string, Record<string, unknown>]>([
    ["an attachment", { attachments: [{ filename: "a.txt", content_base64: PIXEL }] }],
    [
      "an image in the text",
      {
        html: '<p>Pay <img src="cid:sum" alt="10"></p>',
        attachments: [
          { filename: "a.png", content_type: "image/png", content_id: "sum", content_base64: PIXEL },
        ],
      },
    ],
    ["a long text", { text: "word ".repeat(3_000) }],
    ["many lines", { text: "\n".repeat(6_000) + "pay" }],
    ["many recipients", { bcc: many }],
  ])("%s", async (_what, mail) => {
    const setting = await guarded();
    await heldMail(setting, mail);
    const { text } = await letterTo(setting.service);
    expect(text).toContain("This is not the whole email.");
    expect(text).not.toContain("reply with APPROVE");
  });

  test("an attached image is named where it stands", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting, {
      html: '<p>Pay <img src="cid:sum" alt="10"></p>',
      attachments: [
        { filename: "a.png", content_type: "image/png", content_id: "<sum>", content_base64: PIXEL },
      ],
    });
    expect(draft).toMatchObject({
      html: '<!doctype html><p>Pay <img src="cid:sum" alt="10"></p>',
      text: "Pay [image: 10]",
    });
  });

  test("invisible characters are shown", async () => {
    const setting = await guarded();
    await heldMail(setting, { subject: "Pay \u202e001", text: "not\u200b \u2066approved\u0008" });
    const { text } = await letterTo(setting.service);
    expect(text).toContain("Subject: Pay [U+202E]001");
    expect(text).toContain("| not[U+200B] [U+2066]approved[U+0008]");
  });
});

test("the owner's page renders cleaned HTML alone", async () => {
  const setting = await guarded();
  const { service } = setting;
  const draft = await heldMail(setting, { html: "<p>a</p><!-- b -->" });
  const { token } = await letterTo(service);
  expect((await publicly(service).approvals.review({ token })).mail).toMatchObject({
    html: "<!doctype html><p>a</p>",
    html_text: "a",
    html_renders: true,
  });
  // As it was held by a version that didn't clean.
  await service.letterslot.services.storage.transaction((transaction) =>
    transaction.update("drafts", { id: draft.id }, { html: "<p>a</p><script>b</script>" }),
  );
  expect((await publicly(service).approvals.review({ token })).mail).toMatchObject({ html_renders: false });
});

test.each<[string, Cleanable["attachments"]]>([
  [
    "one of two with its name",
    [
      { ...file, content_id: "sum" },
      { ...file, content_id: "sum" },
    ],
  ],
  [
    "one that leaves with another's name",
    [
      { ...file, content_id: "sum!" },
      { ...file, content_id: "sum" },
    ],
  ],
  [
    "larger than any that is shown",
    [{ ...file, content_id: "sum", size_bytes: LIMITS.view_picture_bytes + 1 }],
  ],
])("a picture that is %s isn't shown, and doesn't leave in the text", async (_, attachments) => {
  const html = '<p>Pay <img src="cid:sum" alt="10"></p>';
  const draft: Cleanable = { text: null, html, html_changes: [], attachments };
  const { bodies } = await cleanDraft({ contentWorker: undefined }, draft);
  expect(bodies.html).not.toContain("cid:");
  expect(bodies.html).toContain("10");
  expect(await isClean({ contentWorker: undefined }, { html: bodies.html, attachments })).toBe(true);
});

test.each<[string, Partial<Cleanable>]>([
  ["text", { text: "b" }],
  ["HTML", { html: "<p>b</p>" }],
  ["attachments", { attachments: [{ ...file, content_id: "sum" }] }],
])("a draft whose %s changed after it was cleaned is not asked about", async (_, change) => {
  const draft: Cleanable = { text: "a", html: "<p>a</p>", html_changes: [], attachments: [] };
  const cleaned = await cleanDraft({ contentWorker: undefined }, draft);
  expect(bodiesOfSame(cleaned, { ...draft })).toEqual({
    text: "a",
    html: "<!doctype html><p>a</p>",
    html_changes: [],
  });
  expect(() => bodiesOfSame(cleaned, { ...draft, ...change })).toThrow(
    expect.objectContaining({ code: "draft_changed" }),
  );
});

test("a draft that was not cleaned is not asked about", () => {
  const draft: Cleanable = { text: "a", html: null, html_changes: [], attachments: [] };
  expect(() => bodiesOfSame(undefined, draft)).toThrow(expect.objectContaining({ code: "draft_changed" }));
});
