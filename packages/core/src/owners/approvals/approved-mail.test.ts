import { describe, expect, test } from "vitest";
import {
  ada,
  guarded,
  heldMail,
  hour,
  leftFor,
  letterTo,
  signedIn,
} from "../../../test/approval-inbox.fixture.ts";

describe("approved mail is never lost", () => {
  test("a temporary failure is retried", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    service.transport.refuse(ada, "temporary_failure");
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const one = { inbox_id, draft_id: draft.id };
    expect(await as.drafts.get(one)).toMatchObject({ send_status: "sending" });
    const { drafts } = as;
    for (const act of [
      () => drafts.send(one),
      () => drafts.delete(one),
      () => drafts.update({ ...one, text: "y" }),
    ])
      await expect(act()).rejects.toMatchObject({ code: "draft_sending" });
    service.transport.accept(ada);
    await service.clock.advance(hour);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
    await expect(as.drafts.get(one)).rejects.toMatchObject({ code: "draft_not_found" });
  });

  test("a permanent failure fails the message and keeps the draft, which can be sent again", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting, { client_id: "offer" });
    service.transport.refuse(ada, "permanent_failure", "550 5.7.1 refused by policy");
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const one = { inbox_id, draft_id: draft.id };
    expect(await as.drafts.get(one)).toMatchObject({
      send_status: "failed",
      send_error: expect.stringContaining("550"),
      text: "42 euros",
    });
    const failed = await service.letterslot.services.storage.find("events", {
      where: { inbox_id },
      order: { by: "sequence", direction: "asc" },
      limit: 100,
    });
    expect(failed.map(({ type }) => type)).toContain("message.failed");
    service.transport.accept(ada);
    await as.drafts.send(one);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
  });

  test("deleting a message before it is sent restores its draft", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    service.transport.refuse(ada, "temporary_failure");
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const queued = (await as.messages.list({ inbox_id, direction: "outbound", to: ada })).data[0];
    await as.messages.delete({ inbox_id, message_id: queued?.id ?? "" });
    expect(await as.drafts.get({ inbox_id, draft_id: draft.id })).toMatchObject({
      send_status: "failed",
      send_error: "message_deleted",
    });
  });

  test("a permanent obstacle fails the draft and keeps it", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    const draft = await heldMail(setting);
    await as.suppressions.create({ address: ada });
    await signedIn(service).approvals.decide({ token: (await letterTo(service)).token, decision: "approve" });
    await service.work();
    const one = { inbox_id, draft_id: draft.id };
    expect(await as.drafts.get(one)).toMatchObject({
      send_status: "failed",
      send_error: "recipient_suppressed",
    });
    await as.suppressions.delete({ address: ada });
    await as.drafts.send(one);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
  });

  test("a paused inbox sends it when it is resumed", async () => {
    const setting = await guarded();
    const { as, service, inbox_id } = setting;
    await heldMail(setting);
    const { token } = await letterTo(service);
    await as.inboxes.update({ inbox_id, status: "paused" });
    await signedIn(service).approvals.decide({ token, decision: "approve" });
    await service.work();
    expect(leftFor(service, ada)).toEqual([]);
    await as.inboxes.update({ inbox_id, status: "active" });
    await service.clock.advance(hour);
    await service.work();
    expect(leftFor(service, ada)).toHaveLength(1);
  });
});
