import { edit, type Guard, guard } from "./guard.ts";

const core = "packages/core/src";
const inbound = `${core}/inbound`;
const tests = `${inbound}/receive-phone.test.ts`;

/** What a text or call from outside may bring about. */
export const textsAndVoicemails: Guard[] = [
  guard(
    "a callback that the provider didn't sign is refused",
    [`${inbound}/receive-callback.ts`, 'if (event === "forged") throw fail("callback_refused");'],
    [tests, "whose callback the provider didn't sign"],
  ),
  guard(
    "a replayed text changes nothing, not even after it was deleted",
    [`${inbound}/receive-text.ts`, 'if (!(await noteTaken(work, name, inbox.id, now))) return "duplicate";'],
    [tests, "that is told twice is stored once"],
  ),
  guard(
    "a text makes a task only where the inbox says so",
    [`${inbound}/rules.ts`, "!facts.sms_tasks", "false"],
    [tests, "a text makes a task"],
  ),
  guard(
    "a text makes a task only from a number on the allowlist",
    [`${inbound}/rules.ts`, "if (!facts.allowlisted)", "if (false)"],
    [tests, "a text makes a task"],
  ),
  guard(
    "a released text makes a task by the rule for texts",
    [`${inbound}/release.ts`, 'released.channel === "email"', "true"],
    [tests, "that was held makes a task when it is released"],
  ),
  guard(
    "letting texts make tasks requires owner_manage",
    [`${core}/inboxes/rules.ts`, "(!before.sms_tasks && after.sms_tasks)", "false"],
    [`${core}/inboxes/inboxes.test.ts`, "to less strict checks"],
  ),
  guard(
    "a voicemail makes no task before its words are screened, where suspicious ones are held",
    [`${inbound}/rules.ts`, "if (facts.unheard)", "if (false)"],
    [tests, "under screening hold makes a task only"],
  ),
  guard(
    "the task of a voicemail that is held since has no words",
    [`${core}/tasks/show.ts`, "message === undefined || isHeld(message)", "message === undefined"],
    [tests, "whose words are held after its task was made"],
  ),
  guard(
    "the secrets of letters are taken out of texts",
    [`${inbound}/read-words.ts`, "text: mail.text,", "text: words,"],
    [tests, "keeps the secrets of letters"],
  ),
  guard(
    "a blocked number's texts and calls are dropped",
    [`${inbound}/admit-phone.ts`, "return blocked === undefined", "return blocked !== null"],
    [tests, "from a blocked number is dropped"],
  ),
  guard(
    "STOP counts also where the text isn't taken",
    [`${inbound}/receive-text.ts`, "if (first)\n      await obey(", "if (false)\n      await obey("],
    [tests, "STOP counts also"],
  ),
  guard(
    "only a call that was to be recorded gets a recording",
    [`${inbound}/receive-voicemail.ts`, 'call.phone?.mode !== "say_and_record" ||\n    '],
    [tests, "that we placed and recorded"],
  ),
  guard(
    "only audio is kept as a recording",
    [`${inbound}/recording-jobs.ts`, ".test(type) ? type : undefined", ".test(type) ? type : type"],
    [tests, "whose audio can't be had"],
  ),
  guard(
    "a recording that is too large is not kept, whatever the provider sends",
    [`${inbound}/recording-jobs.ts`, " || bytes.length > LIMITS.recording_bytes"],
    [tests, "whose audio can't be had"],
  ),
  {
    name: "a second recording of a call is not stored",
    out: [
      edit(
        `${inbound}/receive-voicemail.ts`,
        'if (!(await noteTaken(work, name, inbox.id, now))) return { outcome: "duplicate" };',
      ),
      edit(`${inbound}/receive-voicemail.ts`, 'if (!inserted) return { outcome: "duplicate" };'),
    ],
    test: { file: tests, name: "whose transcript comes before its recording" },
  },
  guard(
    "a second transcript changes nothing",
    [
      `${inbound}/receive-voicemail.ts`,
      'if (!(await noteTaken(work, nameOfTranscript(telephony.name, recording_id), message.id, now)))\n      return "duplicate";',
    ],
    [tests, "at the same moment"],
  ),
];
