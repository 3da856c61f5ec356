import { whole } from "@letterslot/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "../packages/core/src/index.ts";
import type { TestAccount } from "../packages/core/testing/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";
import { connectMcp, LINES, type Line, type McpClient } from "./support/mcp-clients.ts";

let served: Served;
let account: TestAccount;
let open: McpClient[] = [];
let signed_up = 0;

beforeAll(async () => {
  served = await serve();
});
/** Sign-ups are limited by the hour. */
async function signUp(): Promise<TestAccount> {
  await served.clock.advance(3600_000);
  return served.signUp(`ada${(signed_up += 1)}`);
}

beforeEach(async () => {
  account = await signUp();
  return async () => {
    await Promise.all(open.map((client) => client.close()));
    open = [];
  };
});
afterAll(() => served.close());

async function connect(line: Line, key = account.api_key): Promise<McpClient> {
  const client = await connectMcp(line, {
    url: `${served.base_url}/mcp`,
    headers: { authorization: `Bearer ${key}` },
  });
  open.push(client);
  return client;
}

const receive = (subject: string, text = "Hello.") =>
  served.receive({ from: "eve@example.com", to: account.inbox.email, subject, text });

/** Returns the number of places taken by waits, as every process sees it. */
async function waitsOpen(): Promise<number> {
  const now = served.clock.now().toISOString();
  const held = { where: { expires_at: { gt: now } }, limit: 100 };
  return (await served.letterslot.services.storage.find("slots", held)).length;
}

describe.each(LINES)("a client (%s)", (line) => {
  test("lists tools, resources and prompts, and gets them", async () => {
    await receive("Invoice");
    const { client } = await connect(line);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("list_messages");
    const { resources } = await client.listResources();
    const uri = `letterslot://inbox/${account.inbox.email}`;
    expect(resources.map((resource) => resource.uri)).toEqual([uri]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "letterslot://inbox/{address}",
      "letterslot://inbox/{address}/message/{message_id}",
      "letterslot://inbox/{address}/thread/{thread_id}",
      "letterslot://inbox/{address}/message/{message_id}/attachment/{attachment_id}/text",
    ]);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, text: expect.stringContaining("Invoice") }]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      "triage-inbox",
      "answer-task",
      "report-progress",
      "ask-owner",
      "pair",
    ]);
    const { messages } = await client.getPrompt({
      name: "answer-task",
      arguments: { task_id: "tsk_1" },
    });
    expect(messages).toMatchObject([
      { role: "user", content: { text: expect.stringContaining("Do the task tsk_1.") } },
    ]);
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "triage-inbox" },
      argument: { name: "inbox", value: account.inbox.email.slice(0, 3) },
    });
    expect(completion.values).toEqual([account.inbox.email]);
  });

  test("reads a message, its thread and an attachment's text as resources", async () => {
    await receive("Invoice", "Please pay 12 euros.");
    const { client } = await connect(line);
    const found = await served.client(account.api_key).messages.list({ inbox_id: account.inbox.id });
    const message = found.data[0];
    const inbox = `letterslot://inbox/${account.inbox.email}`;
    for (const uri of [`${inbox}/message/${message?.id}`, `${inbox}/thread/${message?.thread_id}`]) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: expect.stringContaining("Invoice") }]);
    }
  });

  test.each([
    ["of another account's inbox", () => "letterslot://inbox/nobody@letterslot.localhost"],
    ["of nothing", () => "letterslot://outbox/ada"],
    ["of a message that isn't there", () => `letterslot://inbox/${account.inbox.email}/message/msg_1`],
  ])("is told that there is no resource %s", async (_, uriOf) => {
    const { client } = await connect(line);
    await expect(client.readResource({ uri: uriOf() })).rejects.toMatchObject({ code: -32_602 });
  });

  test("hears how long a wait goes on, and gets the mail that it waits for", async () => {
    const { call } = await connect(line);
    const heard: number[] = [];
    const waiting = call(
      "wait_for_mail",
      { inbox_id: account.inbox.id, wait: 55 },
      { onprogress: ({ progress }) => void heard.push(progress) },
    );
    await expect.poll(waitsOpen).toBe(1);
    await served.clock.advance(10_000);
    await expect.poll(() => heard).toEqual([10]);
    await receive("Here");
    expect((await waiting).content[0]?.text).toContain("Here");
    await expect.poll(waitsOpen).toBe(0);
  });

  test.each([
    ["with progress", { onprogress: () => undefined }],
    ["without progress", {}],
  ])("frees the place of a wait that it cancels, %s", async (_, options) => {
    const { call } = await connect(line);
    const cancel = new AbortController();
    const waiting = call(
      "wait_for_mail",
      { inbox_id: account.inbox.id, wait: 55 },
      { ...options, signal: cancel.signal },
    );
    waiting.catch(() => undefined);
    await expect.poll(waitsOpen).toBe(1);
    cancel.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    await expect.poll(waitsOpen).toBe(0);
  });

  test("frees the place of a wait by going away", async () => {
    const { call, close } = await connect(line);
    call("wait_for_mail", { inbox_id: account.inbox.id, wait: 55 }).catch(() => undefined);
    await expect.poll(waitsOpen).toBe(1);
    await close();
    await expect.poll(waitsOpen).toBe(0);
  });

  test("is told what is wrong with a call, and what to do", async () => {
    const { call } = await connect(line);
    const answer = await call("list_messages", { inbox_id: account.inbox.id, colour: "red" });
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("colour") }] });
  });

  test("of an account that is suspended is told so at each call", async () => {
    const { call } = await connect(line);
    await served.letterslot.operator.accounts.suspend(account.account_id);
    expect(await call("list_inboxes")).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("account_suspended") }],
    });
  });
});

test("the same request ids in other sessions of the same key are nobody's to cancel", async () => {
  const [one, other] = [await connect("earlier"), await connect("earlier")];
  const cancel = new AbortController();
  const input = { inbox_id: account.inbox.id, wait: 55 };
  const first = one.call("wait_for_mail", input, { signal: cancel.signal });
  first.catch(() => undefined);
  const second = other.call("wait_for_mail", input);
  await expect.poll(waitsOpen).toBe(2);
  cancel.abort();
  await expect.poll(waitsOpen).toBe(1);
  await receive("For the other");
  expect((await second).content[0]?.text).toContain("For the other");
});

test("50 sessions wait at once, each for its own mail", async () => {
  const admin = served.client(account.api_key);
  const made = await admin.inboxes.createBatch({ count: 50, prefix: `many${signed_up}` });
  const sessions = await Promise.all(
    made.data.map(async (record, index) => {
      const inbox = whole(record);
      const { api_key } = await admin.keys.createForInbox({ inbox_id: inbox.id, name: "agent" });
      const { call } = await connect(LINES[index % LINES.length] ?? "newest", api_key);
      return { inbox, call, index };
    }),
  );
  const waiting = sessions.map(({ call }) => call("wait_for_mail", { wait: 55 }));
  await expect.poll(waitsOpen).toBe(50);
  await Promise.all(
    sessions.map(({ inbox, index }) =>
      served.receive({
        from: "eve@example.com",
        to: inbox.email,
        subject: `Number ${index}`,
        text: "Hello.",
      }),
    ),
  );
  const answers = await Promise.all(waiting);
  for (const [index, { content }] of answers.entries())
    expect(content[0]?.text).toContain(`"Number ${index}"`);
  await expect.poll(waitsOpen).toBe(0);
}, 180_000);

describe("a subscription", () => {
  const uri = () => `letterslot://inbox/${account.inbox.email}`;

  async function subscribe(uris: string[], key = account.api_key) {
    const { client } = await connect("newest", key);
    const told: string[] = [];
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void told.push(params.uri),
    );
    const subscription = await client.listen({ resourceSubscriptions: uris });
    return { told, subscription };
  }

  test("tells of what happens in an inbox, a message and a thread, until it is closed", async () => {
    await receive("First");
    const found = await served.client(account.api_key).messages.list({ inbox_id: account.inbox.id });
    const thread = `${uri()}/thread/${found.data[0]?.thread_id}`;
    const { told, subscription } = await subscribe([uri(), thread, `${uri()}/message/msg_other`]);
    await receive("Second");
    await expect.poll(() => told).toEqual([uri()]);
    await subscription.close();
    await expect(subscription.closed).resolves.toBe("local");
    await receive("Third");
    expect(told).toEqual([uri()]);
  });

  test("leaves out what its key doesn't reach", async () => {
    const other = await signUp();
    const theirs = `letterslot://inbox/${other.inbox.email}`;
    const { told, subscription } = await subscribe([uri(), theirs, "letterslot://nothing"]);
    expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri()] });
    await served.receive({ from: "eve@example.com", to: other.inbox.email, subject: "Hi", text: "Hello." });
    await receive("Mine");
    await expect.poll(() => told).toEqual([uri()]);
  });

  test("takes one place of its key for waits, and frees it when its client goes away", async () => {
    const { api_key } = await served.client(account.api_key).keys.create({ name: "watcher" });
    const caller = await served.letterslot.authenticate(api_key, null);
    const who = { caller, root_id: caller.account_id };
    const free = () => {
      const leaves: (() => void)[] = [];
      const { waitingPlaces } = served.letterslot.services;
      try {
        for (;;) leaves.push(waitingPlaces.take(who, "stream", 0, Number.MAX_SAFE_INTEGER));
      } catch {
        return leaves.length;
      } finally {
        for (const leave of leaves) leave();
      }
    };
    const { subscription } = await subscribe([uri(), `${uri()}/message/msg_1`], api_key);
    await expect.poll(free).toBe(LIMITS.concurrent_streams_per_key - 1);
    await open.at(-1)?.close();
    await expect(subscription.closed).resolves.not.toBe("graceful");
    await expect.poll(free).toBe(LIMITS.concurrent_streams_per_key);
  });

  test("ends when its key is revoked, before it tells of anything more", async () => {
    const admin = served.client(account.api_key);
    const { api_key: secret, id } = await admin.keys.create({ name: "watcher" });
    const { told, subscription } = await subscribe([uri()], secret);
    await admin.keys.delete({ key_id: id });
    await receive("Secret");
    await expect(subscription.closed).resolves.not.toBe("local");
    expect(told).toEqual([]);
  });

  test.each([
    ["an inbox", () => [uri()]],
    ["nothing that there is", () => ["letterslot://nothing"]],
  ])("to %s ends within a second of its key's end, though nothing happens", async (_, uris) => {
    const admin = served.client(account.api_key);
    const { api_key: secret, id } = await admin.keys.create({ name: "watcher" });
    const { subscription } = await subscribe(uris(), secret);
    let how: unknown;
    void subscription.closed.then((it) => void (how = it));
    await admin.keys.delete({ key_id: id });
    const closed = async () => {
      await served.clock.advance(LIMITS.rights_checked_ms);
      return how;
    };
    await expect.poll(closed, { timeout: 5_000 }).toBeDefined();
    expect(how).not.toBe("local");
  });

  test(`is refused to a key that has ${LIMITS.mcp_subscriptions_per_key} of them, until one is closed`, async () => {
    const all = [];
    for (let index = 0; index < LIMITS.mcp_subscriptions_per_key; index++) all.push(await subscribe([uri()]));
    await expect(subscribe([uri()])).rejects.toThrow(/too many subscriptions/);
    await all[0]?.subscription.close();
    await expect
      .poll(async () =>
        subscribe([uri()]).then(
          () => "open",
          () => "refused",
        ),
      )
      .toBe("open");
  });

  test("is offered where the protocol can, to a key that may read events", async () => {
    const { client } = await connect("newest");
    expect(client.getServerCapabilities()?.resources).toEqual({ subscribe: true });
    for (const line of ["newest client, earlier protocol", "earlier"] as const)
      expect((await connect(line)).client.getServerCapabilities()?.resources).toEqual({});
    const { api_key: key } = await served
      .client(account.api_key)
      .keys.create({ name: "reader", permissions: ["inbox_read", "message_read"] });
    expect((await connect("newest", key)).client.getServerCapabilities()?.resources).toEqual({});
  });
});

test("a server that stops ends waits with an answer, and subscriptions with their result", async () => {
  const stopping = new AbortController();
  const ending = await serve({ stopping: stopping.signal });
  const own = await ending.signUp();
  const target = { url: `${ending.base_url}/mcp`, headers: { authorization: `Bearer ${own.api_key}` } };
  const clients = await Promise.all(LINES.map((line) => connectMcp(line, target)));
  const waiting = clients.map(({ call }) => call("wait_for_mail", { inbox_id: own.inbox.id, wait: 55 }));
  const resourceSubscriptions = [`letterslot://inbox/${own.inbox.email}`];
  const subscription = await clients[0]?.client.listen({ resourceSubscriptions });
  const held = { where: { expires_at: { gt: ending.clock.now().toISOString() } }, limit: 100 };
  await expect
    .poll(async () => (await ending.letterslot.services.storage.find("slots", held)).length)
    .toBe(LINES.length);
  stopping.abort();
  for (const answer of await Promise.all(waiting)) expect(answer.isError).not.toBe(true);
  expect(await subscription?.closed).toBe("graceful");
  await Promise.all(clients.map((client) => client.close()));
  await ending.close();
});
