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
async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${BASE_URL}${path}`, { headers: { accept: "application/json" } }).catch(
    (cause: unknown) => {
      const { offline: message } = words;
      throw new LetterslotApiError({ code: "connection_failed", message, status: null, cause });
    },
  );
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
