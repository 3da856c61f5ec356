import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let key: string;
let inbox_id: string;

beforeAll(async () => {
  served = await serve();
  const { api_key, inbox } = await served.client().accounts.onboard({ username: "ada" });
  [key, inbox_id] = [api_key, inbox.id];
});
afterAll(() => served.close());

async function post(path: string, body: object, name = "once", headers: Record<string, string> = {}) {
  const response = await fetch(`${served.base_url}/api/v1/${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "idempotency-key": name, ...headers },
    body: JSON.stringify(body),
  });
  const json = (await response.json()) as Record<string, unknown> & { error?: { code: string } };
  return { status: response.status, headers: response.headers, json, code: json.error?.code };
}

describe("an Idempotency-Key", () => {
  test("makes a create happen once, whatever is created", async () => {
    const first = await post("inboxes", { username: "bo" }, "inbox");
    const again = await post("inboxes", { username: "bo" }, "inbox");
    expect(first).toMatchObject({ status: 200, json: { idempotent: false } });
    expect(again).toMatchObject({ status: 200, json: { id: first.json["id"], idempotent: true } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const batch = await post("inboxes/batch", { count: 2 }, "batch");
    const same = await post("inboxes/batch", { count: 2 }, "batch");
    expect(same.json).toEqual({
      ...batch.json,
      data: expect.anything(),
      idempotent: true,
    });
    expect(same.json["data"]).toEqual(batch.json["data"]);
  });

  test("repeats a webhook without the secret that was shown once", async () => {
    const body = { url: "https://receiver.example.com/hook" };
    const [first, again] = [await post("webhooks", body, "hook"), await post("webhooks", body, "hook")];
    const [secret, hint] = [String(first.json["secret"]), String(again.json["secret"])];
    expect(again.json).toEqual({ ...first.json, secret: hint, idempotent: true });
    expect(secret).toMatch(/^whsec_.{40,}/);
    expect(hint.length).toBeLessThan(20);
    const [kept] = await served.letterslot.services.storage.find("idempotency", {
      where: { key: "hook" },
      limit: 1,
    });
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  test.each<[string, object]>([
    ["keys", { name: "Minted" }],
    ["tasks/claim", {}],
    ["digests/flush", {}],
    ["onboard", { username: "carol" }],
    ["owners/session/start", { email: "grace@example.com" }],
    ["owners/confirm", { token: "lso" }],
  ])("is refused where a call can't be repeated: POST %s", async (path, body) => {
    const needsKey = !["onboard", "owners/session/start", "owners/confirm"].includes(path);
    const response = await fetch(`${served.base_url}/api/v1/${path}`, {
      method: "POST",
      headers: {
        ...(needsKey ? { authorization: `Bearer ${key}` } : {}),
        accept: "application/json",
        "idempotency-key": "once",
      },
      body: JSON.stringify(body),
    });
    expect(await response.json()).toMatchObject({
      error: { code: "idempotency_not_supported", param: "Idempotency-Key" },
    });
    expect(response.status).toBe(400);
  });

  test("is told of only to who may call, and changes nothing for reads and deletions", async () => {
    const reader = await served.client(key).keys.create({ permissions: ["message_read"] });
    const denied = { authorization: `Bearer ${reader.api_key}` };
    expect(await post("digests/flush", {}, "once", denied)).toMatchObject({ code: "permission_denied" });
    const batch = await post(`inboxes/${inbox_id}/messages/batch-get`, { message_ids: ["msg_x"] });
    expect(batch.status).toBe(200);
  });
});
