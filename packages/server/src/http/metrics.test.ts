import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";
import { createApp } from "./app.ts";
import { createMetrics } from "./metrics.ts";

const TOKEN = "scrape-me-if-you-can";
const metrics = createMetrics();
let served: Served;
beforeAll(async () => {
  served = await serve({ metrics, metricsToken: TOKEN });
});
afterAll(() => served.close());

const scrape = async (headers: Record<string, string> = {}) =>
  fetch(`${served.base_url}/metrics`, { headers });

/** Asks with headers that `fetch` doesn't let anyone set. */
function statusOf(hostname: string, headers: Record<string, string>): Promise<number> {
  const { port } = new URL(served.base_url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: "/metrics", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

describe("metrics", () => {
  test("count requests by route, never by address", async () => {
    const { api_key } = await served.client().accounts.onboard({ username: "ada" });
    await served.client(api_key).inboxes.get({ inbox_id: "ada" });
    const text = await (await scrape()).text();
    expect(text).toContain(
      'letterslot_http_request_seconds_count{method="GET",route="/api/v1/inboxes/:inbox_id",status="200"} 1',
    );
    expect(text).not.toContain("inboxes/ada");
  });

  test("count the outcome of incoming mail, including drops", async () => {
    const { inbox, as } = await served.signUp("paused");
    await as.inboxes.update({ inbox_id: inbox.id, status: "paused" });
    const receive = metrics.countInbound(served.letterslot.receive);
    const envelope = {
      mail_from: "",
      rcpt_to: [inbox.email, "nobody@letterslot.localhost"],
      client_ip: null,
      helo: null,
    };
    await receive({ raw: new Uint8Array(), envelope, origin: "smtp" });
    const text = await (await scrape()).text();
    expect(text).toContain(
      'letterslot_inbound_recipients_total{origin="smtp",outcome="dropped",reason="inbox_paused"} 1',
    );
    expect(text).toContain(
      'letterslot_inbound_recipients_total{origin="smtp",outcome="refused",reason="unknown_recipient"} 1',
    );
  });

  test("count jobs by what became of them, also those that were given up", async () => {
    const { inbox, as } = await served.signUp("sender");
    await served.work();
    const { blobs, storage } = served.letterslot.services;
    const stop = served.letterslot.work(metrics.countJob);
    const get = blobs.get;
    blobs.get = async () => undefined;
    await as.messages.send({
      inbox_id: inbox.id,
      to: ["a@example.com"],
      text: "x",
      attachments: [{ filename: "a.bin", content_base64: "AAAA" }],
    });
    await expect.poll(() => storage.count("jobs", { kind: "message.send" }, 9)).toBe(0);
    await stop();
    Object.assign(blobs, { get });
    const text = await (await scrape()).text();
    expect(text).toContain('letterslot_jobs_total{kind="message.send",status="given_up"} 1');
    expect(text).not.toContain("a@example.com");
  });

  test.each([
    [{ "x-forwarded-for": "203.0.113.7" }],
    [{ via: "1.1 proxy" }],
    [{ host: "letterslot.test" }],
    [{ host: "localhost", authorization: "Bearer wrong", forwarded: "for=203.0.113.7" }],
  ])("are hidden from a request with %j", async (headers) => {
    expect(await statusOf("127.0.0.1", headers)).toBe(404);
  });

  test("are shown to this machine, by whatever local name", async () => {
    for (const host of ["localhost", "localhost:8025", "127.0.0.1", "[::1]:8025"])
      expect(await statusOf("127.0.0.1", { host })).toBe(200);
  });

  test("are shown to anyone with the token", async () => {
    const authorization = `Bearer ${TOKEN}`;
    expect(await statusOf("127.0.0.1", { host: "letterslot.test", via: "1.1 proxy", authorization })).toBe(
      200,
    );
  });

  test("are hidden from another machine that names this one as its host", async () => {
    const app = createApp({ letterslot: served.letterslot, metrics, metricsToken: TOKEN });
    const ask = (remoteAddress: string, headers: Record<string, string> = {}) => {
      const env = { incoming: { socket: { remoteAddress } } };
      return app.request("/metrics", { headers: { host: "localhost", ...headers } }, env);
    };
    expect((await ask("203.0.113.7")).status).toBe(404);
    expect((await ask("203.0.113.7", { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await ask("::ffff:127.0.0.1")).status).toBe(200);
    expect((await app.request("/metrics", { headers: { host: "localhost" } })).status).toBe(404);
  });
});
