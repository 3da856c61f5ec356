import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { InboxContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { recordIdempotentAnswer } from "../../kernel/idempotency.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import { type Cap, count, countOrFail } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { giveBackToPlan, takeFromPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import { type AvailableNumber, type BoughtNumber, TelephonyFailure } from "../../ports/telephony.ts";
import { findHeldNumber } from "./find.ts";
import { errorOf, findBought, telephonyUnavailable } from "./provider.ts";
import { lookForNumber, releaseBought } from "./release-number.ts";
import { asksForSame, retryAt, type Wanted, wantedOf } from "./rules.ts";
import { searchNumbers } from "./search-numbers.ts";
import { isOwned, type OwnedNumber } from "./show-number.ts";

const DAY_MS = 24 * 3600_000;
/** The number of purchases that one call attempts when others are faster. */
const TRIED_PURCHASES = 5;

/** A number to return, and whether an earlier call recorded its purchase. */
type Answer = OwnedNumber & { idempotent: boolean };

/**
 * Buys a number for an inbox: reserves it, buys it with its id as our reference, and activates it; after a crash at
 * any point the job `phone.buy` finds out what was bought. Repeating the request returns the inbox's number. Fails
 * with `inbox_expired`, `phone_number_exists`, `phone_number_unavailable`, `invalid_area_code`,
 * `plan_limit_exceeded`, `rate_limited` or `telephony_unavailable`.
 */
export async function buyNumber(ctx: InboxContext, wanted: Wanted): Promise<Answer> {
  const { storage, inbox } = ctx;
  if (stateOf(inbox, ctx.now) === "expired") throw fail("inbox_expired");
  const held = await findHeldNumber(storage, inbox.id);
  if (held !== undefined) return answerHeld(ctx, held, wanted);
  let tried = 0;
  for (const candidate of await candidatesFor(ctx, wanted)) {
    const { number, is_new } = await reserve(ctx, wantedOf(wanted), candidate);
    if (number === undefined) continue;
    if (!is_new) return answerHeld(ctx, number, wanted);
    const answer = await buyReserved(ctx, number);
    if (answer !== undefined) return answer;
    if (++tried === TRIED_PURCHASES) break;
  }
  throw fail("phone_number_unavailable", {
    param: wanted.phone_number === undefined ? "area_code" : "phone_number",
  });
}

async function candidatesFor(
  ctx: InboxContext,
  { phone_number, area_code }: Wanted,
): Promise<AvailableNumber[]> {
  if (phone_number !== undefined) return [{ phone_number, region: null, capabilities: [] }];
  return searchNumbers(ctx, { area_code: area_code ?? null, limit: LIMITS.available_phone_numbers });
}

/** The inbox has a number, or one is being bought for it. */
async function answerHeld(ctx: InboxContext, held: PhoneNumberRecord, wanted: Wanted): Promise<Answer> {
  if (!asksForSame(held, wanted)) throw fail("phone_number_exists");
  if (isOwned(held)) return ctx.transaction((work) => answerWith(ctx, work, { ...held, idempotent: true }));
  const bought = await findBought(ctx, held).catch((error: unknown) => {
    throw errorOf(error);
  });
  if (bought !== undefined) return answerActivated(ctx, held, bought);
  if (await isBuyingForKey(ctx, held))
    throw fail("idempotency_request_in_progress", { retry_after_seconds: 1 });
  throw stillBeingBought(held, ctx.now);
}

async function answerWith(ctx: InboxContext, work: Work, answer: Answer): Promise<Answer> {
  await recordIdempotentAnswer(ctx, work, answer);
  return answer;
}

/** Whether the call that reserved a number is this one, with the same Idempotency-Key, maybe in another process. */
async function isBuyingForKey({ storage, keyed }: InboxContext, { id }: PhoneNumberRecord): Promise<boolean> {
  if (keyed === undefined) return false;
  const [job] = await storage.find("jobs", { where: { subject_id: id }, limit: 1 });
  return job?.payload["idempotency_key"] === keyed.key;
}

const stillBeingBought = ({ created_at }: PhoneNumberRecord, now: Date) => {
  const finished_ms = new Date(created_at).getTime() + LIMITS.phone_purchase_finished_after_ms;
  return telephonyUnavailable(Math.max(1, Math.ceil((finished_ms - now.getTime()) / 1000)), {
    message: "The provider has not yet confirmed the number.",
    fix: "Ask for the same again later: the answer is the number once it is confirmed, and nothing is bought twice.",
  });
};

const capOf = (account_id: string): Cap => ({
  name: `phone_numbers:${account_id}`,
  max: LIMITS.phone_numbers_per_day,
  window_ms: DAY_MS,
});

/** Reserves a number for an inbox, unless it has one already; returns none when another inbox has this one. */
async function reserve(
  ctx: InboxContext,
  wanted: string,
  { phone_number, region, capabilities }: AvailableNumber,
): Promise<{ number: PhoneNumberRecord | undefined; is_new: boolean }> {
  const { account_id, inbox, now, telephony } = ctx;
  return ctx.transaction(async (work) => {
    if ((await work.get("inboxes", inbox.id)) === undefined)
      throw notFound("inbox_not_found", "inb", inbox.id);
    const held = await findHeldNumber(work, inbox.id);
    if (held !== undefined) return { number: held, is_new: false };
    const id = ctx.makeId("pho");
    const { record, inserted } = await work.insert("phone_numbers", {
      ...{ id, account_id, inbox_id: inbox.id, e164: phone_number, region, capabilities },
      ...{ status: "reserved", wanted, provider: telephony.name, provider_id: null },
      ...{ held_inbox_id: inbox.id, held_e164: phone_number, created_at: iso(now), released_at: null },
    });
    if (!inserted) return { number: undefined, is_new: false };
    await countOrFail(work, capOf(account_id), now);
    await takeFromPlan(ctx, work, account_id, "phone_numbers", 1, now);
    const due_at = new Date(now.getTime() + LIMITS.phone_purchase_finished_after_ms);
    const payload = { idempotency_key: ctx.keyed?.key ?? null };
    work.job({ kind: "phone.buy", subject_id: id, payload, due_at });
    return { number: record, is_new: true };
  });
}

/** Buys what is reserved; undefined when somebody else was faster. */
async function buyReserved(ctx: InboxContext, reserved: PhoneNumberRecord): Promise<Answer | undefined> {
  try {
    const bought = await ctx.telephony.buyNumber({ phone_number: reserved.e164, reference: reserved.id });
    return await answerActivated(ctx, reserved, bought);
  } catch (error) {
    if (!(error instanceof TelephonyFailure)) throw error;
    ctx.log.warn({ error: error.message, outcome: error.outcome }, "a phone number was not bought");
    if (error.outcome === "unknown") return findOut(ctx, reserved);
    await ctx.transaction((work) => cancel(work, reserved));
    if (error.outcome === "unavailable") throw telephonyUnavailable();
    if (error.code === "phone_number_unavailable") return undefined;
    throw fail(error.code ?? "phone_number_unavailable");
  }
}

/** Looks for a purchase after a request with unknown outcome; if it isn't found at once, the job finds it later. */
async function findOut(ctx: InboxContext, reserved: PhoneNumberRecord): Promise<Answer> {
  const bought = await findBought(ctx, reserved).catch((error: unknown) => {
    if (!(error instanceof TelephonyFailure)) throw error;
    ctx.log.warn({ error: error.message, number: reserved.id }, "a phone number's purchase is still unknown");
    return undefined;
  });
  if (bought === undefined) throw stillBeingBought(reserved, ctx.now);
  return answerActivated(ctx, reserved, bought);
}

/** Activates a bought number in the transaction that records the answer. */
async function answerActivated(
  ctx: InboxContext,
  reserved: PhoneNumberRecord,
  bought: BoughtNumber,
): Promise<Answer> {
  const answer = await ctx.transaction(async (work) => {
    const number = await activate(work, reserved, bought);
    return number && answerWith(ctx, work, number);
  });
  if (answer !== undefined) return answer;
  // It was given up meanwhile, with its inbox or because it took too long.
  if ((await ctx.storage.get("inboxes", reserved.inbox_id)) === undefined)
    throw notFound("inbox_not_found", "inb", reserved.inbox_id);
  throw telephonyUnavailable();
}

/** Records the number bought for a reservation. Undefined when the reservation is gone: the number is then returned. */
async function activate(
  work: Work,
  reserved: PhoneNumberRecord,
  { provider_id, region, capabilities }: BoughtNumber,
): Promise<Answer | undefined> {
  const { id, inbox_id } = reserved;
  const change = { status: "active" as const, provider_id, region, capabilities };
  await endPurchase(work, id);
  const [activated] = await work.update("phone_numbers", { id, status: "reserved" }, change);
  const number = activated ?? (await work.get("phone_numbers", id));
  if (number !== undefined && isOwned(number) && number.held_inbox_id === inbox_id)
    return { ...number, idempotent: activated === undefined };
  if (number === undefined) releaseBought(work, reserved, provider_id);
  return undefined;
}

/** Removes the job that would look for the outcome of a purchase. */
const endPurchase = (work: Work, id: string) => work.delete("jobs", { kind: "phone.buy", subject_id: id });

/** Cancels a reservation for which nothing was bought, and returns everything taken for it. */
async function cancel(
  work: Work,
  { id, account_id, created_at }: Pick<PhoneNumberRecord, "id" | "account_id" | "created_at">,
): Promise<boolean> {
  await endPurchase(work, id);
  if ((await work.delete("phone_numbers", { id, status: "reserved" })) === 0) return false;
  await giveBackToPlan(work, account_id, "phone_numbers", 1);
  await count(work, capOf(account_id), new Date(created_at), -1);
  return true;
}

/**
 * Finds the outcome of an unfinished purchase: activates a number that was bought, or cancels the reservation and
 * looks once more, an hour later, for a late one. `subject_id` is the number.
 */
export async function finishBuying(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, log } = services;
  const number = await storage.get("phone_numbers", job.subject_id);
  if (number?.status !== "reserved") return endJob(storage, job);
  const now = clock.now();
  let bought: BoughtNumber | undefined;
  try {
    bought = await findBought(services, number);
  } catch (error) {
    if (!(error instanceof TelephonyFailure)) throw error;
    log.warn({ error: error.message, number: number.id }, "a phone number's purchase is still unknown");
    return postponeJob(storage, job, retryAt(job, now));
  }
  await unitOfWork(services, number.account_id, now, async (work) => {
    await endJob(work, job);
    if (bought !== undefined) await activate(work, number, bought);
    else if (await cancel(work, number)) lookForNumber(work, number, now);
  });
}
