import { behind, edit, type Guard, guard } from "./guard.ts";

const sending = "packages/core/src/sending";
const telephony = "packages/core/src/telephony";
const tests = `${sending}/sms.test.ts`;
const drafts = `${sending}/phone-drafts.test.ts`;

/** Texts that leave once at most, to whom they may go, and as an owner approved them. */
export const texts: Guard[] = [
  guard(
    "a text that may have been sent is never sent again",
    [
      `${sending}/sms-job.ts`,
      "  if (progress.begun > progress.tried)\n    return recordAttempt(services, job, message, progress.tried, possiblySent(POSSIBLY_SENT));\n",
    ],
    [tests, "a worker that died after it began"],
  ),
  guard(
    "a worker notes that it begins before it hands a text over",
    [
      `${sending}/sms-job.ts`,
      "  await noteOnJob(services.storage, job, { ...job.payload, begun: progress.tried + 1 });\n",
    ],
    [tests, "fails after the provider took the text"],
  ),
  guard(
    "an unknown outcome of a text is not tried again",
    [
      `${sending}/sms-job.ts`,
      'if (error.outcome === "unavailable") return',
      'if (error.outcome !== "refused") return',
    ],
    [tests, "an unknown outcome is never repeated"],
  ),
  guard(
    "a text isn't sent to who said STOP since it was queued",
    [
      `${sending}/sms-job.ts`,
      '    await checkNumberSuppressed(storage, { id: inbox_id, account_id }, to[0] ?? "");\n',
    ],
    [tests, "STOP that comes before it left"],
  ),
  guard(
    "a text isn't sent from a number that was given back",
    [
      `${sending}/sms-job.ts`,
      'if (number?.e164 !== from) return "The inbox doesn\'t have this number any more.";',
    ],
    [tests, "STOP that comes before it left"],
  ),
  guard(
    "a text that was delivered stays so",
    [`${telephony}/sms-status.ts`, ' && !delivery_events.some(({ type }) => type === "delivered")'],
    [tests, '"delivered","failed"'],
  ),
  behind(
    guard(
      "a text that failed stays so",
      [`${telephony}/sms-status.ts`, "EARLIER[next].includes(status) && "],
      [tests, '"failed","delivered","sent"'],
    ),
    edit(
      `${telephony}/sms-status.ts`,
      "{ id: message_id, status: { in: EARLIER[status] } }",
      "{ id: message_id }",
    ),
  ),
  guard(
    "a callback changes the text that the provider knows by its id alone",
    [`${telephony}/sms-status.ts`, "if (known !== null && known !== provider_id) return false;"],
    [tests, "by another id of the provider"],
  ),
  guard(
    "a callback about a text changes no mail",
    [`${telephony}/sms-status.ts`, 'found?.channel !== "sms" || found.direction', "found?.direction"],
    [tests, "by another id of the provider"],
  ),
  guard(
    "texts count as recipients of the plan",
    [
      `${telephony}/queue-text.ts`,
      'await takeFromPlan(services, work, current.account_id, "monthly_sends", 1, now);',
    ],
    [tests, "as many pass as the plan has room for"],
  ),
  guard(
    "texts count against budgets",
    [`${telephony}/queue-text.ts`, "work.require(spendBudget(work, asked_by, stored.record, now));"],
    [tests, "of the budgets of the key"],
  ),
  guard(
    "an approval binds what kind of message it is, and what a call does",
    ["packages/core/src/approvals/rules.ts", "? { kind: draft.kind, call_mode: draft.call_mode }", "? {}"],
    [drafts, "a call in approval mode"],
  ),
  guard(
    "a draft of a text is not sent by who may send mail only",
    [`${sending}/drafts/send-now.ts`, "checkMaySend(ctx.caller.permissions, before);"],
    [drafts, "not by who may send mail only"],
  ),
  guard(
    "a task is answered by text only by who may send texts",
    [
      `${sending}/task-reply.ts`,
      'if (!holdsAny(caller.permissions, ["sms_send"])) throw fail("permission_denied", { param: "sms_send" });',
    ],
    [drafts, "needs the permission to send texts"],
  ),
  guard(
    "a held text is checked again when it leaves",
    [`${sending}/drafts/check-draft.ts`, "  await checkReachable(act.to);\n"],
    [drafts, "is checked again when it leaves"],
  ),
];
