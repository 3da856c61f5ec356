export { type Certificate, generateCertificate } from "./listener/certificate.ts";
export { DEFAULT_SMTP_LIMITS, type SmtpLimits } from "./listener/limits.ts";
export {
  createSmtpListener,
  type ListenerLog,
  type ReceivedMail,
  type ReceiveOutcome,
  type SmtpListener,
  type SmtpListenerOptions,
} from "./listener/listener.ts";
export { createMailWorkers, type MailWorkers, type MailWorkersOptions } from "./reading/choose-reader.ts";
export { createMailParser, type ThreadedMailParser } from "./reading/mail-parser.ts";
export { createCachedDns } from "./sender/cached-dns.ts";
export { createDns } from "./sender/dns.ts";
export { createSenderAuth, type SenderAuthOptions, type SenderCheckWorkers } from "./sender/sender-auth.ts";
export { createZoneDns, type ZoneDnsOptions } from "./sender/zone-dns.ts";
export {
  type CapturedMail,
  type CaptureTransport,
  createCaptureTransport,
} from "./transport/capture-transport.ts";
export {
  createDirectTransport,
  type DirectTransportOptions,
} from "./transport/direct/direct-transport.ts";
export { readDirectUrl } from "./transport/direct/direct-url.ts";
export { type DkimKey, dkimRecord, generateDkimKey } from "./transport/dkim.ts";
export {
  createSmtpTransport,
  type SmtpTransportOptions,
  verifySmtpServer,
} from "./transport/smtp-transport.ts";
