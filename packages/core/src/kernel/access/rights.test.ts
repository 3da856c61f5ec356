import { describe, expect, test } from "vitest";
import { casesOf } from "../../../../../test/support/case-count.ts";
import { createTestService, letInApp, type TestAccount, type TestService } from "../../../testing/index.ts";
import type { StreamItem } from "../../events/feed/index.ts";
import type { BoundOperations } from "../../letterslot.ts";
import type { AccountCaller } from "./caller.ts";

const grace = "grace@example.com";

interface World {
  service: TestService;
  account: TestAccount;
  /** An inbox that is closed later, beside the account's own. */
  inbox_id: string;
  consumer_id: string;
}

async function begin(): Promise<World> {
  const service = createTestService();
  const account = await service.signUp("ada");
  await service.addOwner(account, grace);
  await service.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email: grace });
  const inbox = await account.as.inboxes.create({ username: "bea" });
  await service.addOwner({ ...account, inbox }, grace);
  const { id: consumer_id } = await account.as.consumers.create({ client_id: "reader" });
  return { service, account, inbox_id: inbox.id, consumer_id };
}

const keyOf = async ({ service, account }: World, terms: object = {}) => {
  const { api_key, id } = await account.as.keys.create({ name: "worker", ...terms });
  return { id, caller: await service.letterslot.authenticate(api_key, null) };
};

/** Every call that waits or streams. Its answer is for the caller alone, so it must end with the caller's right. */
const WAITS: Record<string, (as: BoundOperations, world: World) => Promise<unknown>> = {
  "messages.wait": (as, { inbox_id }) => as.messages.wait({ inbox_id, wait: 25 }),
  "messages.waitForCode": (as, { inbox_id }) => as.messages.waitForCode({ inbox_id, wait: 25 }),
  "tasks.list": (as, { inbox_id }) => as.tasks.list({ inbox_id, wait: 20 }),
  "tasks.claim": (as, { inbox_id }) => as.tasks.claim({ inbox_id, wait: 20 }),
  "events.list": (as, { inbox_id }) => as.events.list({ inbox_id, wait: 20, after: "9999-12-31T23:59:59Z" }),
  "events.listInbox": (as, { inbox_id }) =>
    as.events.listInbox({ inbox_id, wait: 20, after: "9999-12-31T23:59:59Z" }),
  "events.stream": async (as, { inbox_id }) => drain(await as.events.stream({ inbox_id })),
};

/** Waits that name no inbox, and so end only with the caller's own right. */
const WIDE: typeof WAITS = {
  "consumers.poll": (as, { consumer_id }) => as.consumers.poll({ consumer_id, wait: 20 }),
  "tasks.stream": async (as) => drain(await as.tasks.stream({})),
  "events.stream of all": async (as) => drain(await as.events.stream({})),
};

/** Reads a stream to its end and returns all events but the opening one. */
async function drain(stream: AsyncIterable<StreamItem>): Promise<{ data: StreamItem[] }> {
  const data: StreamItem[] = [];
  for await (const item of stream) if (item.event !== "open") data.push(item);
  return { data };
}

/** The ways in which a right ends, and the error that calls then fail with. */
const ENDS: Record<
  string,
  {
    caller(world: World): Promise<{ caller: AccountCaller; end(): Promise<unknown> }>;
    code: string;
    /** Only waits that name the inbox. */
    inbox?: true;
    /** Only what people may call. */
    person?: true;
  }
> = {
  "the key is revoked": {
    async caller(world) {
      const { id, caller } = await keyOf(world);
      return { caller, end: () => world.account.as.keys.delete({ key_id: id }) };
    },
    code: "api_key_revoked",
  },
  "the account is suspended": {
    async caller({ service, account }) {
      const { suspend } = service.letterslot.operator.accounts;
      return { caller: account.caller, end: () => suspend(account.account_id) };
    },
    code: "account_suspended",
  },
  "the account is deleted": {
    async caller({ service, account }) {
      const { accounts } = service.letterslot.operator;
      return { caller: account.caller, end: () => accounts.delete(account.account_id) };
    },
    code: "api_key_revoked",
  },
  "the inbox is closed": {
    caller: async ({ service, account, inbox_id }) => ({
      caller: account.caller,
      end: () =>
        service.letterslot
          .asOwner({ email: grace, account_id: account.account_id })
          .inboxes.delete({ inbox_id, permanent: true }),
    }),
    code: "inbox_not_found",
    inbox: true,
  },
  "the key expires": {
    async caller(world) {
      const { id, caller } = await keyOf(world, { ttl_hours: 1 });
      const { storage, clock } = world.service.letterslot.services;
      const end = () => storage.update("keys", { id }, { expires_at: clock.now().toISOString() });
      return { caller, end };
    },
    code: "api_key_expired",
  },
  "the person signs out": {
    async caller({ service, account }) {
      const { letterslot } = service;
      const { challenge } = await letterslot.startSession({ email: grace, ip: null });
      await service.work();
      const publicly = letterslot.as({ type: "public", ip: null });
      const { id } = await publicly.sessions.create({
        email: grace,
        code: service.codeFor(grace),
        challenge,
      });
      const person = { email: grace, session_id: id, ip: null };
      const caller = await letterslot.callerFor(person, "events.list", { account_id: account.account_id });
      return { caller, end: () => letterslot.as(caller).sessions.end({}) };
    },
    code: "session_required",
    person: true,
  },
  "the person loses their authority": {
    async caller({ service, account }) {
      const person = { email: grace, session_id: null, ip: null };
      const { account_id } = account;
      const caller = await service.letterslot.callerFor(person, "events.list", { account_id });
      const { storage } = service.letterslot.services;
      return { caller, end: () => storage.delete("authorities", { email: grace }) };
    },
    code: "account_not_found",
    person: true,
  },
  "the app's token is revoked": {
    async caller({ service, account }) {
      const scope = ["event_read", "message_read", "task_read", "task_write", "inbox_read"] as const;
      const { access_token } = await letInApp(service, account, { email: grace, scope });
      const caller = await service.letterslot.authenticate(access_token, null);
      const { storage } = service.letterslot.services;
      return { caller, end: () => storage.delete("oauth_records", { kind: "AccessToken" }) };
    },
    code: "invalid_api_key",
  },
  "the app's person takes a permission back": {
    async caller({ service, account }) {
      const scope = ["event_read", "message_read", "task_read", "task_write", "inbox_read"] as const;
      const { access_token, grant } = await letInApp(service, account, { email: grace, scope });
      const caller = await service.letterslot.authenticate(access_token, null);
      const { storage } = service.letterslot.services;
      return {
        caller,
        end: () => storage.update("oauth_grants", { id: grant.id }, { scope: ["inbox_read"] }),
      };
    },
    code: "permission_denied",
  },
  "the app's grant ends": {
    async caller({ service, account }) {
      const scope = ["event_read", "message_read", "task_read", "task_write", "inbox_read"] as const;
      const { access_token, grant } = await letInApp(service, account, { email: grace, scope });
      const { client_id } = grant;
      const caller = await service.letterslot.authenticate(access_token, null);
      return { caller, end: () => account.as.grants.delete({ client_id }) };
    },
    code: "invalid_api_key",
  },
};

/** Beside all other tests each end is tried with every third wait, in turn: so each wait meets several ends. */
const apart = casesOf(3, 1);
const cases = Object.entries(ENDS).flatMap(([how, end], nth) =>
  Object.entries(end.inbox === true ? WAITS : { ...WAITS, ...WIDE })
    .filter(([name]) => end.person !== true || name !== "tasks.claim")
    .filter((_, at) => (at + nth) % apart === 0)
    .map(([name, wait]) => ({
      how,
      name,
      wait,
      ...end,
    })),
);

/** The failure of a promise, or what it answered. */
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (answer) => ({ answer }),
    (error: { code?: string }) => ({ code: error.code }),
  );

test("a caller keeps waiting, and gets what comes, while its right stands", async () => {
  const world = await begin();
  const { service } = world;
  const { caller } = await keyOf(world);
  const waits = Object.entries({ ...WAITS, ...WIDE }).filter(
    ([name]) => !["messages.waitForCode", "tasks.claim"].includes(name),
  );
  const over = Promise.all(
    waits.map(async ([, wait]) => outcome(wait(service.letterslot.as(caller), world))),
  );
  await service.clock.advance(15_000);
  await service.receive({
    from: `Grace <${grace}>`,
    to: "bea@letterslot.localhost",
    subject: "Do it",
    text: "Now",
  });
  await service.clock.advance(12_000);
  const answers = (await over) as { answer: { data: unknown[] } }[];
  expect(waits.filter((_, index) => answers[index]?.answer.data.length === 0).map(([name]) => name)).toEqual(
    [],
  );
});

test("waits of one caller share one check a second, and none is made without waits", async () => {
  const world = await begin();
  const { service } = world;
  const { caller } = await keyOf(world);
  const { services } = service.letterslot;
  let checks = 0;
  const renew = services.renewCaller;
  services.renewCaller = (...given) => {
    checks += 1;
    return renew(...given);
  };
  const hangUp = new AbortController();
  const waits = Array.from({ length: 5 }, () =>
    service.letterslot
      .as(caller)
      .events.list({ wait: 20, after: "9999-12-31T23:59:59Z" }, { signal: hangUp.signal }),
  );
  await service.clock.advance(9_500);
  expect(checks).toBe(10);
  hangUp.abort();
  await Promise.all(waits);
  const before = checks;
  await service.clock.advance(5_000);
  expect(checks).toBe(before);
});

describe.each(cases)("$name, when $how", ({ name, wait, caller: callerIn, code }) => {
  test("ends within a second, though nothing happens", async () => {
    const world = await begin();
    const { caller, end } = await callerIn(world);
    let settled: unknown;
    const over = outcome(wait(world.service.letterslot.as(caller), world)).then((it) => void (settled = it));
    await world.service.clock.advance(1_000);
    expect(settled).toBeUndefined();
    await end();
    await world.service.clock.advance(1_000);
    await over;
    expect(settled).toEqual({ code });
  });

  test("delivers nothing of what happens right after", async () => {
    if (code === "account_suspended" || name === "messages.waitForCode") return;
    const world = await begin();
    const { service, inbox_id } = world;
    const { caller, end } = await callerIn(world);
    const over = outcome(wait(service.letterslot.as(caller), world));
    await service.clock.advance(10);
    await end();
    await service.receive({
      from: `Grace <${grace}>`,
      to: "bea@letterslot.localhost",
      subject: "Do it",
      text: "Now",
    });
    await service.clock.advance(1_000);
    expect(await over).toEqual({ code });
    const tasks = await service.letterslot.services.storage.find("tasks", { where: { inbox_id }, limit: 10 });
    expect(tasks.filter(({ attempts }) => attempts > 0)).toEqual([]);
  });
});
