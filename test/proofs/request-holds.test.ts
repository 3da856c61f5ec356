import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { createTestService } from "../../packages/core/testing/index.ts";
import { casesOf } from "../support/case-count.ts";
import type { Furnished } from "../support/furnished-account.ts";
import { largestInputs } from "../support/largest-inputs.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { startWatchedServer, type WatchedAccount, type WatchedServer } from "../support/watched-server.ts";
import { callOverWire } from "../support/wire-call.ts";

const MEGABYTE = 1024 * 1024;
const TIMEOUT_MS = 240_000;
const PATIENCE_MS = 60_000;
/** The longest time that a request and its consequences may hold the event loop. */
const MAX_HOLD_MS = 50;
const TRIES = 5;
const BODY_CHARS = 1_000_000;

/** Shapes that are tried in the gate: the costliest to search, and the costliest to lay out. */
const COSTLIEST = ["different words", "of styles"];
const isTried = (name: string): boolean => casesOf(COSTLIEST.includes(name), true);

const fill = (piece: string, size: number): string => piece.repeat(Math.floor(size / piece.length));
const base64 = (bytes: number): string => Buffer.alloc(bytes, "file").toString("base64");

/** Bodies of a million characters. */
const TEXTS: Record<string, string> = {
  words: fill("The quick brown fox jumps over the lazy dog.\n", BODY_CHARS),
  "one line": fill("word ", BODY_CHARS),
  spaces: fill(" ", BODY_CHARS),
  quotes: fill('"', BODY_CHARS),
  "line breaks": fill("\n", BODY_CHARS),
  "quote marks": fill("> > a\n", BODY_CHARS),
  Chinese: fill("今天天气很好我们去公园", BODY_CHARS),
  emoji: fill("😀", BODY_CHARS),
  "different words": Array.from({ length: 140_000 }, (_, number) => number.toString(36))
    .join(" ")
    .slice(0, BODY_CHARS),
  controls: fill("\u0001", BODY_CHARS),
};
const HTMLS: Record<string, string> = {
  "of paragraphs": fill("<p>x", BODY_CHARS),
  "of line breaks": fill("<br>", BODY_CHARS),
  "of words": `<p>${fill("word ", BODY_CHARS - 10)}</p>`,
  nested: fill("<div>", BODY_CHARS),
  "of styles": fill('<b style="color:red">x</b>', BODY_CHARS),
  "of links": fill('<a href="https://example.com">x</a>', BODY_CHARS),
  "of tables": fill("<table><tr><td>x</td></tr></table>", BODY_CHARS),
  "of references": fill("&amp;", BODY_CHARS),
  "of quotes": fill("<blockquote>x", BODY_CHARS),
};

/** The space for a query beside the rest of a request's head. */
const MAX_QUERY_CHARS = 8_000;

/** All operations, by the resource that they are on; deletions come last, so that the others find their records. */
const OPERATIONS = Map.groupBy(
  (Object.keys(routes) as OperationName[]).filter((name) => operationNamed(name).answers !== "stream"),
  (name) => (/delete/i.test(name) ? "deletions" : (name.split(".")[0] ?? "")),
);
const RESOURCES = [...OPERATIONS.keys()].sort(
  (a, b) => Number(a === "deletions") - Number(b === "deletions"),
);

const MANY_FILES = Array.from({ length: 100 }, (_, number) => ({
  filename: `${number}.bin`,
  content_base64: base64(180_000),
}));

let server: WatchedServer;
let ada: WatchedAccount;
beforeAll(async () => {
  server = await startWatchedServer();
  ada = await server.signUp("ada");
}, TIMEOUT_MS);
afterAll(() => server.close());

type Answer = Record<string, unknown> & { id?: string };

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.base_url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${ada.api_key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, answer: (text.startsWith("{") ? JSON.parse(text) : {}) as Answer };
}

/** Waits until the queued mail has left. */
async function sent(path: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const { answer } = await call("GET", `${path}?max_chars=1`);
    if (answer["status"] !== "queued") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the mail was not sent");
}

const inbox = () => `/inboxes/${ada.inbox_id}`;

/**
 * Runs a load until it holds the loop no longer than allowed; the machine may be busy at the first tries. Parts that
 * can't be repeated are prepared again for each.
 */
async function expectShort<T>(
  load: (prepared: T) => Promise<unknown>,
  prepare?: () => Promise<T>,
): Promise<void> {
  const holds: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least > MAX_HOLD_MS; attempt++) {
    const prepared = (await prepare?.()) as T;
    const { longest_hold_ms, cpu_slowdown } = await server.holdOf(() => load(prepared));
    holds.push(Math.round(longest_hold_ms));
    least = Math.min(least, longest_hold_ms / cpu_slowdown);
  }
  console.info(`  ${expect.getState().currentTestName?.split(" > ").at(-1)}: held ${holds.join(", ")} ms`);
  expect(least).toBeLessThanOrEqual(MAX_HOLD_MS);
}

const to = ["eve@example.com"];

async function send(mail: Record<string, unknown>, headers: Record<string, string> = {}): Promise<void> {
  const { status, answer } = await call("POST", `${inbox()}/messages`, { to, ...mail }, headers);
  expect(status, JSON.stringify(answer).slice(0, 300)).toBe(200);
  await sent(`${inbox()}/messages/${answer.id}`);
}

/** A mail as another server sends it, with both bodies. */
function rawMail(text: string, html: string): string {
  const id = crypto.randomUUID();
  const head = `From: eve@example.com\r\nSubject: Long\r\nMessage-ID: <${id}@example.com>\r\nMIME-Version: 1.0\r\n`;
  const part = (type: string, body: string) =>
    `--b\r\nContent-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString("base64")}\r\n`;
  const mail = `${head}Content-Type: multipart/alternative; boundary=b\r\n\r\n${part("plain", text)}${part("html", html)}--b--\r\n`;
  return Buffer.from(mail).toString("base64");
}

async function inject(mail: Record<string, unknown>, into = inbox()): Promise<string> {
  const { status, answer } = await call("POST", `${into}/inbound`, { from: "eve@example.com", ...mail });
  expect(status, JSON.stringify(answer).slice(0, 300)).toBeLessThan(300);
  return answer.id ?? "";
}

describe("sending", () => {
  test.each(Object.keys(TEXTS).filter(isTried))("a text of %s", { timeout: TIMEOUT_MS }, async (name) => {
    await expectShort(() => send({ text: TEXTS[name] }));
  });

  test.each(Object.keys(HTMLS).filter(isTried))("HTML %s", { timeout: TIMEOUT_MS }, async (name) => {
    await expectShort(() => send({ html: HTMLS[name] }));
  });

  test.each([
    ...casesOf([], [["100 attachments", MANY_FILES] as const]),
    ["an attachment of 18 MB", [{ filename: "a.bin", content_base64: base64(18 * MEGABYTE) }]] as const,
  ])("%s, with a key", { timeout: TIMEOUT_MS }, async (_, attachments) => {
    await expectShort(() =>
      send({ text: "Files.", attachments }, { "idempotency-key": crypto.randomUUID() }),
    );
  });
});

describe("mail that comes in", () => {
  test.each([
    ...Object.keys(TEXTS)
      .filter(isTried)
      .map((name) => [`a text of ${name}`, name, "of words"] as const),
    ...Object.keys(HTMLS)
      .filter(isTried)
      .map((name) => [`HTML ${name}`, "words", name] as const),
  ])("%s", { timeout: TIMEOUT_MS }, async (_, text, html) => {
    await expectShort(() => inject({ raw: rawMail(TEXTS[text] ?? "", HTMLS[html] ?? "") }));
  });
});

/** Calls an operation that succeeds. */
async function done(method: string, path: string, body?: unknown): Promise<void> {
  const { status, answer } = await call(method, path, body);
  expect(status, JSON.stringify(answer).slice(0, 300)).toBeLessThan(300);
}

describe("reading", () => {
  const ids: string[] = [];
  let large = "";
  let file = "";
  beforeAll(async () => {
    const attachments = [{ filename: "a.bin", content_base64: base64(18 * MEGABYTE) }];
    const { answer } = await call("POST", `${inbox()}/messages`, { to, text: "A file.", attachments });
    large = `${inbox()}/messages/${answer.id}`;
    file = `${large}/attachments/${(answer["attachments"] as { id: string }[])[0]?.id}`;
    for (let round = 0; round < casesOf(2, 8); round++)
      for (const name of ["words", "quotes", "Chinese", "emoji", "controls"])
        ids.push(await inject({ raw: rawMail(TEXTS[name] ?? "", HTMLS["of words"] ?? "") }));
  }, TIMEOUT_MS);

  test.each<[string, () => Promise<unknown>]>([
    ...casesOf([2], [0, 2, 3]).map((index): [string, () => Promise<unknown>] => [
      `a long message (${index})`,
      () => done("GET", `${inbox()}/messages/${ids[index]}`),
    ]),
    [
      "a slice of a long message",
      () => done("GET", `${inbox()}/messages/${ids[3]}?offset=400000&max_chars=1000`),
    ],
    ["its raw form", () => done("GET", `${inbox()}/messages/${ids[2]}/raw`)],
    ["a file of 18 MB", () => done("GET", file)],
    ["the raw form of a mail with it", () => done("GET", `${large}/raw`)],
    ["a forward of it", () => done("POST", `${large}/forward`, { to })],
    ["why it was trusted", () => done("GET", `${inbox()}/messages/${ids[2]}/explain`)],
    ["a page of messages", () => done("GET", `${inbox()}/messages?limit=50`)],
    ["a page of summaries", () => done("GET", `${inbox()}/messages?limit=200&view=summary`)],
    ["messages by their ids", () => done("POST", `${inbox()}/messages/batch-get`, { message_ids: ids })],
    ["found messages", () => done("GET", `${inbox()}/messages/search?q=word`)],
    ["a page of threads", () => done("GET", `${inbox()}/threads?limit=50`)],
    ["a page of events", () => done("GET", "/events?limit=200")],
    ["messages that wait", () => done("GET", `${inbox()}/wait?wait=0`)],
    [
      "labels of messages",
      () => done("POST", `${inbox()}/messages/batch-update`, { message_ids: ids, add_labels: ["seen"] }),
    ],
    // It takes seconds in pieces; a forward of a file, a reply and a draft are as long.
    ...casesOf<[string, () => Promise<unknown>][]>(
      [],
      [["a forward", () => done("POST", `${inbox()}/messages/${ids[2]}/forward`, { to })]],
    ),
    ["a reply", () => done("POST", `${inbox()}/messages/${ids[2]}/reply`, { text: TEXTS["quotes"] })],
    [
      "a draft",
      () => done("POST", `${inbox()}/drafts`, { to, text: TEXTS["Chinese"], html: HTMLS["of styles"] }),
    ],
    ["a page of drafts", () => done("GET", `${inbox()}/drafts?limit=50`)],
  ])("%s", { timeout: TIMEOUT_MS }, async (_, load) => {
    await expectShort(load);
  });
});

describe("deleting", () => {
  /** A job purges the remains of a deletion. */
  const PURGED_WITHIN_MS = 2_000;
  const names = ["words", "Chinese", "different words", "emoji"];

  test("an inbox of long messages", { timeout: TIMEOUT_MS }, async () => {
    await expectShort(
      async (path) => {
        await done("DELETE", path);
        await new Promise((resolve) => setTimeout(resolve, PURGED_WITHIN_MS));
      },
      async () => {
        const { answer } = await call("POST", "/inboxes", { username: `full-${crypto.randomUUID()}` });
        const path = `/inboxes/${answer.id}`;
        for (const name of casesOf(names, [...names, ...names]))
          await inject({ raw: rawMail(TEXTS[name] ?? "", HTMLS["of words"] ?? "") }, path);
        return path;
      },
    );
  });
});

describe("each operation, with its largest inputs", () => {
  let inputs: ReturnType<typeof createInputs>;
  beforeAll(async () => {
    const friend = "friend@example.org";
    const message_id = await inject({
      text: "Hello.",
      attachments: [{ filename: "a.txt", content_base64: "aGV5" }],
    });
    const { answer: message } = await call("GET", `${inbox()}/messages/${message_id}`);
    const { answer: draft } = await call("POST", `${inbox()}/drafts`, { to: [friend], text: "Soon." });
    const { answer: webhook } = await call("POST", "/webhooks", { url: "https://receiver.example/hook" });
    const { answer: consumer } = await call("POST", "/events/consumers", { client_id: "reader" });
    const [attachment] = message["attachments"] as { id: string }[];
    const account = {
      ...{ name: "ada", api_key: ada.api_key, inbox_id: ada.inbox_id, account_id: "acct_x", friend },
      ...{ message_id, thread_id: message["thread_id"], attachment_id: attachment?.id },
      ...{ draft_id: draft.id, webhook_id: webhook.id, consumer_id: consumer.id },
    };
    inputs = createInputs(account as unknown as Furnished, createTestService());
  }, TIMEOUT_MS);

  test.each(RESOURCES)("%s", { timeout: TIMEOUT_MS }, async (resource) => {
    const headers = { authorization: `Bearer ${ada.api_key}`, "content-type": "application/json" };
    await expectShort(async () => {
      for (const name of OPERATIONS.get(resource) ?? []) {
        const in_query = ["GET", "DELETE"].includes((routes[name] as Route).method);
        const tried = largestInputs(name, inputs[name], in_query ? MAX_QUERY_CHARS : undefined);
        for (const input of [...tried, inputs[name]]) {
          const { status } = await callOverWire(server, name, input, headers);
          expect(status, name).toBeLessThan(500);
        }
      }
    });
  });
});
