import { type Guard, guard } from "./guard.ts";

const telephony = "packages/core/src/telephony";
const tests = `${telephony}/phone-numbers.test.ts`;

/** What keeps numbers from being bought twice, lost, or paid for by nobody. */
export const phoneNumbers: Guard[] = [
  guard(
    "a number is noted before it is bought",
    [`${telephony}/buy-number.ts`, 'work.job({ kind: "phone.buy", subject_id: id, payload, due_at });'],
    [tests, "is finished by a job where nobody asks again"],
  ),
  guard(
    "a purchase whose outcome is unknown isn't taken back",
    [`${telephony}/buy-number.ts`, 'if (error.outcome === "unknown") return findOut(ctx, reserved);'],
    [tests, "is asked for at once"],
  ),
  guard(
    "what was bought after all is given back",
    [
      `${telephony}/buy-number.ts`,
      "else if (await cancel(work, number)) lookForNumber(work, number, now);",
      "else await cancel(work, number);",
    ],
    [tests, "what turns up later is given back"],
  ),
  guard(
    "what was bought for a reservation that is gone is given back",
    [`${telephony}/buy-number.ts`, "if (number === undefined) releaseBought(work, reserved, provider_id);"],
    [tests, "a purchase that comes back after it was given up is taken back"],
  ),
  guard(
    "a plan's phone numbers are counted",
    [`${telephony}/buy-number.ts`, 'await takeFromPlan(ctx, work, account_id, "phone_numbers", 1, now);'],
    [tests, "take no more than the plan allows"],
  ),
  guard(
    "an account buys so many numbers a day",
    [`${telephony}/buy-number.ts`, "await countOrFail(work, capOf(account_id), now);"],
    [tests, "an account buys 20 a day at most"],
  ),
  guard(
    "the provider isn't searched without end",
    [`${telephony}/search-numbers.ts`, "await countOrFail(storage, cap, now);"],
    [tests, "30 times a minute at most"],
  ),
  guard(
    "a number goes back with its inbox",
    ["packages/core/src/inboxes/close.ts", "await releaseNumberOf(tx, inbox_id, now);"],
    [tests, "happens when its inbox is deleted"],
  ),
  guard(
    "a number goes back although its account is erased",
    ["packages/core/src/erasing/erase-records.ts", "giveBackErased(work, records as PhoneNumberRecord[]);"],
    [tests, "still happens when the account is erased"],
  ),
  guard(
    "a number of another provider isn't taken for one that was never bought",
    [`${telephony}/provider.ts`, "if (telephony.name === provider) return telephony;", "return telephony;"],
    [tests, "of a provider that the service no longer uses"],
  ),
  guard(
    "an imported number isn't taken for one of this service's",
    ["packages/core/src/export/settle.ts", 'status: "released",\n    released_at', "released_at"],
    ["packages/core/src/export/export.test.ts", "takes nobody's"],
  ),
  guard(
    "texts to a number that was given back are nobody's",
    [
      `${telephony}/find.ts`,
      'return number?.status === "active" ? reader.get("inboxes", number.inbox_id) : undefined;',
      'return number && reader.get("inboxes", number.inbox_id);',
    ],
    [tests, "takes it from the inbox at once"],
  ),
];
