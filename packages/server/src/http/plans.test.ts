import { LetterslotApiError } from "@letterslot/client";
import { Plans } from "@letterslot/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const upgrade_url = "https://example.com/plans";

let served: Served;
beforeEach(async () => {
  const plans = Plans.parse({ default: "free", plans: { free: { inboxes: 1, upgrade_url } } });
  served = await serve({ config: { plans } });
});
afterEach(() => served.close());

test("over a quota the error object says what is limited, and so does the client's error", async () => {
  const { api_key } = await served.signUp("planned");
  const answer = await served.fetch(`${served.base_url}/api/v1/inboxes`, {
    method: "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(answer.status).toBe(402);
  const quota = { resource: "inboxes", limit: 1, used: 1, upgrade_url };
  expect(await answer.json()).toMatchObject({
    error: { type: "plan_limit", code: "plan_limit_exceeded", retryable: false, ...quota },
  });
  const refused = await served
    .client(api_key)
    .inboxes.create({})
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LetterslotApiError);
  expect(refused).toMatchObject({ status: 402, code: "plan_limit_exceeded", ...quota });
});

test("`me` shows the plan, what is used of it and the notices", async () => {
  const { api_key } = await served.signUp("planned");
  expect(await served.client(api_key).me.get()).toMatchObject({
    plan: "free",
    usage: { inboxes: { used: 1, limit: 1 }, monthly_sends: { used: 0, limit: null } },
    notices: [{ code: "usage_full", resource: "inboxes", used: 1, limit: 1 }],
  });
});

test("a suspended account's calls are 403, but for `me`", async () => {
  const { account_id, api_key } = await served.signUp("suspended");
  await served.letterslot.operator.accounts.suspend(account_id);
  const client = served.client(api_key);
  await expect(client.inboxes.list()).rejects.toMatchObject({ status: 403, code: "account_suspended" });
  expect((await client.me.get()).restrictions).toEqual(["account_suspended"]);
});
