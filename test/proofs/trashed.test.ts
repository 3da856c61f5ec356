import { beforeEach, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { createTestService, type TestService } from "../../packages/core/testing/index.ts";
import { copyFurnished, type Furnished } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { codeFor } from "../support/tenant-matrix.ts";

/** The fields by which operations name what can lie in the trash, in paths and in bodies. */
const NAMING = ["message_id", "thread_id", "draft_id"] as const;
const OF_TRASH: OperationName[] = [
  ...(["messages.restore", "threads.restore", "drafts.restore"] as const),
  ...(["messages.delete", "threads.delete", "drafts.delete"] as const),
];

const inPath = (name: OperationName, field: string) => (routes[name] as Route).path.includes(`:${field}`);

const cases = (Object.keys(routes) as OperationName[]).flatMap((name) =>
  NAMING.filter((field) => inPath(name, field)).map((field) => [name, field] as const),
);

let service: TestService;
let ada: Furnished;

beforeEach(async () => {
  service = createTestService();
  ada = await copyFurnished(service);
});

const trashed = (field: (typeof NAMING)[number]) => {
  const { trashed_message_id, trashed_thread_id, trashed_draft_id } = ada;
  return { message_id: trashed_message_id, thread_id: trashed_thread_id, draft_id: trashed_draft_id }[field];
};

/** A caller that each operation allows. */
const call = (name: OperationName, input: Record<string, unknown>) => {
  const { callers } = operationNamed(name);
  const caller =
    callers !== undefined && !callers.includes("key")
      ? service.letterslot.asOwner({ email: ada.owner, account_id: ada.account_id })
      : ada.as;
  const [group = "", verb = ""] = name.split(".");
  return (caller as never as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[group]?.[
    verb
  ]?.(input);
};

describe("what lies in the trash is 404", () => {
  test.each(cases.filter(([name]) => !OF_TRASH.includes(name)))("for %s by its %s", async (name, field) => {
    const input = { ...createInputs(ada, service)[name], [field]: trashed(field) };
    await expect(call(name, input)).rejects.toMatchObject({ code: codeFor(name, field) });
  });

  test.each(["messages", "threads", "drafts"] as const)("for %s.delete without permanent", async (group) => {
    const field = `${group.slice(0, -1)}_id` as (typeof NAMING)[number];
    const name = `${group}.delete` as OperationName;
    const input = { ...createInputs(ada, service)[name], [field]: trashed(field) };
    await expect(call(name, input)).rejects.toMatchObject({ code: codeFor(name, field) });
    await call(name, { ...input, permanent: true });
    await expect(call(name, { ...input, permanent: true })).rejects.toMatchObject({
      code: codeFor(name, field),
    });
  });

  test("where a draft answers or forwards it", async () => {
    const { inbox_id, trashed_message_id: id } = ada;
    const refused = { code: "message_not_found" };
    await expect(
      ada.as.drafts.create({ inbox_id, kind: "reply", in_reply_to: id, text: "x" }),
    ).rejects.toMatchObject(refused);
    await expect(
      ada.as.drafts.create({ inbox_id, kind: "forward", forward_of: id, to: [ada.friend] }),
    ).rejects.toMatchObject(refused);
  });
});

test("no list, search, batch, wait or event shows what lies in the trash", async () => {
  const { as, inbox_id, trashed_message_id, trashed_thread_id, trashed_draft_id } = ada;
  const ids = [trashed_message_id, trashed_thread_id, trashed_draft_id];
  const reads = (Object.keys(routes) as OperationName[]).filter((name) => {
    const { effect, scope, answers, callers } = operationNamed(name);
    const named = NAMING.some((field) => inPath(name, field));
    return (
      effect === "read" && scope !== "public" && answers === undefined && callers === undefined && !named
    );
  });
  for (const name of reads) {
    // Events say that there was something, without its content, as below.
    if (name.startsWith("events.") || name.startsWith("consumers.")) continue;
    // A refusal shows nothing of it, which is what is asked here.
    const answer = JSON.stringify(await call(name, createInputs(ada, service)[name])?.catch(() => null));
    for (const id of ids) expect(answer ?? "", name).not.toContain(id);
  }
  const batch = await as.messages.batchGet({ inbox_id, message_ids: [trashed_message_id] });
  expect(batch).toMatchObject({ count: 0, data: [] });
  const labelled = await as.messages.batchUpdate({
    inbox_id,
    message_ids: [trashed_message_id],
    add_labels: ["seen"],
  });
  expect(labelled.data).toEqual([]);
  expect(await as.threads.move({ inbox_id, thread_ids: [trashed_thread_id], folder: "inbox" })).toMatchObject(
    { not_found: [trashed_thread_id] },
  );
  expect((await as.messages.list({ inbox_id, thread_id: trashed_thread_id })).data).toEqual([]);
  const { data } = await as.events.list({ types: ["message.received"] });
  const told = data.map((event) => (event.data as { message: Record<string, unknown> }).message);
  const shown = told.filter((message) => message["id"] === trashed_message_id);
  expect(shown).toHaveLength(1);
  for (const message of shown)
    expect(message).toMatchObject({ deleted: true, subject: null, extracted_text: null });
});
