import { LetterslotApiError, type Page } from "@letterslot/client";
import { words } from "../words/index.ts";
import { BASE_URL } from "./caller.ts";

/** A mail that the server kept instead of sending it, as the list names it. */
export interface CapturedMail {
  name: string;
  captured_at: string;
  from: string;
  to: string[];
  subject: string;
}

/** All that there is to see of one. */
export interface WholeCapturedMail {
  name: string;
  subject: string;
  from: string;
  to: string;
  date: string | null;
  text: string;
  /** It has HTML too, at `capturedHtmlUrl`. */
  html: boolean;
  /** Its HTML names pictures of other servers. */
  remote_pictures: boolean;
  attachments: { filename: string; content_type: string; size_bytes: number }[];
  source: string;
  size_bytes: number;
}

/**
 * Asks for one of the pages that a server on this very machine has beside its API, as JSON. The client knows none of
 * them: no other server has them.
 */
async function ask<T>(path: string, form?: Record<string, string>): Promise<T> {
  const posted = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
  const answer = await fetch(`${BASE_URL}${path}`, {
    headers: { accept: "application/json" },
    ...posted,
  }).catch((cause: unknown) => {
    const { offline: message } = words;
    throw new LetterslotApiError({ code: "connection_failed", message, status: null, cause });
  });
  if (answer.ok) return (await answer.json()) as T;
  const body = (await answer.json().catch(() => ({}))) as { error?: { message: string } };
  throw new LetterslotApiError({
    code: "unexpected_answer",
    message: words.failed,
    ...body.error,
    status: answer.status,
  });
}

export const capturedMail = {
  list: (before?: string): Promise<Page<CapturedMail>> =>
    ask(`/outbox${before === undefined ? "" : `?before=${encodeURIComponent(before)}`}`),
  get: (name: string): Promise<WholeCapturedMail> => ask(`/outbox/${encodeURIComponent(name)}`),
};

/** Where a captured mail's HTML is, as it was sent: under a policy that makes it harmless in a frame. */
export const capturedHtmlUrl = (name: string): string =>
  `${BASE_URL}/outbox/${encodeURIComponent(name)}/html`;

/** A text, or a call, of a person or of an agent. */
interface OnTheLine {
  id: string;
  from: string;
  to: string;
  at: string;
}

export interface PhoneText extends OnTheLine {
  text: string;
  status: "sent" | "delivered" | "failed";
}

export interface PhoneCall extends OnTheLine {
  placed_by: "service" | "person";
  status: "queued" | "ringing" | "in-progress" | "completed" | "no-answer" | "failed";
  duration_seconds: number | null;
  /** Why it failed; empty if it didn't. */
  detail: string;
  /** What the person hears, or heard. */
  heard: string;
  recording_seconds: number | null;
  said: string | null;
  answered_at: string | null;
}

/** A person's telephone, on a server without a telephone provider. */
export interface Telephone {
  /** The person's own number. */
  me: string;
  numbers: { e164: string; agent: string }[];
  /** Newest first. */
  happened: (PhoneText | PhoneCall)[];
}

/** What the person does with it. */
export type PhoneAct =
  | { act: "text"; to: string; text: string }
  | { act: "call"; to: string }
  | { act: "answer" | "decline" | "hang_up"; call: string }
  | { act: "speak"; call: string; text: string };

export const telephone = {
  /** `me` is the number to use; null for that of the server. */
  get: (me: string | null): Promise<Telephone> =>
    ask(`/phone${me === null ? "" : `?me=${encodeURIComponent(me)}`}`),
  act: (me: string, act: PhoneAct): Promise<Telephone> => ask("/phone", { me, ...act }),
};
