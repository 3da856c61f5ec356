import { LIMITS } from "@letterslot/core";

/** Limits of the listener, in bytes and milliseconds. */
export interface SmtpLimits {
  /** Per message; announced as SIZE (RFC 1870). */
  message_bytes: number;
  /** All messages being received at the same time; the last eighth is for messages of up to a megabyte. */
  buffered_bytes: number;
  /** Those of one network: the /24 of an IPv4 address, or the /64 of an IPv6 address. */
  buffered_bytes_per_network: number;
  recipients: number;
  connections: number;
  /** At most a tenth of them for one network. */
  connections_per_network: number;
  mails_per_minute_per_ip: number;
  /** Unknown recipients per session, to stop address guessing. */
  unknown_recipients: number;
  /** Time without a byte from the client. */
  idle_ms: number;
  /** Whole session, so that a client sending a byte a minute cannot hold a connection forever. */
  session_ms: number;
  /** How long `close` waits for messages in progress. */
  close_ms: number;
}

/** RFC 5321, section 4.5.3 requires at least 100 recipients. */
export const DEFAULT_SMTP_LIMITS: SmtpLimits = {
  message_bytes: LIMITS.raw_mail_bytes,
  buffered_bytes: 134_217_728,
  buffered_bytes_per_network: 67_108_864,
  recipients: 100,
  connections: 500,
  connections_per_network: 50,
  mails_per_minute_per_ip: 6_000,
  unknown_recipients: 20,
  idle_ms: 60_000,
  session_ms: 900_000,
  close_ms: 10_000,
};

const WINDOW_MS = 60_000;
/** Keys counted at a time; beyond that the oldest is forgotten. */
export const MAX_COUNTED_KEYS = 10_000;

/**
 * Allows `limit` calls per key and minute; a key's minute begins with its first call. `now` is a monotonic
 * clock in milliseconds.
 */
export function createRateLimiter(
  limit: number,
  now: () => number = () => performance.now(),
): (key: string) => boolean {
  const windows = new Map<string, { began: number; count: number }>();
  return (key) => {
    const time = now();
    const window = windows.get(key);
    if (window !== undefined && time - window.began < WINDOW_MS) {
      window.count += 1;
      return window.count <= limit;
    }
    windows.delete(key);
    windows.set(key, { began: time, count: 1 });
    const oldest = windows.keys().next();
    if (windows.size > MAX_COUNTED_KEYS && !oldest.done) windows.delete(oldest.value);
    return limit >= 1;
  };
}
