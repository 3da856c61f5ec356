import { hash } from "node:crypto";
import type { LetterslotEvent } from "@letterslot/client";
import { signatureHeaders, type signingKeysOf } from "@letterslot/core/internal";

/** The result of posting an event: the receiver's status, or the reason why there is none. */
export interface Posted {
  status: number | null;
  error: string | null;
  duration_ms: number;
}

/** The destination of events and the keys that sign them. */
export interface Receiver {
  url: string;
  keys: ReturnType<typeof signingKeysOf>;
  /** The consumer of these deliveries, part of each delivery's id. */
  consumer_id: string;
}

/** As long as a webhook may take. */
const TIMEOUT_MS = 15_000;
const DELIVERY_ID_CHARS = 20;

/**
 * Posts an event as a webhook does: the same body, headers and signatures. Each attempt has the same delivery id, also
 * after `listen` was killed. Follows no redirect, and never throws unless the signal aborts.
 */
export async function postEvent(
  { url, keys, consumer_id }: Receiver,
  event: LetterslotEvent,
  signal: AbortSignal,
): Promise<Posted> {
  const body = Buffer.from(JSON.stringify(event));
  const signed = signatureHeaders([keys], {
    delivery_id: `lsn_${hash("sha256", `${consumer_id} ${event.id}`, "hex").slice(0, DELIVERY_ID_CHARS)}`,
    event_id: event.id,
    event_type: event.type,
    timestamp: Math.floor(Date.now() / 1000),
    body,
  });
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "user-agent": "Letterslot-Webhooks", ...signed, "content-type": "application/json" },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const duration_ms = took();
    // Read on no further: the status is all that counts, and the receiver may never end.
    await answer.body?.cancel().catch(() => undefined); // a connection that broke meanwhile has answered, too
    return { status: answer.status, error: null, duration_ms };
  } catch (error) {
    signal.throwIfAborted();
    return { status: null, error: reasonOf(error), duration_ms: took() };
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection broke",
  UND_ERR_SOCKET: "the connection broke",
  ENOTFOUND: "the host can't be found",
  EAI_AGAIN: "the host can't be found",
  TimeoutError: `no answer within ${TIMEOUT_MS / 1000} s`,
};

/** Why a request failed, in a few words. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  return REASONS[cause?.code ?? name] ?? cause?.message ?? message;
}

/** Whether the receiver took the event. */
export const isTaken = ({ status }: Posted): boolean => status !== null && status >= 200 && status < 300;
