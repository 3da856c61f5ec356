import { LIMITS } from "@letterslot/core/ports";
import { createBoundedMap } from "@letterslot/node-kit";

/** Limits of the listener, in bytes and milliseconds. */
export interface SmtpLimits {
  /** Per message; announced as SIZE (RFC 1870). */
  messageBytes: number;
  /** All messages being received at the same time; the last eighth is for messages of up to a megabyte. */
  bufferedBytes: number;
  /** Those of one network: the /24 of an IPv4 address, or the /64 of an IPv6 address. */
  bufferedBytesPerNetwork: number;
  recipients: number;
  connections: number;
  /** At most a tenth of them for one network. */
  connectionsPerNetwork: number;
  mailsPerMinutePerIp: number;
  /** Unknown recipients per session, to stop address guessing. */
  unknownRecipients: number;
  /** Time without a byte from the client. */
  idleMs: number;
  /** Time limit for a whole session, so that a client sending a byte a minute cannot hold a connection forever. */
  sessionMs: number;
  /** The time that `close` waits for messages in progress. */
  closeMs: number;
}

/** RFC 5321, section 4.5.3 requires at least 100 recipients. */
export const DEFAULT_SMTP_LIMITS: SmtpLimits = {
  messageBytes: LIMITS.raw_mail_bytes,
  bufferedBytes: 134_217_728,
  bufferedBytesPerNetwork: 67_108_864,
  recipients: 100,
  connections: 500,
  connectionsPerNetwork: 50,
  mailsPerMinutePerIp: 6_000,
  unknownRecipients: 20,
  idleMs: 60_000,
  sessionMs: 900_000,
  closeMs: 10_000,
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
  const windows = createBoundedMap<string, { began: number; count: number }>(MAX_COUNTED_KEYS);
  return (key) => {
    const time = now();
    const window = windows.get(key);
    if (window !== undefined && time - window.began < WINDOW_MS) {
      window.count += 1;
      return window.count <= limit;
    }
    windows.set(key, { began: time, count: 1 });
    return limit >= 1;
  };
}
