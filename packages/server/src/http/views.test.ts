import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let inbox_id: string;
let client: ReturnType<Served["client"]>;
const logged: string[] = [];

beforeAll(async () => {
  const note = (...words: unknown[]) => void logged.push(JSON.stringify(words));
  served = await serve({ log: { info: note, warn: note, error: note } });
  const opened = await served.client().accounts.onboard({ username: "ada" });
  client = served.client(opened.api_key);
  inbox_id = opened.inbox.id;
});
afterAll(() => served.close());

const receive = async (html: string) =>
  (await client.messages.inject({ inbox_id, from: "bob@example.org", subject: "Plans", html })).id;
/** The address of a view at this server, whose links name another host. */
const hereOf = ({ url }: { url: string }) => served.base_url + new URL(url).pathname;
const AS_BROWSER = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

describe("GET /view/:word", () => {
  test("shows a mail without a key, and writes its word nowhere", async () => {
    const made = await client.messages.view({
      inbox_id,
      message_id: await receive("<h1>Hello</h1><script>x"),
    });
    const answer = await served.fetch(hereOf(made), AS_BROWSER);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": expect.stringMatching(/^sandbox .*; frame-ancestors 'self'$/),
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(answer.headers.has("set-cookie")).toBe(false);
    expect(await answer.text()).toMatch(/<h1>Hello<\/h1>$/);
    await served.fetch(`${hereOf(made)}/`, AS_BROWSER);
    await served.fetch(`${hereOf(made)}?a=b`, { method: "DELETE" });
    const word = new URL(made.url).pathname.split("/").at(-1) ?? "-";
    expect(logged.join("\n")).toContain('"path":"/view/:word"');
    expect(logged.join("\n")).not.toContain(word);
  });

  test("that has ended says so: to a person on a page that a frame may show, to a program as any error", async () => {
    const made = await client.messages.view({ inbox_id, message_id: await receive("<h1>Hello") });
    await served.clock.advance(5 * 60_000);
    const page = await served.fetch(hereOf(made), AS_BROWSER);
    expect(page.status).toBe(404);
    expect(page.headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'self'/);
    expect(page.headers.has("x-frame-options")).toBe(false);
    expect(await page.text()).toContain("Open the mail again");
    for (const path of [hereOf(made), `${served.base_url}/view/lsv`]) {
      const answer = await served.fetch(path);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: "view_not_found" } });
    }
  });

  test("is the only method there", async () => {
    const answer = await served.fetch(`${served.base_url}/view/lsv`, { method: "POST" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("of long HTML is worked on beside the event loop", async () => {
    // Without a worker the same work is done here, so that what comes out is the same.
    const run: string[] = [];
    served.letterslot.services.contentWorker = {
      async run(name, input) {
        run.push(name);
        const { runContentTask } = await import("@letterslot/core/mail");
        return runContentTask(name, input);
      },
    };
    const made = await client.messages.view({
      inbox_id,
      message_id: await receive("<p>long</p>".repeat(5_000)),
    });
    const answer = await served.fetch(hereOf(made), AS_BROWSER);
    expect((await answer.text()).match(/<p>long<\/p>/g)).toHaveLength(5_000);
    expect(run.filter((name) => name === "showMail")).toHaveLength(2);
    served.letterslot.services.contentWorker = undefined;
  });
});
