import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";

const settled = async (calls: Promise<unknown>[]) => {
  const outcomes = await Promise.allSettled(calls);
  return {
    done: outcomes.filter(({ status }) => status === "fulfilled").length,
    codes: new Set(
      outcomes.flatMap((outcome) =>
        outcome.status === "rejected" ? [(outcome.reason as { code?: string }).code] : [],
      ),
    ),
  };
};

/** An account that uses so much of a resource. */
async function using(resource: "workspaces" | "custom_domains", used: number) {
  const service = createTestService();
  const account = await service.signUp();
  const { storage } = service.letterslot.services;
  await storage.insert("plan_usage", { account_id: account.account_id, resource, period: "", used });
  return { service, ...account };
}

describe("without a plan", () => {
  test("an account has 50 workspaces, however many are asked for at once", async () => {
    const { as } = await using("workspaces", 48);
    const { done, codes } = await settled(
      Array.from({ length: 5 }, (_, index) => as.workspaces.create({ name: `w${index}`, inbox_quota: 1 })),
    );
    expect(done).toBe(2);
    expect(codes).toEqual(new Set(["plan_limit_exceeded"]));
    await expect(as.workspaces.create({ name: "more", inbox_quota: 1 })).rejects.toMatchObject({
      quota: { resource: "workspaces", limit: 50, used: 50, upgrade_url: null },
    });
  });

  test("an account and its workspaces have 20 domains together", async () => {
    const { as, service } = await using("custom_domains", 18);
    const { api_key = "" } = await as.workspaces.create({ name: "w", inbox_quota: 1 });
    const within = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await as.domains.create({ domain: "one.example.org" });
    await within.domains.create({ domain: "two.example.org" });
    const refused = { quota: { resource: "custom_domains", limit: 20, used: 20 } };
    await expect(as.domains.create({ domain: "three.example.org" })).rejects.toMatchObject(refused);
    await expect(within.domains.create({ domain: "four.example.org" })).rejects.toMatchObject(refused);
  });

  test("what is over the limit at an upgrade stays, and counts until it is gone", async () => {
    const { as } = await using("custom_domains", 20);
    const kept = await using("workspaces", 0);
    for (const name of ["a", "b"]) await kept.as.workspaces.create({ name, inbox_quota: 1 });
    const where = { account_id: kept.account_id, resource: "workspaces", period: "" };
    await kept.service.letterslot.services.storage.update("plan_usage", where, { used: 60 });
    expect((await kept.as.workspaces.list({})).data).toHaveLength(2);
    await expect(kept.as.workspaces.create({ name: "c", inbox_quota: 1 })).rejects.toMatchObject({
      code: "plan_limit_exceeded",
    });
    await expect(as.domains.create({ domain: "one.example.org" })).rejects.toMatchObject({
      code: "plan_limit_exceeded",
    });
    expect((await as.inboxes.createBatch({ count: 3 })).data).toHaveLength(3);
  });

  test("exports and domains by the hour are counted for an account with its workspaces", async () => {
    const service = createTestService();
    const { as } = await service.signUp();
    const inside = async (name: string) => {
      const { api_key = "" } = await as.workspaces.create({ name, inbox_quota: 1 });
      return service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    };
    const [one, two] = [await inside("one"), await inside("two")];
    await one.exports.create({});
    await two.exports.create({});
    await expect(as.exports.create({})).rejects.toMatchObject({ code: "rate_limited" });
    await expect((await inside("three")).exports.create({})).rejects.toMatchObject({ code: "rate_limited" });
  });
});
