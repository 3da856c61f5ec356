import { createWebhookHttp } from "@letterslot/adapter-http";
import { systemClock } from "@letterslot/core/ports";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, expect, test } from "vitest";
import { startExample } from "../../test/support/example-program.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const SECRET = "a secret that both sides know";

async function startReceiver() {
  const program = startExample(import.meta.dirname, { PORT: "0", WEBHOOK_SECRET: SECRET });
  cleanups.push(program.kill);
  const [url = ""] = /http:\/\/\S+/.exec(await program.line()) ?? [];
  return { url, line: program.line };
}

/** An in-memory service on the system clock that posts over real HTTP and records its posts. */
async function startService() {
  const http = createWebhookHttp({ allow: ["127.0.0.1"] });
  const posted: { headers: Record<string, string>; body: string }[] = [];
  const post: typeof http.post = (request) => {
    posted.push({ headers: request.headers, body: Buffer.from(request.body).toString() });
    return http.post(request);
  };
  const webhookHttp = { ...http, post };
  const service = createTestService({ webhookHttp, clock: systemClock });
  cleanups.push(() => http.close());
  return { service, account: await service.signUp(), posted };
}

test("the receiver processes a signed delivery once and refuses anything else", async () => {
  const receiver = await startReceiver();
  const { service, account, posted } = await startService();
  await account.as.webhooks.create({ url: receiver.url, secret: SECRET, events: ["message.received"] });
  await service.receive({ from: "grace@example.org", to: account.inbox.email, subject: "Hello" });
  await service.work();
  expect(await receiver.line()).toMatch(/^message\.received evt_/);
  expect(posted).toHaveLength(1);
  const { headers = {}, body = "" } = posted[0] ?? {};

  const post = async (change: RequestInit) => {
    const response = await fetch(receiver.url, { method: "POST", headers, body, ...change });
    return [response.status, await response.text()];
  };
  expect(await post({})).toEqual([200, "already processed"]);
  expect((await post({ body: body.replace("Hello", "Goodbye") }))[0]).toBe(400);
  expect(await receiver.line()).toBe("refused: invalid_signature");
  expect((await post({ headers: { ...headers, "x-svc-timestamp": "1000000000" } }))[0]).toBe(400);
  expect(await receiver.line()).toBe("refused: timestamp_out_of_tolerance");
  expect((await post({ headers: {} }))[0]).toBe(400);
  expect(await receiver.line()).toBe("refused: missing_signature");
  expect((await post({ body: "x".repeat(2 * 1024 * 1024) }))[0]).toBe(413);
});
