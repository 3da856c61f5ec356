import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, OnlyInboxId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { withinReach } from "../../kernel/access/caller.ts";
import { checkInbox } from "../../kernel/inbox/check.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { CursorInput, created, Deleted, Limit, listOf } from "../../model/fields.ts";
import { AvailablePhoneNumber, PhoneNumber } from "../../model/phone-numbers.ts";
import { buyNumber } from "./buy-number.ts";
import { findActiveNumber } from "./find.ts";
import { releaseNumber } from "./release-number.ts";
import { checkReachable } from "./rules.ts";
import { searchNumbers } from "./search-numbers.ts";
import { isOwned } from "./show-number.ts";

const AreaCode = z
  .string()
  .regex(/^[2-9]\d\d$/, { error: "invalid_area_code" })
  .describe("Three digits, such as 415: of the US or Canada.");

/** The operations on phone numbers. */
export const phoneNumbers = {
  create: operation({
    summary:
      "Buys a phone number for the inbox: this one, one of an area code, or any. An inbox has one at a time.",
    when: "Let the agent text and call, and be texted and called. Asked for the same again, the answer is the inbox's number.",
    example: { area_code: "415" },
    errors: [
      "invalid_area_code",
      "invalid_e164",
      "international_not_allowed",
      "premium_rate_blocked",
      "phone_number_exists",
      "phone_number_unavailable",
      "plan_limit_exceeded",
      "inbox_expired",
      "rate_limited",
      "telephony_unavailable",
    ],
    scope: "inbox",
    effect: "write",
    allow: ["phone_write"],
    idempotent: true,
    input: z.object({
      inbox_id: InboxId,
      area_code: AreaCode.optional(),
      phone_number: z
        .string()
        .max(LIMITS.e164_chars, { error: "invalid_e164" })
        .optional()
        .describe("The number, in E.164: one of those that are available. Not together with `area_code`."),
    }),
    output: created(PhoneNumber, "CreatedPhoneNumber"),
    async run(ctx, { area_code, phone_number }) {
      if (area_code !== undefined && phone_number !== undefined)
        throw fail("invalid_request", {
          param: "phone_number",
          message: "Both area_code and phone_number are given.",
          fix: "Send one of the two, or neither for any number.",
        });
      if (phone_number !== undefined) await checkReachable(phone_number, "phone_number");
      return buyNumber(ctx, { area_code, phone_number });
    },
  }),

  get: operation({
    summary: "Shows the inbox's phone number.",
    when: "Find out at which number the agent is texted and called.",
    errors: ["phone_number_missing"],
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["phone_read"],
    input: z.object({ inbox_id: InboxId }),
    output: PhoneNumber,
    async run({ storage, inbox }) {
      const number = await findActiveNumber(storage, inbox.id);
      if (number === undefined || !isOwned(number)) throw fail("phone_number_missing");
      return number;
    },
  }),

  delete: operation({
    summary: "Gives the inbox's phone number back. Its texts, calls and voicemails stay.",
    when: "Stop paying for a number that is no longer needed: it can't be had again for certain.",
    errors: ["phone_number_missing"],
    scope: "inbox",
    effect: "delete",
    allow: ["phone_write"],
    input: z.object({ inbox_id: InboxId }),
    output: Deleted("phone_number").extend({ e164: z.string().describe("The number, in E.164.") }),
    async run(ctx) {
      return ctx.transaction(async (work) => {
        const number = await findActiveNumber(work, ctx.inbox.id);
        if (number === undefined) throw fail("phone_number_missing");
        await releaseNumber(work, number, ctx.now);
        return { id: number.id, e164: number.e164 };
      });
    },
  }),

  list: operation({
    summary: "Lists the phone numbers, newest first; those that were given back are marked as released.",
    when: "See which inbox has which number.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["phone_read"],
    input: z.object({
      inbox_id: OnlyInboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(PhoneNumber),
    async run(ctx, { inbox_id, limit, cursor }) {
      const { caller, storage } = ctx;
      await checkInbox(ctx, inbox_id);
      const where = { ...withinReach(caller, inbox_id), status: { not: "reserved" as const } };
      const page = await newestFirst(storage, "phone_numbers", { where, limit, cursor });
      return { ...page, data: page.data.filter(isOwned) };
    },
  }),

  listAvailable: operation({
    summary: "Numbers that can be bought, of an area code or any: 20 at most.",
    when: "Choose a number before buying it. Nothing is reserved: somebody else may be faster.",
    example: { area_code: "415" },
    errors: ["invalid_area_code", "rate_limited", "telephony_unavailable"],
    scope: "filtered",
    effect: "read",
    allow: ["phone_read"],
    input: z.object({ area_code: AreaCode.optional() }),
    output: listOf(AvailablePhoneNumber),
    async run(ctx, { area_code = null }) {
      const data = await searchNumbers(ctx, { area_code, limit: LIMITS.available_phone_numbers });
      return { object: "list" as const, data, has_more: false, next_cursor: null };
    },
  }),
};
