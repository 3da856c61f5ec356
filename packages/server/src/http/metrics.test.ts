import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";
import { createMetrics } from "./metrics.ts";

const metrics = createMetrics();
let served: Served;
beforeAll(async () => {
  served = await serve({ metrics });
});
afterAll(() => served.close());

const scrape = async (headers: Record<string, string> = {}) =>
  fetch(`${served.base_url}/metrics`, { headers });

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

  test("are hidden from requests through a proxy", async () => {
    expect((await scrape({ "x-forwarded-for": "203.0.113.7" })).status).toBe(404);
  });
});
