import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createClient } from "@letterslot/client";
import { LIMITS } from "@letterslot/core";
import { createTestService } from "@letterslot/core/testing";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApp } from "./app.ts";

describe("the server inside another app", () => {
  const service = createTestService({ baseUrl: "http://app.test/mail" });
  const app = new Hono()
    .get("/", (c) => c.text("the other app"))
    .route("/mail", createApp({ letterslot: service.letterslot }));
  const client = createClient({
    baseUrl: "http://app.test/mail",
    fetch: async (url, init) => app.request(url, init),
  });

  test("serves its operations under a prefix and nothing else", async () => {
    const { api_key, inbox } = await client.accounts.onboard({ username: "ada" });
    const own = createClient({
      baseUrl: "http://app.test/mail",
      apiKey: api_key,
      fetch: async (url, init) => app.request(url, init),
    });
    expect(await own.inboxes.get({ inbox_id: inbox.id })).toMatchObject({ username: "ada" });
    expect(await (await app.request("http://app.test/")).text()).toBe("the other app");
  });

  test("answers its own errors there, also for unknown paths", async () => {
    await expect(client.me.get()).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(await (await app.request("http://app.test/mail/api/v1/nothing")).json()).toMatchObject({
      error: { code: "route_not_found" },
    });
  });

  test("streams without a Node socket", async () => {
    const { api_key } = await service.signUp("carol");
    const headers = { authorization: `Bearer ${api_key}` };
    const stream = async () =>
      (await app.request("http://app.test/mail/api/v1/tasks/stream", { headers })).body;
    const text = new Response(await stream()).text();
    await service.clock.advance(LIMITS.stream_ms);
    expect(await text).toMatch(/^: open\nid: \d+\n\n(: still here\n\n)+id: \d+\nevent: end\n/);
    const reader = (await stream())?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain(": open");
    await reader?.cancel();
  });

  test("serves its documents and pages too", async () => {
    for (const path of ["docs", "openapi.json", "healthz", "api/v1/owners/confirm"]) {
      expect((await app.request(`http://app.test/mail/${path}`)).status).toBe(200);
    }
  });
});

describe("the server behind an app on Node that changes requests and answers", () => {
  const service = createTestService({ baseUrl: "http://app.test" });
  const inner = createApp({ letterslot: service.letterslot });
  let api_key: string;
  let base_url: string;
  const gateway = new Hono().all("/api/*", async (c) => {
    const headers = new Headers(c.req.raw.headers);
    headers.set("authorization", `Bearer ${api_key}`);
    const answer = await inner.fetch(new Request(c.req.raw, { headers }), c.env);
    return new Response(answer.body, {
      status: answer.status,
      headers: { ...Object.fromEntries(answer.headers), "x-gateway": "yes" },
    });
  });
  const server = createAdaptorServer({ fetch: gateway.fetch });

  beforeAll(async () => {
    api_key = (await service.signUp("ada")).api_key;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test("uses the key that the app set, never the one that the client sent", async () => {
    const mallory = await service.signUp("mallory");
    for (const headers of [{}, { authorization: `Bearer ${mallory.api_key}` }]) {
      const answer = await fetch(`${base_url}/api/v1/inboxes`, { headers });
      expect(await answer.json()).toMatchObject({ data: [{ username: "ada" }] });
    }
  });

  test("reads a body by its actual length", async () => {
    const body = JSON.stringify({ username: "grace" });
    const answer = await fetch(`${base_url}/api/v1/inboxes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(await answer.json()).toMatchObject({ username: "grace" });
  });

  test("streams through the app, with the headers that the app adds", async () => {
    const ends = new AbortController();
    const answer = await fetch(`${base_url}/api/v1/tasks/stream`, { signal: ends.signal });
    expect(answer.headers.get("x-gateway")).toBe("yes");
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain(": open");
    ends.abort();
  });
});
