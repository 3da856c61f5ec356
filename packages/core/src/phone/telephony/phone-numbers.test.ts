import { beforeEach, describe, expect, test } from "vitest";
import { createMortalStorage } from "../../../../../test/support/mortal-storage.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { createTestStorage } from "../../../testing/test-storage.ts";
import { scanTable } from "../../account/transfer/scan.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { Plans } from "../../catalogue/plans.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import { noTelephony, TelephonyFailure } from "../../ports/telephony.ts";
import { findInboxByNumber } from "./find.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNDER_WAY_MS = LIMITS.phone_purchase_finished_after_ms;

let service: TestService;
let account: TestAccount;
let inbox_id: string;
beforeEach(async () => {
  service = createTestService();
  account = await service.signUp();
  inbox_id = account.inbox.id;
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const storage = () => service.letterslot.services.storage;
const buy = (wanted: { area_code?: string; phone_number?: string } = { area_code: "415" }, id = inbox_id) =>
  account.as.phoneNumbers.create({ inbox_id: id, ...wanted });
const release = (id = inbox_id) => account.as.phoneNumbers.delete({ inbox_id: id });
const get = (id = inbox_id) => account.as.phoneNumbers.get({ inbox_id: id });
const sold = () => service.phone.sold.map(({ phone_number }) => phone_number);
const failed = (outcome: TelephonyFailure["outcome"], refusal?: TelephonyFailure["code"]) =>
  new TelephonyFailure(outcome, "The provider is out for lunch.", refusal);

async function records(): Promise<PhoneNumberRecord[]> {
  const found: PhoneNumberRecord[] = [];
  for await (const batch of scanTable(storage(), "phone_numbers"))
    found.push(...(batch as unknown as PhoneNumberRecord[]));
  return found;
}

/** The number of phone numbers that the plan counts. */
async function used(account_id = account.account_id): Promise<number> {
  const [row] = await storage().find("plan_usage", {
    where: { account_id, resource: "phone_numbers", period: "" },
    limit: 1,
  });
  return row?.used ?? 0;
}

/** Lets time pass in steps, with all work that comes due. */
async function pass(milliseconds: number, step = Math.max(MINUTE_MS, milliseconds / 50)) {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await service.clock.advance(step);
    await service.work();
  }
}

describe("getting a number", () => {
  test("buys one of the area code and answers with it", async () => {
    const number = await buy();
    expect(number).toEqual({
      object: "phone_number",
      id: expect.stringMatching(/^pho_/),
      e164: "+14155550100",
      status: "active",
      region: "CA",
      capabilities: ["sms", "voice"],
      inbox_id,
      created_at: service.clock.now().toISOString(),
      released_at: null,
      idempotent: false,
    });
    expect(sold()).toEqual([number.e164]);
    expect(await get()).toEqual(expect.not.objectContaining({ idempotent: expect.anything() }));
    expect((await findInboxByNumber(storage(), number.e164))?.id).toBe(inbox_id);
    expect((await account.as.metrics.usage({})).phone_numbers).toBe(1);
  });

  test("buys the number that is asked for, and any where nothing is said", async () => {
    expect((await buy({ phone_number: "+16045550111" })).e164).toBe("+16045550111");
    const other = await account.as.inboxes.create({ username: "other" });
    expect((await buy({}, other.id)).status).toBe("active");
  });

  test.for<[wanted: { area_code?: string; phone_number?: string }, refusal: string, why: string]>([
    [{ area_code: "000" }, "invalid_area_code", "no area code begins with 0"],
    [{ area_code: "41" }, "invalid_area_code", "two digits"],
    [{ area_code: "876" }, "invalid_area_code", "Jamaica"],
    [{ area_code: "900" }, "invalid_area_code", "premium"],
    [{ phone_number: "4155550123" }, "invalid_e164", "without the country code"],
    [{ phone_number: `+1${"4".repeat(40)}` }, "invalid_e164", "too long"],
    [{ phone_number: "+442071838750" }, "international_not_allowed", "London"],
    [{ phone_number: "+19002345678" }, "premium_rate_blocked", "premium"],
    [{ phone_number: "+14155550190" }, "phone_number_unavailable", "not for sale"],
    [{ phone_number: "+14155550100", area_code: "415" }, "invalid_request", "both"],
  ])("refuses %j: %s (%s)", async ([wanted, refusal]) => {
    await expect(buy(wanted)).rejects.toEqual(code(refusal));
    expect(await records()).toEqual([]);
    expect(await used()).toBe(0);
    expect(sold()).toEqual([]);
  });

  test("an inbox has one: the same request answers with it, another is refused", async () => {
    const first = await buy();
    expect(await buy()).toEqual({ ...first, idempotent: true });
    expect(await buy({ phone_number: first.e164 })).toEqual({ ...first, idempotent: true });
    await expect(buy({ area_code: "212" })).rejects.toEqual(code("phone_number_exists"));
    await expect(buy({})).rejects.toEqual(code("phone_number_exists"));
    expect(sold()).toHaveLength(1);
    expect(await used()).toBe(1);
  });

  test("a number is one inbox's only", async () => {
    const { e164 } = await buy();
    const other = await account.as.inboxes.create({ username: "other" });
    await expect(buy({ phone_number: e164 }, other.id)).rejects.toEqual(code("phone_number_unavailable"));
    expect((await buy({ area_code: "415" }, other.id)).e164).not.toBe(e164);
  });

  test("an expired inbox gets none; a paused one does", async () => {
    const expires_at = new Date(service.clock.now().getTime() + HOUR_MS).toISOString();
    const soon = await account.as.inboxes.create({ username: "soon", expires_at });
    await service.clock.advance(2 * HOUR_MS);
    await expect(buy({}, soon.id)).rejects.toEqual(code("inbox_expired"));
    await account.as.inboxes.update({ inbox_id, status: "paused" });
    expect((await buy()).status).toBe("active");
  });

  test("another of the area code is bought when one is taken meanwhile", async () => {
    service.phone.failNext("buyNumber", failed("refused", "phone_number_unavailable"));
    service.phone.failNext("buyNumber", failed("refused", "phone_number_unavailable"));
    expect((await buy()).e164).toBe("+14155550102");
    expect(await records()).toHaveLength(1);
    expect(await used()).toBe(1);
  });

  test("after five that are taken the answer is that none is to be had", async () => {
    for (let tries = 0; tries < 5; tries++)
      service.phone.failNext("buyNumber", failed("refused", "phone_number_unavailable"));
    await expect(buy()).rejects.toEqual(code("phone_number_unavailable"));
    expect([await records(), await used(), sold()]).toEqual([[], 0, []]);
  });

  test("a provider that can't be reached charges nothing", async () => {
    const unavailable = expect.objectContaining({ code: "telephony_unavailable", kind: "unavailable" });
    service.phone.failNext("searchNumbers", failed("unavailable"));
    await expect(buy()).rejects.toEqual(unavailable);
    service.phone.failNext("buyNumber", failed("unavailable"));
    await expect(buy()).rejects.toEqual(unavailable);
    service.phone.failNext("searchNumbers", failed("unknown"));
    await expect(account.as.phoneNumbers.listAvailable({})).rejects.toEqual(unavailable);
    expect([await records(), await used(), sold()]).toEqual([[], 0, []]);
    expect((await buy()).status).toBe("active");
  });

  test("a service without telephony says that it is unavailable", async () => {
    const without = createTestService({ telephony: noTelephony });
    const { as, inbox } = await without.signUp();
    await expect(as.phoneNumbers.create({ inbox_id: inbox.id })).rejects.toEqual(
      code("telephony_unavailable"),
    );
  });

  test("an account buys 20 a day at most, whatever it gives back; what fails doesn't count", async () => {
    for (let bought = 0; bought < LIMITS.phone_numbers_per_day; bought++) {
      service.phone.failNext("buyNumber", failed("unavailable"));
      await expect(buy({ phone_number: "+14155550150" })).rejects.toEqual(code("telephony_unavailable"));
      await buy({ phone_number: "+14155550150" });
      await release();
      await service.work();
    }
    await expect(buy({ phone_number: "+14155550150" })).rejects.toEqual(code("rate_limited"));
    await pass(DAY_MS, DAY_MS);
    expect((await buy()).status).toBe("active");
  });

  test("with an Idempotency-Key the answer is repeated, and for another body refused", async () => {
    const { call } = service.letterslot;
    const ask = (area_code: string) =>
      call(
        account.caller,
        "phoneNumbers.create",
        { inbox_id, area_code },
        { idempotencyKey: "the-same" },
      ) as Promise<{ id: string; idempotent: boolean }>;
    const first = await ask("415");
    expect(first.idempotent).toBe(false);
    expect(await ask("415")).toEqual({ ...first, idempotent: true });
    await expect(ask("212")).rejects.toEqual(code("idempotency_key_conflict"));
  });
});

describe("a purchase of which nobody knows what came of it", () => {
  test("is asked for at once", async () => {
    service.phone.failNext("buyNumber", failed("unknown"), { happened: true });
    expect(await buy()).toMatchObject({ status: "active", idempotent: false });
    await pass(2 * HOUR_MS);
    expect(sold()).toEqual(["+14155550100"]);
    expect((await get()).status).toBe("active");
  });

  test("is finished by the same request made again", async () => {
    service.phone.failNext("buyNumber", failed("unknown"), { happened: true });
    service.phone.failNext("findNumber", failed("unavailable"));
    await expect(buy()).rejects.toEqual(code("telephony_unavailable"));
    await expect(get()).rejects.toEqual(code("phone_number_missing"));
    await expect(release()).rejects.toEqual(code("phone_number_missing"));
    expect((await account.as.phoneNumbers.list({})).data).toEqual([]);
    await expect(buy({ area_code: "212" })).rejects.toEqual(code("phone_number_exists"));
    expect(await buy()).toMatchObject({ status: "active", idempotent: false });
    expect([sold(), await used()]).toEqual([["+14155550100"], 1]);
  });

  test("is finished by a job where nobody asks again", async () => {
    service.phone.failNext("buyNumber", failed("unknown"), { happened: true });
    for (let tries = 0; tries < 3; tries++) service.phone.failNext("findNumber", failed("unavailable"));
    await expect(buy()).rejects.toMatchObject({
      code: "telephony_unavailable",
      retry_after_seconds: UNDER_WAY_MS / 1000,
    });
    await pass(UNDER_WAY_MS);
    await expect(get()).rejects.toEqual(code("phone_number_missing"));
    await pass(3 * MINUTE_MS);
    expect((await get()).e164).toBe("+14155550100");
    expect([sold(), await used()]).toEqual([["+14155550100"], 1]);
  });

  test("is given up by the job when nothing was bought, and charges nothing", async () => {
    service.phone.failNext("buyNumber", failed("unknown"));
    await expect(buy()).rejects.toEqual(code("telephony_unavailable"));
    await expect(buy()).rejects.toEqual(code("telephony_unavailable"));
    expect(await used()).toBe(1);
    await pass(UNDER_WAY_MS);
    expect([await records(), await used(), sold()]).toEqual([[], 0, []]);
    expect((await buy()).status).toBe("active");
    await pass(2 * HOUR_MS);
    expect(sold()).toHaveLength(1);
  });

  test("is in progress for the same Idempotency-Key, and unknown for another", async () => {
    const { call } = service.letterslot;
    const ask = (idempotency_key: string) =>
      call(
        account.caller,
        "phoneNumbers.create",
        { inbox_id, area_code: "415" },
        { idempotencyKey: idempotency_key },
      );
    service.phone.failNext("buyNumber", failed("unknown"));
    await expect(ask("first")).rejects.toEqual(code("telephony_unavailable"));
    await expect(ask("first")).rejects.toEqual(code("idempotency_request_in_progress"));
    await expect(ask("second")).rejects.toEqual(code("telephony_unavailable"));
    await pass(UNDER_WAY_MS);
    expect(await ask("first")).toMatchObject({ status: "active", idempotent: false });
    expect(await ask("first")).toMatchObject({ status: "active", idempotent: true });
  });

  test("what turns up later is given back", async () => {
    const reference = await new Promise<string>((resolve) => {
      const { buyNumber } = service.phone;
      service.phone.buyNumber = async (asked) => {
        service.phone.buyNumber = buyNumber;
        resolve(asked.reference);
        throw failed("unknown");
      };
      // It answers 503: nobody knows yet what came of it.
      void buy().catch(() => undefined);
    });
    await pass(UNDER_WAY_MS);
    await service.phone.buyNumber({ phone_number: "+14155550100", reference });
    await pass(HOUR_MS / 2);
    expect(sold()).toEqual(["+14155550100"]);
    await pass(HOUR_MS);
    expect([sold(), await records()]).toEqual([[], []]);
  });

  test("a purchase that comes back after it was given up is taken back", async () => {
    const { buyNumber } = service.phone;
    service.phone.buyNumber = async (asked) => {
      await pass(UNDER_WAY_MS);
      return buyNumber(asked);
    };
    await expect(buy()).rejects.toEqual(code("telephony_unavailable"));
    expect([await records(), await used(), sold()]).toEqual([[], 0, ["+14155550100"]]);
    await service.work();
    expect(sold()).toEqual([]);
  });

  test("an inbox that is deleted meanwhile keeps none", async () => {
    const { buyNumber } = service.phone;
    service.phone.buyNumber = async (asked) => {
      await account.as.inboxes.delete({ inbox_id, permanent: true });
      return buyNumber(asked);
    };
    await expect(buy()).rejects.toEqual(code("inbox_not_found"));
    await pass(2 * HOUR_MS);
    expect([await records(), await used(), sold()]).toEqual([[], 0, []]);
  });
});

describe("a process that dies", () => {
  /** Runs `act` in a process that dies before each of its calls to the storage, and `after` in the next process. */
  async function dyingAnywhere(
    prepare: (inbox_id: string) => Promise<unknown>,
    act: (inbox_id: string) => Promise<unknown>,
    after: (inbox_id: string) => Promise<unknown>,
  ): Promise<number> {
    const mortal = createMortalStorage(createTestStorage().storage);
    service = createTestService({ storage: mortal.storage });
    account = await service.signUp();
    let deaths = 0;
    for (let call = 1, done = false; !done; call++) {
      const { id } = await account.as.inboxes.create({});
      await prepare(id);
      mortal.dieBefore(call);
      // It fails in whatever way a call to a storage that is gone does.
      await act(id).catch(() => undefined);
      done = !mortal.revive();
      if (!done) deaths++;
      await after(id);
      // Every purchased number belongs to somebody, once, and is counted; nothing is under way any more.
      const left = await records();
      const active = left.filter(({ status }) => status === "active").map(({ e164 }) => e164);
      expect(left.filter(({ status }) => status === "reserved")).toEqual([]);
      expect(sold().sort()).toEqual(active.sort());
      expect(await used()).toBe(active.length);
      expect(await storage().count("jobs", { kind: { in: ["phone.buy", "phone.release"] } }, 9)).toBe(0);
      await account.as.inboxes.delete({ inbox_id: id, permanent: true });
      await service.work();
    }
    return deaths;
  }
  const nothing = async () => undefined;

  test("at any step of buying a number neither loses it nor pays for it twice", async () => {
    const deaths = await dyingAnywhere(
      nothing,
      (id) => buy({ area_code: "415" }, id),
      () => pass(2 * HOUR_MS, HOUR_MS / 2),
    );
    expect(deaths).toBeGreaterThan(10);
  });

  test("is followed by one to which the same request finishes what it began", async () => {
    await dyingAnywhere(
      nothing,
      (id) => buy({ area_code: "415" }, id),
      async (id) => {
        const first = await buy({ area_code: "415" }, id).catch((error: { code: string }) => error);
        if ("code" in first) expect(first.code).toBe("telephony_unavailable");
        else expect(first).toMatchObject({ status: "active", inbox_id: id });
        await pass(2 * HOUR_MS, HOUR_MS / 2);
        expect((await buy({ area_code: "415" }, id)).status).toBe("active");
      },
    );
  });

  test("while it finds out what came of a purchase is followed by one that does", async () => {
    const deaths = await dyingAnywhere(
      async (id) => {
        service.phone.failNext("buyNumber", failed("unknown"), { happened: true });
        service.phone.failNext("findNumber", failed("unavailable"));
        await expect(buy({ area_code: "415" }, id)).rejects.toEqual(code("telephony_unavailable"));
        await service.clock.advance(UNDER_WAY_MS);
      },
      () => service.work(),
      async (id) => {
        await pass(2 * HOUR_MS, HOUR_MS / 2);
        expect((await get(id)).status).toBe("active");
      },
    );
    expect(deaths).toBeGreaterThan(5);
  });

  test("at any step of giving a number back is followed by one that goes on", async () => {
    const deaths = await dyingAnywhere(
      (id) => buy({ area_code: "415" }, id),
      async (id) => {
        await release(id);
        await service.work();
      },
      async (id) => {
        // It fails in whatever way a call to a storage that is gone does.
        await release(id).catch(() => undefined);
        await pass(HOUR_MS, HOUR_MS / 2);
        expect(sold()).toEqual([]);
      },
    );
    expect(deaths).toBeGreaterThan(10);
  });
});

describe("two services at once", () => {
  /** A second service over the same storage and with the same provider, with the same account. */
  async function second() {
    const { letterslot, clock, phone } = service;
    const other = createTestService({ storage: letterslot.services.storage, clock, telephony: phone });
    return other.letterslot.as(await other.letterslot.authenticate(account.api_key, null));
  }

  const outcomes = async (calls: Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map((one) =>
      one.status === "fulfilled" ? "bought" : (one.reason as { code: string }).code,
    );

  test("buy one number for an inbox", async () => {
    const other = await second();
    for (let round = 0; round < 5; round++) {
      const all = await outcomes([
        buy(),
        other.phoneNumbers.create({ inbox_id, area_code: "415" }),
        other.phoneNumbers.create({ inbox_id, area_code: "212" }),
        buy({ phone_number: "+16045550100" }),
      ]);
      expect(all).toContain("bought");
      expect([await used(), sold().length]).toEqual([1, 1]);
      expect((await records()).filter(({ held_inbox_id }) => held_inbox_id !== null)).toHaveLength(1);
      await release();
      await service.work();
    }
  });

  test("sell one number to one inbox", async () => {
    const other = await second();
    const { id } = await account.as.inboxes.create({ username: "other" });
    const phone_number = "+14155550142";
    const all = await outcomes([
      buy({ phone_number }),
      other.phoneNumbers.create({ inbox_id: id, phone_number }),
    ]);
    expect(all.sort()).toEqual(["bought", "phone_number_unavailable"]);
    expect([await used(), sold()]).toEqual([1, [phone_number]]);
  });

  test("take no more than the plan allows", async () => {
    const plans = Plans.parse({ default: "free", plans: { free: { phone_numbers: 2 } } });
    const limited = createTestService({
      storage: storage(),
      clock: service.clock,
      telephony: service.phone,
      plans,
    });
    const as = limited.letterslot.as(await limited.letterslot.authenticate(account.api_key, null));
    const inboxes = await as.inboxes.createBatch({ count: 6 });
    const all = await outcomes(
      inboxes.data.map(({ id }) => as.phoneNumbers.create({ inbox_id: id, area_code: "415" })),
    );
    expect(all.filter((one) => one === "bought")).toHaveLength(2);
    expect(all.filter((one) => one === "plan_limit_exceeded")).toHaveLength(4);
    expect(sold()).toHaveLength(2);
    expect((await as.me.get({})).usage?.phone_numbers).toEqual({ used: 2, limit: 2 });
    expect((await as.me.get({})).notices).toMatchObject([{ code: "usage_full", resource: "phone_numbers" }]);
  });
});

describe("giving a number back", () => {
  test("takes it from the inbox at once, and from the provider by a job", async () => {
    const { id, e164 } = await buy();
    expect(await release()).toEqual({ id, object: "phone_number", deleted: true, e164 });
    expect(await used()).toBe(0);
    await expect(get()).rejects.toEqual(code("phone_number_missing"));
    await expect(release()).rejects.toEqual(code("phone_number_missing"));
    expect(await findInboxByNumber(storage(), e164)).toBeUndefined();
    expect(sold()).toEqual([e164]);
    await service.work();
    expect(sold()).toEqual([]);
    const released_at = service.clock.now().toISOString();
    expect((await account.as.phoneNumbers.list({})).data).toMatchObject([
      { id, e164, status: "released", inbox_id, released_at },
    ]);
    expect((await buy()).e164).toBe(e164);
  });

  test("is tried again until the provider takes it", async () => {
    await buy();
    for (let tries = 0; tries < 30; tries++)
      service.phone.failNext("releaseNumber", failed(tries % 2 === 0 ? "unavailable" : "unknown"));
    await release();
    await pass(12 * HOUR_MS);
    expect(sold()).toHaveLength(1);
    await pass(24 * HOUR_MS);
    expect(sold()).toEqual([]);
    expect((await records())[0]?.held_e164).toBeNull();
  });

  test("is left to the operator after a week, who is told", async () => {
    const said: unknown[] = [];
    const log = { info() {}, warn() {}, debug() {}, error: (fields: unknown) => void said.push(fields) };
    service = createTestService({ log });
    account = await service.signUp();
    inbox_id = account.inbox.id;
    const { e164 } = await buy();
    service.phone.releaseNumber = async () => {
      throw failed("unavailable");
    };
    await release();
    await pass(6 * DAY_MS, HOUR_MS);
    expect(said).toEqual([]);
    await pass(2 * DAY_MS, HOUR_MS);
    expect(said).toMatchObject([{ e164, provider: "simulator", provider_id: `number-${e164}` }]);
    expect(await storage().count("jobs", { subject_id: (await records())[0]?.id ?? "" }, 9)).toBe(0);
  });

  test("of a provider that the service no longer uses waits for it", async () => {
    await buy();
    const { letterslot, clock, phone } = service;
    const moved = createTestService({
      storage: letterslot.services.storage,
      clock,
      telephony: { ...phone, name: "other" },
    });
    await release();
    await moved.work();
    expect(sold()).toHaveLength(1);
    await pass(HOUR_MS);
    expect(sold()).toEqual([]);
  });

  test.for<[how: string, end: () => Promise<unknown>]>([
    ["its inbox is deleted", () => account.as.inboxes.delete({ inbox_id, permanent: true })],
    [
      "its inbox has expired and is purged",
      async () => {
        const expires_at = new Date(service.clock.now().getTime() + HOUR_MS).toISOString();
        await account.as.inboxes.update({ inbox_id, expires_at });
        await pass(LIMITS.expired_inbox_kept_ms + 2 * HOUR_MS);
        await service.letterslot.sweep();
      },
    ],
    [
      "its account is deleted",
      async () => {
        const email = "olga@family.example";
        const { account_id } = account;
        await service.letterslot.operator.accounts.authority.give({ account_id, email });
        await service.letterslot.asOwner({ email, account_id }).account.delete({});
      },
    ],
  ])("happens when %s", async ([, end]) => {
    const { e164 } = await buy();
    await end();
    await service.work();
    await pass(3 * HOUR_MS);
    expect(sold()).toEqual([]);
    expect((await records()).filter((number) => number.status !== "released")).toEqual([]);
    const other = await service.signUp("newcomer");
    const again = other.as.phoneNumbers.create({ inbox_id: other.inbox.id, phone_number: e164 });
    expect((await again).status).toBe("active");
  });

  test("still happens when the account is erased while the provider is down", async () => {
    await buy();
    const { releaseNumber } = service.phone;
    service.phone.releaseNumber = async () => {
      throw failed("unavailable");
    };
    const email = "olga@family.example";
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email });
    await service.letterslot.asOwner({ email, account_id }).account.delete({});
    await pass(3 * HOUR_MS);
    expect([await records(), sold().length]).toEqual([[], 1]);
    service.phone.releaseNumber = releaseNumber;
    await pass(2 * HOUR_MS);
    expect(sold()).toEqual([]);
  });

  test("happens with the workspace, whose numbers count for the account", async () => {
    const workspace = await account.as.workspaces.create({ name: "Team", inbox_quota: 2 });
    const as = service.letterslot.as(await service.letterslot.authenticate(workspace.api_key ?? "", null));
    const inbox = await as.inboxes.create({ username: "team" });
    await as.phoneNumbers.create({ inbox_id: inbox.id, area_code: "212" });
    expect(await used()).toBe(1);
    expect((await account.as.phoneNumbers.list({})).data).toEqual([]);
    await account.as.workspaces.delete({ workspace_id: workspace.id, delete_inboxes: true });
    await service.work();
    expect([await used(), sold()]).toEqual([0, []]);
  });
});

describe("who sees and has numbers", () => {
  test("lists are paged, newest first, and a key held to an inbox sees its own", async () => {
    const other = await account.as.inboxes.create({ username: "other" });
    const first = await buy();
    await service.clock.advance(1);
    const second = await buy({ area_code: "212" }, other.id);
    const page = await account.as.phoneNumbers.list({ limit: 1 });
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[second.id], true]);
    const rest = await account.as.phoneNumbers.list({ limit: 1, cursor: page.next_cursor ?? "" });
    expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([[first.id], false]);
    const { api_key } = await account.as.keys.createForInbox({ inbox_id, name: "scoped" });
    const scoped = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    expect((await scoped.phoneNumbers.list({})).data.map(({ id }) => id)).toEqual([first.id]);
    expect((await scoped.phoneNumbers.listAvailable({ area_code: "212" })).data).not.toEqual([]);
    await expect(scoped.phoneNumbers.get({ inbox_id: other.id })).rejects.toEqual(code("inbox_not_found"));
    await expect(scoped.phoneNumbers.delete({ inbox_id: other.id })).rejects.toEqual(code("inbox_not_found"));
  });

  test("what can be bought is listed, and 30 times a minute at most", async () => {
    const { data, ...page } = await account.as.phoneNumbers.listAvailable({ area_code: "604" });
    expect(page).toEqual({ object: "list", has_more: false, next_cursor: null });
    expect(data).toHaveLength(LIMITS.available_phone_numbers);
    expect(data[0]).toEqual({
      object: "available_phone_number",
      phone_number: "+16045550100",
      region: "BC",
      capabilities: ["sms", "voice"],
    });
    await expect(account.as.phoneNumbers.listAvailable({ area_code: "123" })).rejects.toEqual(
      code("invalid_area_code"),
    );
    for (let asked = 1; asked < LIMITS.phone_searches_per_minute; asked++)
      await account.as.phoneNumbers.listAvailable({});
    await expect(account.as.phoneNumbers.listAvailable({})).rejects.toEqual(code("rate_limited"));
  });

  test("owners of the account and of the inbox get numbers and give them back", async () => {
    const { account_id } = account;
    const [whole, one] = ["olga@family.example", "irma@family.example"];
    const { give } = service.letterslot.operator.accounts.authority;
    await give({ account_id, email: whole });
    const ofAccount = service.letterslot.asOwner({ email: whole, account_id });
    await ofAccount.phoneNumbers.create({ inbox_id, area_code: "415" });
    expect((await ofAccount.phoneNumbers.list({})).data).toHaveLength(1);
    await storage().insert("authorities", {
      ...{ id: service.letterslot.services.makeId("own"), account_id, inbox_id, email: one },
      ...{ since: service.clock.now().toISOString(), given_by: whole, passkeys_off_at: null },
    });
    const ofInbox = service.letterslot.asOwner({ email: one, account_id });
    expect((await ofInbox.phoneNumbers.delete({ inbox_id })).deleted).toBe(true);
  });
});
