import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMailParser } from "../../packages/adapter-smtp/src/reading/mail-parser.ts";
import { createSenderAuth } from "../../packages/adapter-smtp/src/sender/sender-auth.ts";
import { createTestService, type TestAccount, type TestService } from "../../packages/core/testing/index.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { caseCount, casesOf, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { measureGrowth } from "../support/growth.ts";
import { HOSTILE_SHAPES } from "../support/hostile-shapes.ts";
import { measureLongestTick, measureProcessCpu, measureThreadCpu } from "../support/processor-time.ts";

/**
 * The largest size is just below the limits of headers, bodies and requests: anything truncated would look
 * harmless.
 */
const ranges = caseCount<[number, number][]>(
  [[15_000, 240_000]],
  [
    [15_000, 240_000],
    [60_000, 960_000],
  ],
);
/** Input above every limit must not block anything either. */
const beyond = caseCount<number[]>([], [4_000_000]);
/**
 * Linear is 1; garbage collection grows slightly faster than linearly, and a careless algorithm has 2.
 */
const steepest = caseCount(1.25, 1.1);
const tries = caseCount(8, 30);
/** In the gate the costliest for each part of the mail that they stress: the head, the parts, their coding, text and HTML. */
const COSTLIEST = [
  ...[
    "a subject of encoded words",
    "nested comments",
    "many parts",
    "lines like delimiters",
    "uuencoded files",
  ],
  ...["quotes and answers", "links", "combining marks", "list items", "closing tags", "tables in tables"],
];
const shapes = Object.entries(HOSTILE_SHAPES).filter(([name]) => casesOf(COSTLIEST.includes(name), true));
/** The longest time that one mail may block the main thread. */
const MAX_TICK_MS = 250;
const HOUR_MS = 3600_000;

describe("a mail's cost grows at most linearly, and it never blocks the event loop, from", () => {
  const parser = createMailParser();
  const resolve = async () => {
    throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  };
  let service: TestService;
  let ada: TestAccount;
  let received = 0;
  const worst = { growth: 0, growing: "", turn: 0, stopping: "" };

  beforeAll(async () => {
    service = createTestService({
      parser,
      senderAuth: createSenderAuth({ dns: { resolve }, workers: parser.workers }),
    });
    ada = await service.signUp("ada-main");
  });
  afterAll(async () => {
    console.log(`  the steepest growth is ${worst.growth.toFixed(2)} (${worst.growing}),`);
    console.log(`  the longest turn of the loop ${worst.turn.toFixed(0)} ms (${worst.stopping})`);
    await parser.close();
  });

  describe.each(ranges)("%i to %i bytes of", (...sizes) => {
    test.each(shapes)("%s", { timeout: PROOF_TIMEOUT_MS }, async (name, shape) => {
      const takeIn = async (size: number) => {
        // Avoid the hourly limits and deduplication.
        await service.clock.advance(HOUR_MS);
        const raw = Buffer.from(`X-Number: ${++received}\r\n${shape(size)}`);
        const envelope = {
          ...{ mail_from: "mara@family.example.com", rcpt_to: [ada.inbox.email] },
          ...{ client_ip: "198.51.100.9", helo: "mx.example.com" },
        };
        const turn = await measureLongestTick(() =>
          service.letterslot.receive({ raw, envelope, origin: "smtp" }),
        );
        if (turn > worst.turn) Object.assign(worst, { turn, stopping: name });
        expect(turn).toBeLessThan(MAX_TICK_MS);
      };
      const growth = await measureGrowth({
        sizes,
        steepest,
        tries,
        run: takeIn,
        measureMs: measureProcessCpu,
      });
      for (const size of beyond) await takeIn(size);
      if (growth > worst.growth) Object.assign(worst, { growth, growing: name });
      expect(growth).toBeLessThanOrEqual(steepest);
    });
  });
});

describe("a request's cost grows at most linearly, from", () => {
  const repeated = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
  const bodies: Record<string, (size: number) => string> = {
    "arrays in arrays": (size) => `{"metadata":${repeated("[", size / 2)}${repeated("]", size / 2)}}`,
    "objects in objects": (size) =>
      `{"metadata":${repeated('{"a":', size * 0.8)}1${repeated("}", size / 6)}}`,
    "many recipients": (size) => `{"to":[${repeated('"a@b.example",', size)}"a@b.example"],"text":"x"}`,
    "many labels": (size) => `{"to":["a@b.example"],"text":"x","labels":[${repeated('"a",', size)}"b"]}`,
    "many fields": (size) =>
      `{${Array.from({ length: Math.floor(size / 12) }, (_, index) => `"f${index}":1`).join()}}`,
    "one repeated field": (size) => `{${repeated('"to":[],', size)}"to":[]}`,
    "a long text": (size) => `{"to":["a@b.example"],"text":"${repeated("a ", size)}"}`,
    "a long text of HTML": (size) => `{"to":["a@b.example"],"html":"${repeated("<li>a", size)}"}`,
    "a long subject": (size) => `{"to":["a@b.example"],"text":"x","subject":"${repeated("é", size)}"}`,
    "a long number": (size) => `{"to":${repeated("9", size)}}`,
    escapes: (size) => `{"text":"${repeated("\\u0000", size)}"}`,
    "unpaired surrogates": (size) => `{"text":"${repeated("\\ud83d", size)}"}`,
    blanks: (size) => `{${repeated(" ", size)}}`,
    "quotes without an end": (size) => `{"${repeated('\\"', size)}`,
    "invalid base64": (size) =>
      `{"text":"x","attachments":[{"filename":"a","content_base64":"${repeated("=", size)}"}]}`,
  };
  let served: Served;
  let url = "";
  let api_key = "";
  const worst = { growth: 0, growing: "" };

  beforeAll(async () => {
    served = await serve();
    const account = await served.signUp("ada");
    api_key = account.api_key;
    url = `${served.base_url}/api/v1/inboxes/${account.inbox.id}/messages`;
  });
  afterAll(async () => {
    console.log(`  the steepest growth is ${worst.growth.toFixed(2)} (${worst.growing})`);
    await served.close();
  });

  describe.each(ranges)("%i to %i bytes of", (...sizes) => {
    test.each(Object.entries(bodies))("%s", { timeout: PROOF_TIMEOUT_MS }, async (name, bodyOf) => {
      const send = async (size: number) => {
        await served.clock.advance(HOUR_MS);
        const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
        const answer = await fetch(url, { method: "POST", headers, body: bodyOf(size) });
        await answer.text();
        expect(answer.status).toBeLessThan(500);
      };
      const growth = await measureGrowth({ sizes, steepest, tries, run: send, measureMs: measureThreadCpu });
      if (growth > worst.growth) Object.assign(worst, { growth, growing: name });
      expect(growth).toBeLessThanOrEqual(steepest);
    });
  });
});
