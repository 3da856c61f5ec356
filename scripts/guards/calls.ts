import { behind, edit, type Guard, guard } from "./guard.ts";

const sending = "packages/core/src/sending";
const telephony = "packages/core/src/telephony";
const tests = `${sending}/call.test.ts`;

/** What a call may cost, that it is placed once, and whom its status is believed of. */
export const calls: Guard[] = [
  guard(
    "a call of which it isn't known whether it was placed is not placed again",
    [
      `${sending}/call-job.ts`,
      'if (job.payload["begun"] === true) return record(services, job, call, possiblyPlaced(POSSIBLY_SENT));',
    ],
    [tests, "finds that another one had begun"],
  ),
  guard(
    "that a call is begun is noted before the provider is asked",
    [`${sending}/call-job.ts`, "await noteOnJob(services.storage, job, { ...job.payload, begun: true });"],
    [tests, "finds that another one had begun"],
  ),
  guard(
    "a call whose callback came first counts as placed",
    [`${sending}/call-job.ts`, 'if (call?.status !== "queued") return;'],
    [tests, "a callback that was faster"],
  ),
  guard(
    "a call isn't placed long after it was asked for",
    [`${sending}/call-job.ts`, "if (clock.now().getTime() >= latestOf(call))", "if (false)"],
    [tests, "asked for half an hour ago"],
  ),
  guard(
    "a suspended account's queued calls aren't placed",
    [
      `${sending}/call-job.ts`,
      'if (await isSuspended(storage, call.account_id)) return "The account is suspended.";',
    ],
    [tests, "any more for a suspended account"],
  ),
  guard(
    "nobody calls from a number that was given back",
    [`${sending}/call-job.ts`, "return number?.e164 === call.from ?", "return number?.e164 !== call.from ?"],
    [tests, "gave its number back"],
  ),
  guard(
    "no call lasts longer than was reserved for it",
    [`${sending}/call-job.ts`, 'Number(job.payload["minutes"]) * 60', "14_400"],
    [tests, "when the reserved minutes are over"],
  ),
  guard(
    "who is recorded is told so first",
    [`${sending}/call-job.ts`, "records ? RECORDING_NOTICE : null", "null"],
    [tests, "says first that it records"],
  ),
  guard(
    "an account places no more than its calls a day",
    [`${telephony}/queue-call.ts`, '  if (!within) throw fail("daily_call_cap");\n'],
    [tests, "places 100 calls a day"],
  ),
  guard(
    "workspaces' calls a day count for their parent",
    [
      `${telephony}/queue-call.ts`,
      "const account = await rootAccount(reader, account_id);",
      "const account = undefined as { id: string } | undefined;",
    ],
    [tests, "calls of a workspace's account"],
  ),
  guard(
    "a call takes its longest time from the plan before it is placed",
    [
      `${telephony}/queue-call.ts`,
      'await takeFromPlan(services, work, account_id, "voice_minutes", minutes, now);',
    ],
    [tests, "of many calls at once exactly as many"],
  ),
  guard(
    "nobody is called whom the inbox may not call",
    [`${telephony}/queue-call.ts`, "await checkPhoneRecipient(work, services.options, current, to, now);"],
    [tests, "who may not be called"],
  ),
  guard(
    "a call counts against the budget of the key that asks",
    [`${telephony}/queue-call.ts`, "await spendBudget(work, asked_by, stored.record, now);"],
    [tests, "a key's budget"],
  ),
  behind(
    guard(
      "a call's status never goes back, and its minutes are settled once",
      [`${telephony}/call-status.ts`, "status: { in: EARLIER_STATUSES[status] }", "id: message_id"],
      [tests, "that contradict each other"],
    ),
    edit(`${telephony}/call-status.ts`, "if (!isUnderWay(call)) return true;"),
  ),
  guard(
    "a callback says nothing of a call that the provider knows by another id",
    [
      `${telephony}/call-status.ts`,
      "if (call.phone.provider_id !== null && call.phone.provider_id !== provider_id) return false;",
    ],
    [tests, "of another call"],
  ),
  guard(
    "a call gives back no more minutes than were taken for it",
    [`${telephony}/queue-call.ts`, "services.options.plans === null ? 0 : minutes", "minutes"],
    [tests, "nor given back should there be plans"],
  ),
  guard(
    "an event shows how long a call had lasted then",
    [
      "packages/core/src/messages/snapshot.ts",
      "...(phone === null ? {} : { duration_seconds: phone.duration_seconds }),",
      "...(phone === null ? {} : { duration_seconds: 42 }),",
    ],
    [tests, "its status follows the phone"],
  ),
];
