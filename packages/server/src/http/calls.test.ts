import { Plans } from "@letterslot/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const upgrade_url = "https://example.com/plans";
const CALL = { to: "+14155550199", say: "Your two boxes arrive on Friday." };

let served: Served;
let inbox_id: string;
let api_key: string;
beforeEach(async () => {
  const plans = Plans.parse({ default: "free", plans: { free: { voice_minutes: 3, upgrade_url } } });
  served = await serve({ config: { plans } });
  const opened = await served.signUp("caller");
  ({ api_key } = opened);
  inbox_id = opened.inbox.id;
  await served.client(api_key).phoneNumbers.create({ inbox_id, area_code: "415" });
});
afterEach(() => served.close());

async function call(body: object, { key, inbox = inbox_id }: { key?: string; inbox?: string } = {}) {
  const answer = await served.fetch(`${served.base_url}/api/v1/inboxes/${inbox}/calls`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${api_key}`,
      "content-type": "application/json",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  const replayed = answer.headers.get("idempotent-replayed") === "true";
  return { status: answer.status, replayed, body: (await answer.json()) as Record<string, unknown> };
}

test("a call is 201, and 200 with the same message when it is repeated with its Idempotency-Key", async () => {
  const key = "one";
  const first = await call(CALL, { key });
  expect(first).toMatchObject({
    status: 201,
    replayed: false,
    body: {
      object: "message",
      channel: "voice",
      direction: "outbound",
      text: CALL.say,
      duration_seconds: null,
    },
  });
  const again = { status: 200, replayed: true, body: { ...first.body, idempotent: true } };
  expect(await call(CALL, { key })).toEqual(again);
  expect(await call({ ...CALL, say: "Else." }, { key })).toMatchObject({ status: 409 });
  const { usage } = await served.client(api_key).me.get();
  expect(usage?.voice_minutes).toEqual({ used: 1, limit: 3 });
});

test.each([
  [{ to: CALL.to }, 400, "missing_say", "invalid_request"],
  [{ ...CALL, say: "a".repeat(1_001) }, 400, "say_too_long", "invalid_request"],
  [{ say: CALL.say }, 400, "invalid_e164", "invalid_request"],
  [{ ...CALL, to: "+442071838750" }, 400, "international_not_allowed", "invalid_request"],
  [{ ...CALL, to: "+19002345678" }, 400, "premium_rate_blocked", "invalid_request"],
  [{ ...CALL, mode: "shout" }, 400, "invalid_request", "invalid_request"],
  [{ ...CALL, mode: "say_and_record", say: "a".repeat(1_000) }, 402, "plan_limit_exceeded", "plan_limit"],
])("%o is answered with its code: %i %s", async (body, status, code, type) => {
  expect(await call(body)).toMatchObject({ status, body: { error: { code, type } } });
});

test("without a number it is 409, and in an inbox that isn't there 404", async () => {
  await served.client(api_key).phoneNumbers.delete({ inbox_id });
  expect(await call(CALL)).toMatchObject({
    status: 409,
    body: { error: { code: "phone_number_not_found" } },
  });
  const elsewhere = await call(CALL, { inbox: "inb_none" });
  expect(elsewhere).toMatchObject({ status: 404, body: { error: { code: "inbox_not_found" } } });
});

test("beyond the plan's minutes the error says what is limited, and where to get more", async () => {
  await call({ ...CALL, mode: "say_and_record" });
  const quota = { resource: "voice_minutes", limit: 3, used: 3, upgrade_url };
  expect(await call(CALL)).toMatchObject({
    status: 402,
    body: { error: { code: "plan_limit_exceeded", ...quota } },
  });
});
