import { LIMITS } from "../../../catalogue/limits.ts";
import type { Services } from "../../../kernel/context.ts";
import { endJob, postponeJob } from "../../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../../kernel/unit-of-work.ts";
import { placesOf, scheduleBlobCollection, stageBlob, term } from "../../../mailbox/messages/index.ts";
import type { StoredAttachment } from "../../../model/attachments.ts";
import type { JobRecord } from "../../../model/jobs.ts";
import { TelephonyFailure } from "../../../ports/telephony.ts";
import { addTranscript } from "./receive-voicemail.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Fetches the audio of a voicemail, and keeps it as its only attachment. Retries for two days while the provider
 * can't be reached; gives up when the provider refuses, the file is too large, or it isn't audio.
 */
export async function fetchRecording(services: Services, job: JobRecord): Promise<void> {
  const { storage, telephony, log, clock } = services;
  const message = await storage.get("messages", job.subject_id);
  const recording_id = message?.phone?.recording_id ?? null;
  if (message === undefined || recording_id === null || message.attachments.length > 0)
    return endJob(storage, job);
  let audio: Awaited<ReturnType<typeof telephony.fetchRecording>>;
  try {
    audio = await telephony.fetchRecording(recording_id, LIMITS.recording_bytes);
  } catch (error) {
    if (!(error instanceof TelephonyFailure)) throw error;
    log.warn({ error, message: message.id }, "a recording could not be fetched");
    const over = error.outcome === "refused" || job.attempts >= LIMITS.recording_fetches;
    if (over) return endJob(storage, job);
    const wait_ms = Math.min(MINUTE_MS * 2 ** (job.attempts - 1), HOUR_MS);
    return postponeJob(storage, job, new Date(clock.now().getTime() + wait_ms));
  }
  const { bytes } = audio;
  const content_type = audioType(audio.content_type);
  if (content_type === undefined || bytes.length > LIMITS.recording_bytes) {
    log.warn({ message: message.id, bytes: bytes.length }, "a recording is too large, or is no audio");
    return endJob(storage, job);
  }
  await keepAudio(services, job, message, { bytes, content_type });
}

async function keepAudio(
  services: Services,
  job: JobRecord,
  {
    id,
    account_id,
    inbox_id,
    thread_id,
  }: { id: string; account_id: string; inbox_id: string; thread_id: string },
  { bytes, content_type }: { bytes: Uint8Array; content_type: string },
): Promise<void> {
  const now = services.clock.now();
  const staged = await stageBlob(services, bytes);
  const attachment: StoredAttachment = {
    id: services.makeId("att"),
    filename: `voicemail.${EXTENSIONS[content_type] ?? "audio"}`,
    content_type,
    content_id: null,
    disposition: "inline",
    size_bytes: bytes.length,
    hash: staged.hash,
  };
  await unitOfWork(services, account_id, now, async (work) => {
    await endJob(work, job);
    const change = { attachments: [attachment], size_bytes: { add: bytes.length } };
    const changed = await work.update("messages", { id }, change);
    if (changed.length === 0) return scheduleBlobCollection(work, [staged.hash], now);
    staged.put(work);
    work.countBytes(bytes.length);
    work.append("blob_uses", [{ hash: staged.hash, message_id: id }]);
    work.append("attachment_places", placesOf({ id, attachments: [attachment] }));
    work.append("message_terms", [{ inbox_id, term: term.attachment, message_id: id }]);
    await work.update("threads", { id: thread_id }, { attachment_count: { add: 1 } });
  });
}

/** A content type of audio without its parameters; undefined for all others. */
function audioType(content_type: string): string | undefined {
  const type = content_type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^audio\/[a-z0-9][a-z0-9.+-]{0,60}$/.test(type) ? type : undefined;
}

const EXTENSIONS: Record<string, string> = {
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/ogg": "ogg",
  "audio/mp4": "m4a",
};

/** Adds a transcript that came before its recording; without one it is forgotten after an hour or two. */
export async function addWaitingTranscript(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const now = clock.now();
  const { text } = job.payload;
  if (typeof text !== "string") return endJob(storage, job);
  const outcome = await addTranscript(services, { recording_id: job.subject_id, text }, now);
  if (outcome !== "unknown" || job.attempts >= LIMITS.transcript_tries) return endJob(storage, job);
  const due_at = new Date(now.getTime() + LIMITS.transcript_retry_ms * 2 ** job.attempts);
  await postponeJob(storage, job, due_at);
}
