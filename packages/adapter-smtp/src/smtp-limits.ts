/** What the listener takes; bytes and milliseconds. */
export interface SmtpLimits {
  /** Of one mail, announced as SIZE (RFC 1870). */
  message_bytes: number;
  /** Of all mails that are being received at a time. */
  buffered_bytes: number;
  recipients: number;
  connections: number;
  connections_per_ip: number;
  mails_per_minute_per_ip: number;
  /** Unknown recipients that one session may try: guessing addresses ends here. */
  unknown_recipients: number;
  /** Without a byte from the client. */
  idle_ms: number;
  /** From the greeting to the end, so that a byte a minute holds no connection forever. */
  session_ms: number;
  /** How long `close` waits for mails under way. */
  close_ms: number;
}

/** 35 MB take 25 MB of attachments in base 64 (RFC 5321, section 4.5.3 asks for 100 recipients at least). */
export const DEFAULT_SMTP_LIMITS: SmtpLimits = {
  message_bytes: 36_700_160,
  buffered_bytes: 268_435_456,
  recipients: 100,
  connections: 500,
  connections_per_ip: 50,
  mails_per_minute_per_ip: 6_000,
  unknown_recipients: 20,
  idle_ms: 60_000,
  session_ms: 900_000,
  close_ms: 10_000,
};
