import { describe, expect, test } from "vitest";
import {
  ada,
  approvalOf,
  grace,
  guarded,
  heldMail,
  hour,
  leftFor,
  publicly,
  signedIn,
} from "../../../test/approval-inbox.fixture.ts";
import { parseMail } from "../../mail/parse.ts";

const quarter = 15 * 60_000;

describe("a flood of questions", () => {
  test("reaches a person in three letters, and one that lists what waits", async () => {
    const setting = await guarded();
    const { service, as, inbox_id } = setting;
    const before = leftFor(service, grace).length;
    for (let asked = 1; asked <= 6; asked++)
      await heldMail(setting, { text: String(asked), subject: `No ${asked}` });
    expect(leftFor(service, grace)).toHaveLength(before + 3);
    await as.approvals.cancel({
      approval_id: (await as.approvals.list({ status: "pending" })).data[0]?.id ?? "",
    });
    await service.clock.advance(quarter);
    await service.work();
    const letters = leftFor(service, grace);
    expect(letters).toHaveLength(before + 4);
    const letter = await parseMail(letters.at(-1)?.raw ?? new Uint8Array());
    expect(letter.subject).toBe("5 requests wait for your decision");
    for (const asked of [1, 2, 3, 4, 5]) expect(letter.text).toContain(`No ${asked}`);
    expect(letter.text).not.toContain("No 6");
    // It is in no inbox, where an agent could read it.
    const stored = JSON.stringify((await as.messages.list({ inbox_id, limit: 100 })).data);
    expect(stored).not.toContain("requests wait for your decision");
    const tokens = [...(letter.text ?? "").matchAll(/owners\/approve\?token=(\w+)/g)].map(
      ([, token = ""]) => token,
    );
    expect(tokens).toHaveLength(5);
    const review = await publicly(service).approvals.review({ token: tokens[4] ?? "" });
    expect(review).toMatchObject({ decides: true, mail: { subject: "No 5" } });
    const said = { token: tokens[4] ?? "", decision: "approve" as const };
    await expect(publicly(service).approvals.decide(said)).rejects.toMatchObject({
      code: "session_required",
    });
    expect(await signedIn(service).approvals.decide(said)).toMatchObject({ status: "approved" });
    await heldMail(setting, { text: "later" });
    expect(leftFor(service, grace)).toHaveLength(before + 5);
  });

  test("makes no letter when nothing waits any more", async () => {
    const setting = await guarded();
    const { service, as } = setting;
    for (let asked = 1; asked <= 4; asked++) {
      const { approval_id } = await heldMail(setting, { text: String(asked) });
      await as.approvals.cancel({ approval_id: approval_id ?? "" });
    }
    const letters = leftFor(service, grace).length;
    await service.clock.advance(quarter);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(letters);
  });

  test("lists twenty, and says how many more there are", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    for (let asked = 1; asked <= 23; asked++)
      await as.messages.send({ inbox_id, to: [ada], text: String(asked) });
    await service.work();
    await service.clock.advance(quarter);
    await service.work();
    const letter = await parseMail(leftFor(service, grace).at(-1)?.raw ?? new Uint8Array());
    expect(letter.subject).toBe("23 requests wait for your decision");
    expect(letter.text?.match(/Review and decide/g)).toHaveLength(20);
    expect(letter.text).toContain("And 3 more");
  });

  test("ends at a hundred open requests of an inbox, and other inboxes still ask", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    const ids: string[] = [];
    for (let asked = 0; asked < 100; asked++) {
      const draft = await as.messages.send({ inbox_id, to: [ada], text: String(asked) });
      if (draft.object === "draft") ids.push(draft.approval_id ?? "");
    }
    await service.clock.advance(hour);
    const more = () => as.messages.send({ inbox_id, to: [ada], text: "more" });
    await expect(more()).rejects.toMatchObject({ code: "approval_limit" });
    expect((await as.drafts.list({ inbox_id, limit: 200 })).data).toHaveLength(100);
    const other = await as.inboxes.create({ username: "other" });
    expect(await as.messages.send({ inbox_id: other.id, to: [ada], text: "x" })).toMatchObject({
      object: "draft",
    });
    await as.approvals.cancel({ approval_id: ids[0] ?? "" });
    expect(await more()).toMatchObject({ object: "draft" });
  });
});

describe("what a person rejected", () => {
  test("isn't asked again for 24 hours, in no draft, but changed it is", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    const draft = await heldMail(setting);
    const approval_id = draft.approval_id ?? "";
    const { digest } = await approvalOf(setting, approval_id);
    await signedIn(service).approvals.decideInSession({ approval_id, decision: "reject", digest });
    const again = () => as.drafts.send({ inbox_id, draft_id: draft.id });
    const resets_at = new Date(service.clock.now().getTime() + 24 * hour).toISOString();
    await expect(again()).rejects.toMatchObject({ code: "approval_rejected", resets_at });
    await expect(heldMail(setting)).rejects.toMatchObject({ code: "approval_rejected" });
    expect((await as.drafts.list({ inbox_id })).data).toHaveLength(1);
    expect(await heldMail(setting, { text: "41 euros" })).toMatchObject({ approval_status: "pending" });
    await service.clock.advance(24 * hour);
    expect(await again()).toMatchObject({ approval_status: "pending" });
  });

  test("isn't asked again with another reason, if it is a release or a change", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    const ask = () => as.inboxes.update({ inbox_id, send_mode: "direct" });
    const asked = await ask();
    if (asked.object !== "approval") throw new Error("it was not held");
    const said = { approval_id: asked.id, digest: asked.digest };
    await signedIn(service).approvals.decideInSession({ ...said, decision: "reject" });
    await expect(ask()).rejects.toMatchObject({ code: "approval_rejected" });
    await service.clock.advance(24 * hour);
    expect(await ask()).toMatchObject({ object: "approval" });
  });
});
