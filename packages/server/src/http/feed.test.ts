import { createClient } from "@letterslot/client";
import { LIMITS } from "@letterslot/core";
import { describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

/** A server and a client of an account on it; `answers` can change each answer before the client sees it. */
async function open(
  answers: (response: Response, path: string) => Response | Promise<Response> = (response) => response,
) {
  const served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  const client = served.client(opened.api_key);
  const watched = createClient({
    baseUrl: served.base_url,
    apiKey: opened.api_key,
    retries: 0,
    fetch: async (url, init) => answers(await served.fetch(url, init), new URL(url).pathname),
  });
  const mail = (subject: string) =>
    served.receive({ from: "eve@example.com", to: opened.inbox.email, subject });
  return { served, client, watched, mail, inbox_id: opened.inbox.id };
}
const subjectOf = (event: { data: Record<string, unknown> } | void) =>
  (event?.data["message"] as { subject?: string } | undefined)?.subject;
const get = async (served: Served, client: Awaited<ReturnType<typeof open>>["client"], query: string) => {
  const { api_key } = await client.keys.create({});
  const response = await served.fetch(`${served.base_url}/api/v1/${query}`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
};

describe("the feed over HTTP", () => {
  test("is a page of envelopes; types are repeated or separated by commas", async () => {
    const { served, client, mail, inbox_id } = await open();
    await mail("One");
    const page = await client.events.list({ after: "0", types: ["message.received", "message.sent"] });
    expect(page).toMatchObject({
      object: "list",
      has_more: false,
      data: [{ object: "event", type: "message.received" }],
    });
    for (const query of ["types=message.received,message.sent", "types=message.received&types=message.sent"])
      expect((await get(served, client, `events?after=0&${query}`)).body).toEqual(page);
    expect(
      (await get(served, client, `inboxes/${inbox_id}/events?after=0&types=message.received`)).body,
    ).toEqual(page);
    expect(await get(served, client, "events?types=message.read")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_event_type" } },
    });
    expect(await get(served, client, "events?after=4711")).toMatchObject({
      status: 400,
      body: { error: { code: "invalid_cursor" } },
    });
    await served.close();
  });

  test("answers 410 to a cursor that is no longer stored", async () => {
    const { served, client, mail } = await open();
    await mail("Old");
    await served.clock.advance(LIMITS.events_kept_ms + 1);
    await served.letterslot.sweep();
    expect(await get(served, client, "events?after=0")).toMatchObject({
      status: 410,
      body: { error: { code: "cursor_expired" } },
    });
    await expect(client.events.follow({ after: 0 }).next()).rejects.toMatchObject({
      status: 410,
      code: "cursor_expired",
    });
    await served.close();
  });

  test("is polled and committed by a consumer, and deliveries are tested and listed", async () => {
    const { served, client, mail } = await open();
    const { id: consumer_id } = await client.consumers.create({
      client_id: "mine",
      types: ["message.received"],
    });
    await mail("One");
    const page = await client.consumers.poll({ consumer_id, wait: 25 });
    expect(page.data.map(subjectOf)).toEqual(["One"]);
    await client.consumers.commit({ consumer_id, cursor: page.next_cursor });
    expect(await client.consumers.get({ consumer_id })).toMatchObject({ cursor: page.next_cursor });
    expect((await client.consumers.list()).data).toHaveLength(1);
    expect(await client.consumers.delete({ consumer_id })).toMatchObject({ deleted: true });

    const { id: webhook_id } = await client.webhooks.create({
      url: "https://receiver.example.com/",
      events: ["task.received"],
    });
    const tested = await client.webhooks.test({ webhook_id });
    await served.work();
    const delivered = await client.webhooks.redeliver({ webhook_id, delivery_id: tested.id });
    expect(
      (await client.webhooks.deliveries({ webhook_id })).data.map(({ id, status }) => [id, status]),
    ).toEqual([
      [delivered.id, "pending"],
      [tested.id, "succeeded"],
    ]);
    await served.close();
  });
});

describe("following the feed", () => {
  test("yields existing and new events once each and in order, also while the server is down", async () => {
    let failing = 0;
    const { served, watched, mail } = await open((response, path) => {
      if (path.endsWith("/events") && failing-- > 0) throw new TypeError("the connection broke");
      return response;
    });
    await mail("One");
    await mail("Two");
    const feed = watched.events.follow({ after: "0", types: ["message.received"] });
    const seen = [subjectOf((await feed.next()).value), subjectOf((await feed.next()).value)];
    failing = 2;
    const third = feed.next();
    await mail("Three");
    seen.push(subjectOf((await third).value));
    const fourth = feed.next();
    await mail("Four");
    seen.push(subjectOf((await fourth).value));
    await feed.return(undefined);
    expect(seen).toEqual(["One", "Two", "Three", "Four"]);
    await served.close();
  });

  test("ends when its signal aborts, and on errors that retrying cannot fix", async () => {
    const { served, client } = await open();
    const ending = new AbortController();
    const feed = client.events.follow({ signal: ending.signal, types: ["task.received"] });
    const next = feed.next();
    ending.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await expect(client.events.follow({ inboxId: "inb_unknown" }).next()).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    await served.close();
  });

  test("as a stream iterates over events", async () => {
    const { served, client, mail } = await open();
    await mail("One");
    const stream = client.events.stream({ after: "0", types: ["message.received"] });
    expect(subjectOf((await stream.next()).value as never)).toBe("One");
    await stream.return(undefined);
    await served.close();
  });
});
