import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { operations } from "../../operations.ts";
import type { Operation } from "../operation.ts";
import { takesNull } from "./omit-nulls.ts";

const changes = Object.entries(operations).flatMap(([group, verbs]) =>
  Object.entries(verbs)
    .map(([verb, one]) => [`${group}.${verb}`, one as unknown as Operation] as const)
    .filter(([, { patches }]) => patches === true),
);

async function opened() {
  const service = createTestService();
  const account = await service.signUp("ada-main");
  const { as, inbox } = account;
  const inbox_id = inbox.id;
  const call = (name: string, input: object) =>
    service.letterslot.call(account.caller, name, input as Record<string, unknown>) as Promise<
      Record<string, unknown>
    >;
  return { service, as, inbox_id, call };
}

/** Whether a field says which record is changed. */
const namesRecord = (field: string) => field.endsWith("_id") || field === "address";

describe("null in a change", () => {
  const fields = changes.flatMap(([name, { input }]) =>
    Object.entries(input.shape)
      .filter(([field, schema]) => !namesRecord(field) && !takesNull(schema))
      .map(([field]) => [name, field] as const),
  );

  const FOR_OWNERS = ["account.update", "authority.update", "owners.updateMine"];
  test.each(fields.filter(([name]) => !FOR_OWNERS.includes(name)))(
    "of %s is an error in %s, which can't be cleared",
    async (name, field) => {
      const { inbox_id, call } = await opened();
      const [, { input }] = changes.find(([own]) => own === name) as (typeof changes)[number];
      const ids = Object.keys(input.shape).filter(namesRecord);
      const named = Object.fromEntries(ids.map((id) => [id, id === "inbox_id" ? inbox_id : "x"]));
      await expect(call(name, { ...named, [field]: null })).rejects.toMatchObject({
        kind: "invalid",
        param: field,
      });
    },
  );

  test("clears what a draft has", async () => {
    const { as, inbox_id, call } = await opened();
    const { id: draft_id } = await as.drafts.create({
      ...{ inbox_id, to: ["bo@example.org"], cc: ["cy@example.org"], bcc: ["di@example.org"] },
      ...{ subject: "Plan", text: "x", html: "<p>x", labels: ["work"], headers: { "X-Plan": "1" } },
      reply_to: "ada@example.org",
    });
    const nothing = { to: null, cc: null, bcc: null, subject: null, labels: null, headers: null };
    const changed = await call("drafts.update", {
      inbox_id,
      draft_id,
      ...nothing,
      reply_to: null,
      html: null,
    });
    expect(changed).toMatchObject({ to: [], cc: [], bcc: [], subject: "", labels: [], headers: {} });
    expect(changed).toMatchObject({ reply_to: null, html: null, text: "x" });
  });

  test("clears what an inbox and a webhook have", async () => {
    const { as, inbox_id, call } = await opened();
    await as.inboxes.update({ inbox_id, labels: ["a"], metadata: { a: 1 }, display_name: "Ada" });
    const inbox = await call("inboxes.update", {
      inbox_id,
      labels: null,
      metadata: null,
      display_name: null,
    });
    expect(inbox).toMatchObject({ labels: [], metadata: {}, display_name: null });
    const { id: webhook_id } = await as.webhooks.create({
      ...{ url: "https://receiver.example/", events: ["message.received"], inbox_ids: [inbox_id] },
    });
    const hook = await call("webhooks.update", { webhook_id, events: null, inbox_ids: null });
    expect(hook["inbox_ids"]).toEqual([]);
    expect((hook["events"] as string[]).length === 0 || (hook["events"] as string[]).length > 1).toBe(true);
  });
});
