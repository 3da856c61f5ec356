import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { Plans } from "../../catalogue/plans.ts";

const MINUTE_MS = 60_000;

async function open(config: Parameters<typeof createTestService>[0] = {}) {
  const service = createTestService(config);
  const account = await service.signUp();
  const inbox_id = account.inbox.id;
  await account.as.phoneNumbers.create({ inbox_id, area_code: "415" });
  const send = (number: number, as = account.as, inbox = inbox_id) =>
    as.messages.sendSms({ inbox_id: inbox, to: `+1415555${String(1000 + number)}`, text: "Hello." });
  return { service, account, inbox_id, send };
}

const settled = async (calls: Promise<unknown>[]) => {
  const outcomes = await Promise.allSettled(calls);
  return {
    done: outcomes.filter(({ status }) => status === "fulfilled").length,
    errors: outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : [])),
  };
};

describe("texts without a plan", () => {
  test("are ten a minute, however many are sent at once, and the error says until when", async () => {
    const { service, send } = await open();
    const { done, errors } = await settled(Array.from({ length: 30 }, (_, number) => send(number)));
    expect(done).toBe(LIMITS.texts_per_minute);
    for (const error of errors)
      expect(error).toMatchObject({
        code: "rate_limited",
        resets_at: "2026-01-01T00:01:00.000Z",
        retry_after_seconds: 60,
      });
    await service.clock.advance(MINUTE_MS);
    await send(300);
  });

  test("are 250 a day, by all inboxes and workspaces of an account; what was refused counts nothing", async () => {
    const { service, account, send } = await open();
    const { api_key = "" } = await account.as.workspaces.create({ name: "w", inbox_quota: 2 });
    const within = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const room = await within.inboxes.create({});
    await within.phoneNumbers.create({ inbox_id: room.id, area_code: "604" });
    // As if 245 had left today.
    const day = `texts:${account.account_id}:${24 * 60 * MINUTE_MS}:${Date.parse("2026-01-01")}`;
    await service.letterslot.services.storage.insert("counters", {
      ...{ name: day, count: 245, expires_at: "2026-01-02T00:00:00.000Z" },
    });
    const { done } = await settled(
      Array.from({ length: 9 }, (_, number) =>
        number % 2 === 0 ? send(number) : send(number, within, room.id),
      ),
    );
    expect(done).toBe(5);
    const refused = { code: "rate_limited", resets_at: "2026-01-02T00:00:00.000Z" };
    await expect(send(1)).rejects.toMatchObject(refused);
    await expect(send(1, within, room.id)).rejects.toMatchObject(refused);
    await service.clock.advance(24 * 3600_000);
    await send(1);
  }, 60_000);

  test("none leave while nobody claimed the account, where that is asked for", async () => {
    const { send } = await open({ onboarding: "claimed" });
    await expect(send(1)).rejects.toMatchObject({ code: "account_unclaimed" });
  });
});

test("with a plan, the plan alone limits texts", async () => {
  const { send } = await open({
    plans: Plans.parse({ default: "free", plans: { free: { monthly_sends: 15 } } }),
  });
  const { done, errors } = await settled(Array.from({ length: 20 }, (_, number) => send(number)));
  expect(done).toBe(15);
  expect(errors[0]).toMatchObject({ code: "plan_limit_exceeded" });
});
