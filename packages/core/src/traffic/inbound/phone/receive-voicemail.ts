import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import { stateOf } from "../../../kernel/inbox/state.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import type { Work } from "../../../kernel/work.ts";
import { previewOf } from "../../../mail/reply-extraction/preview.ts";
import { findCanaries, spendCanaries } from "../../../mailbox/canaries/index.ts";
import { findBody, relabel, searchDocument, snapshotOf, truncate } from "../../../mailbox/messages/index.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import type { MessageRecord } from "../../../model/messages.ts";
import { taskEvent } from "../../../owners/tasks/index.ts";
import { storePhoneMessage } from "../../../phone/telephony/index.ts";
import type { TelephonyEvent } from "../../../ports/telephony.ts";
import { hashesOfWords, mentionRecords } from "../../gate/index.ts";
import { labelsOfWords, phoneDecisions, readWords } from "../reading/read-words.ts";
import { decidePhoneTask } from "../rules.ts";
import {
  admitPhone,
  type Ends,
  lookUpNumber,
  noteTaken,
  placeOfTaken,
  recordRefused,
} from "./admit-phone.ts";
import { addPhoneTask, announcePhone, openPhoneTask } from "./announce-phone.ts";
import type { HandledEvent } from "./callback-outcome.ts";

type Event<K extends TelephonyEvent["kind"]> = Extract<TelephonyEvent, { kind: K }>;

/** Answers a call with the inbox's greeting and a recording; refuses it where the inbox takes no calls from there. */
export async function answerCall(
  services: Services,
  event: Event<"call_received">,
  now: Date,
): Promise<HandledEvent> {
  const { from: theirs, to: ours, provider_id } = event;
  const reject = { kind: "reject" as const };
  const admission = await admitPhone(services, { ours, theirs }, now);
  if (admission.verdict === "unknown") return { outcome: "unknown", reply: reject };
  if (admission.verdict !== "admitted") {
    const name = `call:${services.telephony.name}:${provider_id}`;
    const first = await recordRefused(services, admission, { name, theirs }, now);
    return { outcome: first ? "dropped" : "duplicate", reply: reject };
  }
  const greeting = greetingOf(admission.inbox);
  return {
    outcome: "handled",
    reply: { kind: "voicemail", greeting, max_seconds: LIMITS.voicemail_seconds },
  };
}

const greetingOf = ({ voicemail_greeting, display_name }: InboxRecord): string =>
  voicemail_greeting ??
  `${display_name === null ? "" : `You have reached ${display_name}. `}Please leave a message after the tone.`;

/** The inbox and the numbers of a recording, which holds a caller's message or an answer in a call that we placed. */
type Place = { inbox: InboxRecord } & Ends;

/**
 * Stores a recording as a voicemail, once per call, and publishes it at once; a job fetches the audio, and the
 * transcript arrives later.
 */
export async function receiveRecording(
  services: Services,
  event: Event<"recording">,
  now: Date,
): Promise<HandledEvent> {
  const { telephony, makeId } = services;
  const { recording_id } = event;
  const duration_seconds = Math.round(event.duration_seconds);
  const name = `voicemail:${telephony.name}:${event.call_id}`;
  const place = await placeOfRecording(services, event, name, now);
  if ("outcome" in place) return place;
  const { inbox, ours, theirs } = place;
  const { allowlisted } = await lookUpNumber(services, inbox.id, theirs);
  const hashes = await hashesOfWords(services, inbox, { theirs, text: "" });
  const decision = decidePhoneTask({
    held: false,
    keyword: false,
    allowlisted,
    sms_tasks: inbox.sms_tasks,
    unheard: inbox.screening === "hold",
  });
  return unitOfWork(services, inbox.account_id, now, async (work): Promise<HandledEvent> => {
    if (!(await noteTaken(work, name, inbox.id, now))) return { outcome: "duplicate" };
    const current = await work.get("inboxes", inbox.id);
    if (current === undefined || (event.message_id === null && stateOf(current, now) !== "active"))
      return { outcome: "dropped" };
    const { record, inserted } = await storePhoneMessage(
      { makeId },
      work,
      inbox,
      {
        ...{ direction: "inbound", channel: "voicemail", status: "received", ours, theirs, text: "" },
        subject: event.message_id === null ? "Voicemail" : "Recording of a call",
        labels: labelsOfWords({ suspicious: false, held: false }),
        ...{ provider: telephony.name, provider_id: event.call_id, dedupe_key: name },
        ...{ duration_seconds, recording_id },
        decisions: phoneDecisions(decision, null),
      },
      now,
    );
    if (!inserted) return { outcome: "duplicate" };
    await noteTaken(work, nameOfRecording(telephony.name, recording_id), record.id, now);
    work.append("outside_mentions", mentionRecords(hashes, inbox, record.id, now));
    work.job({ kind: "recording.fetch", subject_id: record.id });
    await announcePhone(services, work, record, decision, now);
    return { outcome: "handled" };
  });
}

const nameOfRecording = (provider: string, recording_id: string): string =>
  `recording:${provider}:${recording_id}`;

const nameOfTranscript = (provider: string, recording_id: string): string =>
  `transcript:${provider}:${recording_id}`;

async function placeOfRecording(
  services: Services,
  { message_id, call_id, from, to }: Event<"recording">,
  name: string,
  now: Date,
): Promise<Place | HandledEvent> {
  if (message_id !== null) return placeOfOwnCall(services, message_id, call_id);
  const ends = { ours: to, theirs: from };
  const admission = await admitPhone(services, ends, now);
  if (admission.verdict === "unknown") return { outcome: "unknown" };
  if (admission.verdict === "admitted") return { inbox: admission.inbox, ...ends };
  const first = await recordRefused(services, admission, { name, theirs: from }, now);
  return { outcome: first ? "dropped" : "duplicate" };
}

async function placeOfOwnCall(
  { storage, telephony }: Services,
  message_id: string,
  call_id: string,
): Promise<Place | HandledEvent> {
  const call = await storage.get("messages", message_id);
  const inbox = call === undefined ? undefined : await storage.get("inboxes", call.inbox_id);
  const known = call?.phone?.provider_id ?? null;
  if (
    call === undefined ||
    inbox === undefined ||
    call.channel !== "voice" ||
    call.phone?.mode !== "say_and_record" ||
    call.provider !== telephony.name ||
    (known !== null && known !== call_id)
  )
    return { outcome: "unknown" };
  return { inbox, ours: call.from, theirs: call.to[0] ?? "" };
}

/**
 * Adds a transcript to its voicemail; a second transcript changes nothing. One that arrives before its recording, or
 * without one, waits.
 */
export async function receiveTranscript(
  services: Services,
  { recording_id, text }: Event<"transcript">,
  now: Date,
): Promise<HandledEvent> {
  const outcome = await addTranscript(services, { recording_id, text }, now);
  if (outcome !== "unknown") return { outcome };
  const waiting = nameOfTranscript(services.telephony.name, recording_id);
  await services.storage.transaction(async (tx) => {
    if (!(await noteTaken(tx, waiting, "waiting", now))) return;
    const words = truncate(text, LIMITS.transcript_chars);
    const due_at = iso(new Date(now.getTime() + LIMITS.transcript_retry_ms));
    const payload = { text: words };
    const job = { kind: "recording.transcript" as const, subject_id: recording_id, payload, due_at };
    tx.append("jobs", [
      { ...job, id: services.makeId("job"), attempts: 0, lease: null, created_at: iso(now) },
    ]);
  });
  return { outcome: "handled" };
}

/** Screens a transcript and adds it to its voicemail; `unknown` if this recording has no voicemail. */
export async function addTranscript(
  services: Services,
  { recording_id, text }: { recording_id: string; text: string },
  now: Date,
): Promise<"handled" | "duplicate" | "unknown"> {
  const { storage, telephony } = services;
  const message_id = await placeOfTaken(storage, nameOfRecording(telephony.name, recording_id));
  const message = message_id === undefined ? undefined : await storage.get("messages", message_id);
  const inbox = message === undefined ? undefined : await storage.get("inboxes", message.inbox_id);
  if (message === undefined || inbox === undefined) return message_id === undefined ? "unknown" : "duplicate";
  const { allowlisted } = await lookUpNumber(services, inbox.id, message.from);
  const said = truncate(text, LIMITS.transcript_chars);
  const words = await readWords(services, inbox, said, { from: message.from, known: false }, now);
  const caller = await hashesOfWords(services, inbox, { theirs: message.from, text: "" });
  const named = await hashesOfWords(services, inbox, { theirs: "", text: said });
  // The recording was noted with its caller.
  const hashes = named.filter((hash) => !caller.includes(hash));
  const known_outside = await findCanaries(storage, inbox.account_id, [said]);
  return unitOfWork(services, inbox.account_id, now, async (work) => {
    if (!(await noteTaken(work, nameOfTranscript(telephony.name, recording_id), message.id, now)))
      return "duplicate";
    const current = await work.get("messages", message.id);
    if (current?.phone == null) return "duplicate";
    const [updated] = await work.update(
      "messages",
      { id: current.id },
      {
        phone: { ...current.phone, transcript: words.text },
        extracted_text: words.text,
        safety: words.safety,
        redacted: words.redacted,
        size_bytes: { add: words.text.length },
      },
    );
    if (updated === undefined) return "duplicate";
    work.countBytes(words.text.length);
    await spendCanaries(work, known_outside, now);
    work.append("outside_mentions", mentionRecords(hashes, inbox, message.id, now));
    const added = words.held ? ["suspicious", "held"] : words.suspicious ? ["suspicious"] : [];
    const [labelled = updated] = await relabel(work, [updated], added, []);
    const body = await findBody(work, labelled);
    work.unindex([labelled.id]);
    work.index([searchDocument(labelled, body)]);
    if (words.held)
      work.publish({
        type: "message.held",
        inbox_id: labelled.inbox_id,
        message_id: labelled.id,
        data: { message: snapshotOf(labelled), reason: "screening" },
      });
    else await showInThread(work, labelled);
    const facts = { held: words.held, keyword: false, unheard: false, allowlisted };
    await tellTask(services, work, labelled, decidePhoneTask({ ...facts, sms_tasks: inbox.sms_tasks }), now);
    return "handled";
  });
}

async function showInThread(work: Work, { id, thread_id, extracted_text }: MessageRecord): Promise<void> {
  await work.update(
    "threads",
    { id: thread_id, last_message_id: id },
    { preview: previewOf(extracted_text) },
  );
}

/** Updates the task of a voicemail with its words; creates it if it waited for them. */
async function tellTask(
  { makeId }: Pick<Services, "makeId">,
  work: Work,
  message: MessageRecord,
  decision: { made: boolean; reason: string },
  now: Date,
): Promise<void> {
  const where = { message_id: message.id };
  const [task] = await work.update("tasks", where, { updated_at: iso(now) });
  if (task !== undefined) work.publish(taskEvent("task.updated", task));
  else if (decision.made) await addPhoneTask(work, openPhoneTask(makeId, message, now), message.id, decision);
  else await work.update("message_bodies", where, { decisions: phoneDecisions(decision, null) });
}
