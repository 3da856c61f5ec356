import { describe, expect, test } from "vitest";
import { createTestService } from "../../testing/index.ts";
import { isErrorCode } from "../catalogue/errors.ts";
import { PERMISSION_NAMES } from "../catalogue/permissions.ts";
import { operations } from "../operations.ts";
import type { Operation } from "./operation.ts";

const all = Object.entries(operations).flatMap(([group, verbs]) =>
  Object.entries(verbs).map(
    ([verb, operation]) => [`${group}.${verb}`, operation as unknown as Operation] as const,
  ),
);

/**
 * Creates two accounts, and keys of the first: one limited to its second inbox, and one with every permission but the
 * given ones.
 */
async function setting(lacking: readonly string[] | "any" = []) {
  const service = createTestService();
  const account = await service.signUp();
  const second = await account.as.inboxes.create({ username: "second" });
  const scopedKey = await account.as.keys.createForInbox({ inbox_id: second.id, name: "scoped" });
  const scoped = await service.letterslot.authenticate(scopedKey.api_key, null);
  const stranger = await service.signUp("stranger");
  const permissions = PERMISSION_NAMES.filter((permission) => !lacking.includes(permission));
  const bare = await account.as.keys.create({ name: "bare", permissions });
  return {
    service,
    account,
    second,
    scoped,
    stranger,
    bare: await service.letterslot.authenticate(bare.api_key, null),
  };
}

const isForKeys = (callers: (typeof all)[number][1]["callers"]): boolean =>
  callers === undefined || callers.includes("key");

describe("the gate", () => {
  test.each(all.filter(([, { scope }]) => scope !== "public"))(
    "%s without a key is invalid_api_key, or needs the session that it is for",
    async (name, { callers }) => {
      const { letterslot } = createTestService();
      const code = isForKeys(callers) ? "invalid_api_key" : "session_required";
      await expect(letterslot.call({ type: "public", ip: null }, name, {})).rejects.toMatchObject({ code });
    },
  );

  test.each(all.filter(([, { scope, callers }]) => scope === "inbox" && isForKeys(callers)))(
    "%s is inbox_not_found for another account, an unknown id and a key of another inbox",
    async (name) => {
      const { service, account, scoped, stranger, bare } = await setting(operationOf(name).allow);
      const call = (caller: typeof scoped, inbox_id: string) =>
        service.letterslot.call(caller, name, { ...probe(name), inbox_id });
      await expect(call(stranger.caller, account.inbox.id)).rejects.toMatchObject({
        code: "inbox_not_found",
      });
      await expect(call(scoped, account.inbox.id)).rejects.toMatchObject({ code: "inbox_not_found" });
      await expect(call(account.caller, "inb_00000000000000000000")).rejects.toMatchObject({
        code: "inbox_not_found",
      });
      if (operationOf(name).allow !== "any")
        await expect(call(bare, account.inbox.id)).rejects.toMatchObject({
          code: "permission_denied",
          param: expect.any(String),
        });
    },
  );

  test.each(all.filter(([, { scope }]) => scope === "account"))(
    "%s refuses a key limited to one inbox",
    async (name, { callers }) => {
      const { service, scoped } = await setting();
      const code = isForKeys(callers) ? "permission_denied" : "owner_only";
      await expect(service.letterslot.call(scoped, name, {})).rejects.toMatchObject({ code });
    },
  );

  test.each(all.filter(([, { scope, callers }]) => scope === "inbox" && !isForKeys(callers)))(
    "%s is a person's alone",
    async (name) => {
      const { service, account, stranger } = await setting();
      for (const { caller } of [account, stranger])
        await expect(
          service.letterslot.call(caller, name, { inbox_id: account.inbox.id }),
        ).rejects.toMatchObject({ code: "owner_only" });
    },
  );

  test.each(
    all.filter(
      ([, { allow, scope, callers }]) => allow !== "any" && scope !== "public" && isForKeys(callers),
    ),
  )("%s checks existing permissions before the input", async (name, { allow }) => {
    const { service, account, bare } = await setting(allow);
    for (const permission of allow) expect(PERMISSION_NAMES).toContain(permission);
    await expect(
      service.letterslot.call(bare, name, { inbox_id: account.inbox.id, nonsense: 1 }),
    ).rejects.toMatchObject({
      code: "permission_denied",
    });
  });

  test.each(all)("%s refuses a field that it does not know", async (name, { scope, callers }) => {
    const { service, account } = await setting();
    const { account_id } = account;
    const person = { email: "grace@example.com", session_id: null, ip: null };
    if (scope !== "public" && !isForKeys(callers)) {
      await service.addOwner(account, person.email);
      await service.letterslot.asOwner({ email: person.email, account_id }).authority.create({ account_id });
    }
    const open =
      callers?.includes("public") === false
        ? await service.letterslot.callerFor(person, name, { account_id })
        : { type: "public" as const, ip: null };
    const caller = scope === "public" || !isForKeys(callers) ? open : account.caller;
    await expect(
      service.letterslot.call(caller, name, {
        ...probe(name),
        ...(scope === "inbox" ? { inbox_id: account.inbox.id } : {}),
        nonsense: 1,
      }),
    ).rejects.toMatchObject({
      code: "unknown_parameter",
      param: "nonsense",
    });
  });

  test("a mistyped id is distinguished from an unknown one", async () => {
    const { account } = await setting();
    const id = account.inbox.id;
    const mistyped = id.slice(0, -1) + (id.endsWith("0") ? "1" : "0");
    await expect(account.as.inboxes.get({ inbox_id: mistyped })).rejects.toMatchObject({
      code: "inbox_not_found",
      fix: expect.stringContaining("mistyped"),
    });
  });

  test.each(all)("every error text of %s's input is an error code or zod's text", (_name, { input }) => {
    const failed = input.safeParse(
      Object.fromEntries(Object.keys(input.shape).map((field) => [field, Symbol("odd")])),
    );
    for (const { message } of failed.error?.issues ?? [])
      expect(isErrorCode(message) || /^Invalid|^Expected|^Too/.test(message)).toBe(true);
  });
});

const samples: Record<string, unknown> = {
  thread_ids: ["thr_00000000000000000000"],
  folder: "archive",
  verdict: "clean",
  to: ["ada@example.com"],
  text: "x",
  from: "ada@example.com",
  email: "ada@example.com",
  address: "ada@example.com",
  entry: "ada@example.com",
  direction: "send",
  type: "allow",
  kind: "progress",
  message_ids: ["x"],
  name: "x",
  status: "done",
  username: "x",
  q: "x",
  url: "https://receiver.example/",
  conditions: { list: true },
  actions: { archive: true },
  rule_ids: ["rul_00000000000000000000"],
};

/** The operations that contact a phone number. */
const NUMBER_CALLED = ["messages.sendSms", "messages.call"];

/** An input whose required fields are valid but name nothing. */
function probe(name: string): Record<string, unknown> {
  const required = Object.entries(operationOf(name).input.shape).filter(
    ([field, schema]) => field !== "inbox_id" && !schema.safeParse(undefined).success,
  );
  const known = {
    ...samples,
    ...(NUMBER_CALLED.includes(name) ? { to: "+14155550199" } : {}),
    ...(name === "expectations.create" ? { kind: "message" } : {}),
  } as Record<string, unknown>;
  return Object.fromEntries(required.map(([field]) => [field, known[field] ?? "x"]));
}

function operationOf(name: string): Operation {
  const found = all.find(([own]) => own === name);
  if (found === undefined) throw new Error(name);
  return found[1];
}
