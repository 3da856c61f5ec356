import { describe, expect, test, vi } from "vitest";
import {
  approvalOf,
  grace,
  guarded,
  heldMail,
  hour,
  leftFor,
  letterTo,
  publicly,
  signedIn,
} from "../../../test/approval-inbox.fixture.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { askAnew } from "./ask.ts";

type Setting = Awaited<ReturnType<typeof guarded>>;

/** A held mail as the upgrade leaves it: the links of its letters have ended, and a job asks anew. */
async function upgraded(mail: Record<string, unknown> = {}) {
  const setting = await guarded();
  const { approval_id } = await heldMail(setting, mail);
  const { token: old } = await letterTo(setting.service);
  const { storage } = setting.service.letterslot.services;
  await storage.delete("approval_letters", { approval_id: approval_id ?? "" });
  await storage.delete("letter_secrets", { inbox_id: setting.inbox_id });
  return { ...setting, approval_id: approval_id ?? "", old, before: leftFor(setting.service, grace).length };
}

/** Adds the job that the migration leaves for an open approval. */
async function addJob({ service }: Pick<Setting, "service">, approval_id: string): Promise<JobRecord> {
  const { storage, clock } = service.letterslot.services;
  const now = iso(clock.now());
  const job: JobRecord = {
    id: `job_ask_${approval_id}`,
    kind: "approval.ask",
    subject_id: approval_id,
    payload: {},
    due_at: now,
    attempts: 0,
    lease: null,
    created_at: now,
  };
  await storage.insert("jobs", job);
  return job;
}

const jobsOf = async ({ service }: Pick<Setting, "service">, approval_id: string) =>
  (
    await service.letterslot.services.storage.find("jobs", { where: { subject_id: approval_id }, limit: 10 })
  ).filter(({ kind }) => kind === "approval.ask");

describe("after an upgrade that ended the links of older letters", () => {
  test("an open approval is asked anew, as the same request", async () => {
    const setting = await upgraded();
    const { service, approval_id, old, before } = setting;
    const asked = await approvalOf(setting, approval_id);
    await addJob(setting, approval_id);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before + 1);
    const { token } = await letterTo(service);
    expect(token).not.toBe(old);
    await expect(publicly(service).approvals.review({ token: old })).rejects.toMatchObject({
      code: "approval_link_invalid",
    });
    expect(await publicly(service).approvals.review({ token })).toMatchObject({
      approval: { id: approval_id, digest: asked.digest, expires_at: asked.expires_at },
    });
    expect(await jobsOf(setting, approval_id)).toEqual([]);
    expect(await signedIn(service).approvals.decide({ token, decision: "approve" })).toMatchObject({
      status: "approved",
    });
    await service.work();
    expect(leftFor(service, "ada@example.org")).toHaveLength(1);
  });

  test("a crash in the middle leaves the job, and one letter goes out in the end", async () => {
    const setting = await upgraded();
    const { service, approval_id, before } = setting;
    const { storage } = service.letterslot.services;
    await addJob(setting, approval_id);
    const { transaction } = storage;
    vi.spyOn(storage, "transaction").mockImplementationOnce((run, ...more) =>
      transaction.call(
        storage,
        async (tx) => {
          await run(tx);
          throw new Error("power cut");
        },
        ...more,
      ),
    );
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before);
    expect(await jobsOf(setting, approval_id)).toHaveLength(1);
    await service.clock.advance(60_000);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before + 1);
    expect(await jobsOf(setting, approval_id)).toEqual([]);
  });

  test("the job done by two workers at once asks once", async () => {
    const setting = await upgraded();
    const { service, approval_id, before } = setting;
    const { services } = service.letterslot;
    const job = await addJob(setting, approval_id);
    await services.storage.update("jobs", { id: job.id }, { lease: "req_1" });
    const leased = { ...job, lease: "req_1" };
    const outcomes = await Promise.allSettled([askAnew(services, leased), askAnew(services, leased)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before + 1);
  });

  test.each<[string, (setting: Awaited<ReturnType<typeof upgraded>>) => Promise<unknown>]>([
    ["was cancelled", ({ as, approval_id }) => as.approvals.cancel({ approval_id })],
    ["has expired", ({ service }) => service.clock.advance(73 * hour)],
    [
      "has lost its draft",
      async ({ as, inbox_id }) => {
        const [draft] = (await as.drafts.list({ inbox_id })).data;
        await as.drafts.delete({ inbox_id, draft_id: draft?.id ?? "" });
      },
    ],
  ])("nobody is asked about one that %s", async (_what, end) => {
    const setting = await upgraded();
    const { service, approval_id, before } = setting;
    await end(setting);
    await addJob(setting, approval_id);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before);
    expect(await jobsOf(setting, approval_id)).toEqual([]);
  });

  test("a change of an inbox is asked anew too", async () => {
    const setting = await guarded();
    const { service, as, inbox_id } = setting;
    const held = await as.inboxes.update({ inbox_id, send_mode: "direct" });
    await service.work();
    const before = leftFor(service, grace).length;
    await addJob(setting, held.id);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before + 1);
    expect((await letterTo(service)).text).toContain("send email without your approval");
  });

  test("mail that can't be shown to an owner is asked about no more, and its draft stays", async () => {
    const setting = await upgraded();
    const { service, as, inbox_id, approval_id, before } = setting;
    const { storage } = service.letterslot.services;
    const [draft] = (await as.drafts.list({ inbox_id })).data;
    const html = `<p>${"x".repeat(400_000)}</p>`;
    await storage.update("drafts", { id: draft?.id ?? "" }, { html });
    await addJob(setting, approval_id);
    await service.work();
    expect(leftFor(service, grace)).toHaveLength(before);
    expect(await jobsOf(setting, approval_id)).toEqual([]);
    expect(await approvalOf(setting, approval_id)).toMatchObject({ status: "cancelled" });
    expect(await as.drafts.get({ inbox_id, draft_id: draft?.id ?? "" })).toMatchObject({
      approval_status: "cancelled",
    });
  });
});
