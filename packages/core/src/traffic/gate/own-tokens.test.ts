import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { letInApp } from "../../../testing/let-in-app.ts";
import { hashSecret, newApiKey, newToken } from "../../kernel/secrets.ts";

const grace = "grace@example.com";

async function start() {
  const service = createTestService();
  const account = await service.signUp();
  await service.addOwner(account, grace);
  const { account_id } = account;
  await service.letterslot.operator.accounts.authority.give({ account_id, email: grace });
  const { as, inbox } = account;
  const send = (text: string) => as.messages.send({ inbox_id: inbox.id, to: [grace], subject: "Note", text });
  return { service, account, as, send };
}

const refused = (what: string) => ({ code: "own_secret", message: expect.stringContaining(what) });

test("the token of an app, of a session, of a claimed task and of a leased thread don't leave", async () => {
  const { service, account, as, send } = await start();
  const { access_token } = await letInApp(service, account, { email: grace, scope: ["message_read"] });
  await expect(send(`It is ${access_token}`)).rejects.toMatchObject(refused("an app"));

  const session = newToken();
  const now = service.clock.now().toISOString();
  await service.letterslot.services.storage.insert("sessions", {
    ...{ id: "ses_1", token_hash: hashSecret(session), email: grace, user_agent: null },
    ...{ created_at: now, last_seen_at: now, expires_at: now },
  });
  await expect(send(`Cookie: ${session};`)).rejects.toMatchObject(refused("a session"));

  await service.receive({ from: grace, to: account.inbox.email, text: "Count the chairs." });
  const { claim_token } = await as.tasks.claim({});
  await expect(send(`Report with ${claim_token}`)).rejects.toMatchObject(refused("a claimed task"));

  const { id: inbox_id } = account.inbox;
  const { thread_id } = await as.messages.inject({ inbox_id, from: "bo@friend.example", text: "Hi" });
  const lease = await as.threads.assign({ inbox_id, thread_id, assignee: "one", lease_seconds: 600 });
  await expect(send(`Hold it with ${lease.claim_token}`)).rejects.toMatchObject(refused("a thread's lease"));
});

test("words that only look like tokens leave", async () => {
  const { send } = await start();
  await expect(
    send(`Token ${newToken()}, commit 9fceb02d0ae598e95dc970b74767f19372d61af8`),
  ).resolves.toMatchObject({
    object: "message",
  });
});

test("a key is found behind very many words in the form of keys", async () => {
  const { as, send } = await start();
  const made = await as.keys.create({ permissions: ["message_send"] });
  const key = "api_key" in made ? made.api_key : "";
  const many = (count: number) => Array.from({ length: count }, newApiKey).join("\n");
  await expect(send(`${many(300)}\n${key}`)).rejects.toMatchObject(refused("the key"));
  await expect(send(many(1_001))).rejects.toMatchObject(refused("more words"));
});
