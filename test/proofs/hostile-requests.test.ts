import { request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Route, routes } from "../../packages/client/src/routes.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import { type Served, serve } from "../../packages/server/testing/serve.ts";
import { anyCharacter } from "../support/any-character.ts";
import { caseCount, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { type Furnished, furnish } from "../support/furnished-account.ts";
import { createInputs } from "../support/operation-inputs.ts";
import { callOverWire, type WireAnswer } from "../support/wire-call.ts";

const perOperation = caseCount(5, 400);
const PATIENCE_MS = 40;
const MINUTE_MS = 60_000;

const names = (Object.keys(routes) as OperationName[]).filter(
  (name) => (routes[name] as Route).answers !== "stream",
);
/** Deletions come last, so that the others find their records. */
const ordered = [
  ...names.filter((name) => !/delete/.test(name)),
  ...names.filter((name) => /delete/.test(name)),
];

let served: Served;
let ada: Furnished;
/** An account in which nothing is deleted. */
let grace: Furnished;

beforeAll(async () => {
  served = await serve();
  ada = await furnish(served, "ada");
  grace = await furnish(served, "grace");
});
afterAll(() => served.close());

/** With a stopped clock no wait would end, so the clock is moved while a call waits. */
async function inTime(call: Promise<WireAnswer>): Promise<WireAnswer> {
  const timer = setInterval(() => void served.clock.advance(MINUTE_MS), PATIENCE_MS);
  try {
    return await call;
  } finally {
    clearInterval(timer);
  }
}

const unlike: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    "",
    " ",
    "\0",
    "\ud800",
    "\u2028",
    "../../etc/passwd",
  ),
  fc.constantFrom<unknown>(
    "=?utf-8?q?=0d=0aBcc:_eve@evil.example?=",
    "a\r\nBcc: eve@evil.example",
    "__proto__",
    "constructor",
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    { __proto__: { admin: true } },
    "%00",
    "%2e%2e%2f",
    "x".repeat(6_000),
  ),
  fc.constantFrom<unknown>(
    "9999-12-31T23:59:59.999Z",
    "-000001-01-01T00:00:00Z",
    "2026-13-45",
    "ada@xn--",
    "@",
    "a@b",
    "evt_",
    "msg_x",
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.array(fc.string({ maxLength: 12 }), { maxLength: 120 }),
);

/** A valid input with one to three wrong fields, one missing, or one too many. */
function spoilt(name: OperationName, good: Record<string, unknown>): fc.Arbitrary<Record<string, unknown>> {
  const fields = [...Object.keys(operationNamed(name).input.shape), "nonsense"];
  const changes = fc.array(
    fc.tuple(fc.constantFrom(...fields), fc.option(unlike, { freq: 8, nil: undefined })),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  return changes.map((changed) =>
    Object.fromEntries(
      Object.entries({ ...good, ...Object.fromEntries(changed) }).filter(([, value]) => value !== undefined),
    ),
  );
}

function expectClean(answer: WireAnswer, told: string): void {
  expect(answer.status, `${told} ${answer.text.slice(0, 500)}`).toBeLessThan(500);
  if (answer.status >= 400) expect(answer.code, told).toMatch(/^[a-z0-9_]+$/);
}

describe("whatever a request contains", () => {
  test.each(ordered)(
    "%s accepts it or refuses it with an error code",
    { timeout: PROOF_TIMEOUT_MS },
    async (name) => {
      const open = operationNamed(name).scope === "public";
      const headers: Record<string, string> = open ? {} : { authorization: `Bearer ${ada.api_key}` };
      const good = createInputs(ada, served)[name];
      await fc.assert(
        fc.asyncProperty(spoilt(name, good), async (input) => {
          const answer = await inTime(callOverWire(served, name, input, headers));
          expectClean(answer, `${name} ${JSON.stringify(input).slice(0, 500)}`);
        }),
        { seed: PROOF_SEED, numRuns: perOperation },
      );
    },
  );

  test("a body of arbitrary bytes gets a response", { timeout: PROOF_TIMEOUT_MS }, async () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      ":",
      ",",
      "1e999",
      "null",
      "\\u0000",
      "\\ud800",
      "\0",
      "\ufeff",
      " ",
    );
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 6 })), { maxLength: 30 })
      .map((all) => all.join(""));
    const bytes = fc.oneof(
      text.map((all) => Buffer.from(all)),
      fc.uint8Array({ maxLength: 64 }).map((all) => Buffer.from(all)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const response = await fetch(`${served.base_url}/api/v1/inboxes/${grace.inbox_id}/messages`, {
          method: "POST",
          headers: { authorization: `Bearer ${grace.api_key}` },
          body,
        });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } });
      }),
      { seed: PROOF_SEED, numRuns: caseCount(200, 5_000) },
    );
  });

  test("JSON nested a hundred thousand levels deep gets a response", async () => {
    const deep = `{"metadata":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
    const response = await fetch(`${served.base_url}/api/v1/inboxes`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.api_key}` },
      body: deep,
    });
    expect(response.status).toBe(400);
    expect((await fetch(`${served.base_url}/readyz`)).status).toBe(200);
  });

  const listing = ordered.filter((name) => "pages" in routes[name]);
  test.each(listing)(
    "%s rejects a cursor that it did not issue",
    { timeout: PROOF_TIMEOUT_MS },
    async (name) => {
      const forged = fc.oneof(
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
        fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
        fc
          .tuple(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }))
          .map((pair) => Buffer.from(JSON.stringify(pair)).toString("base64url")),
      );
      await fc.assert(
        fc.asyncProperty(forged, async (cursor) => {
          const input = { ...createInputs(grace, served)[name], cursor };
          const { status, code } = await callOverWire(served, name, input, {
            authorization: `Bearer ${grace.api_key}`,
          });
          expect({ status, code }, cursor).toEqual({ status: 400, code: "invalid_cursor" });
        }),
        { seed: PROOF_SEED, numRuns: caseCount(6, 300) },
      );
    },
  );
});

describe("a path", () => {
  /** Sends the path unchanged: fetch would normalise it. */
  const ask = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const { hostname, port } = new URL(served.base_url);
      const headers = { authorization: `Bearer ${grace.api_key}` };
      const sent = request({ hostname, port, path, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end();
    });

  const climbs = [
    "../../../../etc/passwd",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/etc/passwd",
    "..%5c..%5cetc%5cpasswd",
    "%00",
    "%ff",
    "%",
  ];
  test.each(climbs)("with %s reaches no file", async (climb) => {
    for (const place of [
      `/api/v1/inboxes/${climb}`,
      `/outbox/${climb}`,
      `/docs/${climb}`,
      `/${climb}`,
      `/api/v1/inboxes/${grace.inbox_id}/messages/${grace.message_id}/attachments/${climb}`,
    ]) {
      const { status, text } = await ask(place);
      expect(status, place).toBeGreaterThanOrEqual(400);
      expect(status, `${place} ${text}`).toBeLessThan(500);
      expect(text).not.toContain("root:");
    }
  });
});
