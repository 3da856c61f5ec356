import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  ada,
  approvalOf,
  guarded,
  heldMail,
  leftFor,
  signedIn,
} from "../../../test/approval-inbox.fixture.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";

const sha256 = (bytes: Uint8Array) => `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;

/** An approval with these fields, as another version of the service left it. */
async function older(setting: Awaited<ReturnType<typeof guarded>>, fields: Partial<ApprovalRecord>) {
  const { approval_id } = await heldMail(setting);
  const { storage } = setting.service.letterslot.services;
  const id = approval_id ?? "";
  await storage.delete("approval_versions", { approval_id: id });
  await storage.update("approvals", { id }, fields);
  return id;
}

describe("the digest of an approval", () => {
  test("is of its canonical bytes, also once the mail was sent", async () => {
    const setting = await guarded();
    const draft = await heldMail(setting, { subject: "Zoë's offer" });
    const approval_id = draft.approval_id ?? "";
    const { approvals } = signedIn(setting.service);
    const { bytes } = await approvals.canonical({ approval_id });
    const { digest } = await approvalOf(setting, approval_id);
    expect(sha256(bytes)).toBe(digest);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({
      type: "mail",
      to: [ada],
      subject: "Zoë's offer",
    });
    await approvals.decideInSession({ approval_id, decision: "approve", digest });
    await setting.service.work();
    expect(leftFor(setting.service, ada)).toHaveLength(1);
    expect(sha256((await approvals.canonical({ approval_id })).bytes)).toBe(digest);
  });

  test("is of a change's canonical bytes", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    const asked = await as.inboxes.update({ inbox_id, send_mode: "direct" });
    if (asked.object !== "approval") throw new Error("it was not held");
    const { bytes } = await signedIn(service).approvals.canonical({ approval_id: asked.id });
    expect(sha256(bytes)).toBe(asked.digest);
  });

  test("from before decides, and so does that of the canonical bytes", async () => {
    for (const form of ["before", "now"]) {
      const setting = await guarded();
      const digest = await oldDigestOf(setting);
      const approval_id = await older(setting, { digest });
      const { approvals } = signedIn(setting.service);
      const { bytes } = await approvals.canonical({ approval_id });
      await expect(
        approvals.decideInSession({ approval_id, decision: "approve", digest: `sha-256:${digest}` }),
      ).rejects.toMatchObject({ code: "approval_changed" });
      const said = form === "before" ? digest : sha256(bytes);
      await approvals.decideInSession({ approval_id, decision: "approve", digest: said });
      await setting.service.work();
      expect(leftFor(setting.service, ada)).toHaveLength(1);
    }
  });

  test("from before is not asked about again", async () => {
    const setting = await guarded();
    const { as, inbox_id } = setting;
    const approval_id = await older(setting, { digest: await oldDigestOf(setting) });
    const [draft] = (await as.drafts.list({ inbox_id })).data;
    expect(await as.drafts.send({ inbox_id, draft_id: draft?.id ?? "" })).toMatchObject({ approval_id });
  });
});

/** The digest that a version before this form gave the mail of `heldMail`. */
async function oldDigestOf({ inbox, service }: Awaited<ReturnType<typeof guarded>>): Promise<string> {
  const stored = await service.letterslot.services.storage.get("inboxes", inbox.id);
  const facts = {
    ...{ attachments: [], bcc: [], cc: [] },
    from: { address: inbox.email, name: stored?.display_name ?? null },
    ...{ headers: {}, html: null, in_reply_to: null, references: [], reply_to: null, send_at: null },
    ...{ subject: "Offer", text: "42 euros", to: [ada] },
  };
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}
