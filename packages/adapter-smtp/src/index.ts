export { createCachedDns } from "./cached-dns.ts";
export { type CapturedMail, type CaptureTransport, createCaptureTransport } from "./capture.ts";
export { type Certificate, generateCertificate } from "./certificate.ts";
export { type DkimKey, dkimRecord, generateDkimKey } from "./dkim-key.ts";
export { createDns } from "./dns.ts";
export {
  createSmtpListener,
  type ListenerLog,
  type ReceivedMail,
  type ReceiveOutcome,
  type SmtpListener,
  type SmtpListenerOptions,
} from "./listener.ts";
export { createMailParser, type ThreadedMailParser } from "./mail-parser.ts";
export { createMailThreads, type MailThreads, type MailThreadsOptions } from "./mail-threads.ts";
export { createSenderAuth, type SenderAuthOptions } from "./sender-auth.ts";
export { DEFAULT_SMTP_LIMITS, type SmtpLimits } from "./smtp-limits.ts";
export { createSmtpTransport, type SmtpTransportOptions } from "./transport.ts";
