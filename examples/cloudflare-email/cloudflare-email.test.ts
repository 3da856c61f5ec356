import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { buildMail, createTestService } from "@letterslot/core/testing";
import { createApp } from "@letterslot/server";
import { Miniflare } from "miniflare";
import { afterEach, expect, test } from "vitest";

const SECRET = "a secret that both sides know";
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A service behind real HTTP. */
async function startService() {
  const service = createTestService();
  const app = createApp({ letterslot: service.letterslot, inboundSecret: SECRET });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return { service, url: `http://127.0.0.1:${port}`, account: await service.signUp("ada") };
}

/** The Worker in Cloudflare's own runtime; the function hands it a mail as Cloudflare does. */
function startWorker(url: string, secret = SECRET) {
  const source = readFileSync(new URL("index.ts", import.meta.url), "utf8");
  const worker = new Miniflare({
    modules: true,
    script: stripTypeScriptTypes(source),
    compatibilityDate: "2026-07-01",
    bindings: { LETTERSLOT_URL: url, INBOUND_SECRET: secret },
    unsafeTriggerHandlers: true,
    // Otherwise the runtime asks Cloudflare where it is.
    cf: false,
  });
  cleanups.push(() => worker.dispose());
  return async (from: string, to: string, raw: string) => {
    const path = `/cdn-cgi/handler/email?${new URLSearchParams({ from, to, format: "json" }).toString()}`;
    const response = await worker.dispatchFetch(`http://localhost${path}`, { method: "POST", body: raw });
    return (await response.json()) as { outcome: "ok" | "exception"; rejectReason?: string };
  };
}

const mailTo = (to: string) =>
  Buffer.from(
    buildMail({ from: "Grace <grace@example.org>", to, subject: "Hello", text: "Hello from outside." }),
  ).toString();

test("a mail that reaches the Worker is in the inbox of its envelope's recipient", async () => {
  const { url, account } = await startService();
  const { email, id: inbox_id } = account.inbox;
  const post = startWorker(url);
  expect(await post("bounces@example.org", email, mailTo("list@example.org"))).toMatchObject({
    outcome: "ok",
  });
  const { data } = await account.as.messages.list({ inbox_id });
  expect(data).toMatchObject([{ subject: "Hello", from: "grace@example.org" }]);
});

test("mail for an address that isn't here is refused for good", async () => {
  const { url } = await startService();
  const post = startWorker(url);
  const to = "nobody@letterslot.localhost";
  expect(await post("grace@example.org", to, mailTo(to))).toMatchObject({
    outcome: "ok",
    rejectReason: "The address takes no mail (unknown_recipient).",
  });
});

test.each([
  ["is down", "http://127.0.0.1:9", SECRET],
  ["has another secret", undefined, "another"],
])("the sender tries again while the service %s", async (_, elsewhere, secret) => {
  const { url, account } = await startService();
  const { email, id: inbox_id } = account.inbox;
  const post = startWorker(elsewhere ?? url, secret);
  expect(await post("grace@example.org", email, mailTo(email))).toMatchObject({ outcome: "exception" });
  expect((await account.as.messages.list({ inbox_id })).data).toEqual([]);
});
