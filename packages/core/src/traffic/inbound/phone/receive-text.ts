import type { Services } from "../../../kernel/context.ts";
import { stateOf } from "../../../kernel/inbox/state.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { findCanaries, spendCanaries } from "../../../mailbox/canaries/index.ts";
import { suppressNumber, unsuppressNumber } from "../../../mailbox/suppressions/index.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import {
  type Keyword,
  keywordOf,
  keywordReply,
  segmentsOf,
  storePhoneMessage,
} from "../../../phone/telephony/index.ts";
import type { TelephonyEvent } from "../../../ports/telephony.ts";
import { hashesOfWords, mentionRecords } from "../../gate/index.ts";
import { labelsOfWords, phoneDecisions, readWords } from "../reading/read-words.ts";
import { decidePhoneTask } from "../rules.ts";
import { admitPhone, lookUpNumber, noteTaken, recordRefused } from "./admit-phone.ts";
import { announcePhone } from "./announce-phone.ts";
import type { HandledEvent } from "./callback-outcome.ts";

type Text = Extract<TelephonyEvent, { kind: "sms_received" }>;

/**
 * Receives a text: admits, screens and stores it, with a task where the inbox takes tasks from that number. STOP and
 * START count also where the inbox doesn't take the text.
 */
export async function receiveText(services: Services, event: Text, now: Date): Promise<HandledEvent> {
  const { telephony, storage, makeId } = services;
  const { from: theirs, to: ours, text } = event;
  const name = `sms:${telephony.name}:${event.provider_id}`;
  const keyword = keywordOf(text);
  const admission = await admitPhone(services, { ours, theirs }, now);
  if (admission.verdict === "unknown") return { outcome: "unknown" };
  const { inbox } = admission;
  if (admission.verdict !== "admitted") {
    const first = await recordRefused(services, admission, { name, theirs }, now);
    if (first)
      await obey(services, storage, inbox, { keyword, number: theirs, source_message_id: null }, now);
    return { outcome: first ? "dropped" : "duplicate" };
  }

  const { allowlisted, known } = await lookUpNumber(services, inbox.id, theirs);
  const words = await readWords(services, inbox, text, { from: theirs, known }, now);
  const decision = decidePhoneTask({
    held: words.held,
    keyword: keyword !== undefined,
    allowlisted,
    sms_tasks: inbox.sms_tasks,
    unheard: false,
  });
  const hashes = await hashesOfWords(services, inbox, { theirs, text });
  const known_outside = await findCanaries(storage, inbox.account_id, [text]);
  const outcome = await unitOfWork(services, inbox.account_id, now, async (work) => {
    if (!(await noteTaken(work, name, inbox.id, now))) return "duplicate";
    const current = await work.get("inboxes", inbox.id);
    if (current === undefined || stateOf(current, now) !== "active") return "dropped";
    const stored = await storePhoneMessage(
      { makeId },
      work,
      inbox,
      {
        ...{ direction: "inbound", channel: "sms", status: "received", ours, theirs },
        ...{ text: words.text, redacted: words.redacted, safety: words.safety },
        ...segmentsOf(text),
        labels: labelsOfWords(words),
        provider: telephony.name,
        provider_id: event.provider_id,
        dedupe_key: name,
        decisions: phoneDecisions(decision, null),
      },
      now,
    );
    if (!stored.inserted) return "duplicate";
    const { record } = stored;
    await spendCanaries(work, known_outside, now);
    work.append("outside_mentions", mentionRecords(hashes, inbox, record.id, now));
    await obey(services, work, inbox, { keyword, number: theirs, source_message_id: record.id }, now);
    await announcePhone(services, work, record, decision, now);
    return "handled";
  });
  const replies = outcome === "handled" && keyword !== undefined && !telephony.answers_keywords;
  return replies
    ? { outcome, reply: { kind: "text", text: keywordReply(keyword, nameOf(inbox)) } }
    : { outcome };
}

/** Does what STOP and START ask for. */
async function obey(
  { makeId }: Services,
  writer: Parameters<typeof suppressNumber>[0],
  inbox: InboxRecord,
  told: { keyword: Keyword | undefined; number: string; source_message_id: string | null },
  now: Date,
): Promise<void> {
  if (told.keyword === "stop") await suppressNumber(writer, makeId, inbox, told, now);
  if (told.keyword === "start") await unsuppressNumber(writer, inbox, told.number);
}

const nameOf = ({ display_name, username }: InboxRecord): string => display_name ?? username;
