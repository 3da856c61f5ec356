import { z } from "zod";
import {
  AccessKeyId,
  Address,
  Days,
  Domain,
  Domains,
  EncryptionKeys,
  HostPort,
  HttpUrl,
  Milliseconds,
  Networks,
  Origins,
  PoolSize,
  Port,
  PostgresUrl,
  RedisUrl,
  Reporters,
  S3Url,
  Secret,
  SecretAccessKey,
  SmtpUrl,
  TwilioAccountSid,
  UrlPrefixes,
  WebhookRetries,
} from "./config-fields.ts";

/** An environment variable. */
export interface Variable {
  schema: z.ZodType;
  meaning: string;
  /** The allowed values, for error messages. */
  expects: string;
  /** Its default, as text for people. */
  fallback: string;
  /** Its value is never printed. */
  secret: boolean;
}

/** Every environment variable that the server reads. */
export const VARIABLES = {
  HOST: variable(
    z.string().min(1).default("127.0.0.1"),
    "Address to listen on for HTTP.",
    "an IP address or host name",
  ),
  PORT: variable(Port.default(8025), "Port to listen on for HTTP.", "a whole number from 0 to 65535"),
  BASE_URL: variable(
    HttpUrl.optional(),
    "Public URL, used in links and docs_url.",
    "a URL such as https://mail.example.com",
    { fallback: "http://localhost:$PORT" },
  ),
  MAIL_DOMAIN: variable(
    Domain.default("letterslot.localhost"),
    "Domain of inbox addresses.",
    "a domain such as agents.example.com",
  ),
  DATA_DIR: variable(
    z.string().min(1).default("./data"),
    "Folder for the database, generated secrets and captured mail.",
    "a folder that this user can write to",
  ),
  DATABASE_URL: variable(
    PostgresUrl.optional(),
    "PostgreSQL instead of SQLite; allows any number of processes.",
    "postgres://user:password@host:5432/name",
    { fallback: "SQLite in DATA_DIR", secret: true },
  ),
  REDIS_URL: variable(
    RedisUrl.optional(),
    "Redis, for the queue and signals.",
    "redis://user:password@host:6379/0, or rediss://… for TLS",
    { fallback: "the database is used", secret: true },
  ),
  S3_URL: variable(
    S3Url.optional(),
    "Bucket for blobs beyond 64 KiB, beside PostgreSQL, which @letterslot/adapter-s3 brings.",
    "s3://bucket/prefix?region=eu-central-1, or with &endpoint=https://… for another store than Amazon's, with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
    { fallback: "the database is used" },
  ),
  S3_ACCESS_KEY_ID: variable(
    AccessKeyId.optional(),
    "The access key for that bucket, which may put, get and delete objects.",
    "the id of an access key, with S3_URL",
    { fallback: "none" },
  ),
  S3_SECRET_ACCESS_KEY: variable(
    SecretAccessKey.optional(),
    "The secret of that access key.",
    "the secret of S3_ACCESS_KEY_ID, with S3_URL",
    { fallback: "none", secret: true },
  ),
  ROLE: variable(
    z.enum(["all", "api", "worker", "smtp"]).default("all"),
    "The part of the work that this process does.",
    "all, api, worker or smtp",
  ),
  SMTP_HOST: variable(
    z.string().min(1).default("127.0.0.1"),
    "Address to listen on for incoming mail.",
    "an IP address or host name",
  ),
  SMTP_PORT: variable(
    z.union([z.literal("off"), Port]).default(2525),
    "Port to listen on for incoming mail, or off.",
    "a whole number from 0 to 65535, or off",
  ),
  SMTP_URL: variable(
    SmtpUrl.optional(),
    "SMTP server that outgoing mail is sent through, or mx: to send straight to the recipients' mail hosts (in tests and closed networks mx:?port=2525&allow=127.0.0.0/8: their port, and the private networks that it may go to).",
    "smtp://user:password@host:587, smtps://… or mx: (for tests and closed networks mx:?port=2525&allow=127.0.0.0/8)",
    { fallback: "mail is captured in DATA_DIR/outbox", secret: true },
  ),
  SMTP_CERT: variable(
    z.string().optional(),
    "PEM file with the STARTTLS certificate.",
    "the path of a PEM file, with SMTP_KEY",
    { fallback: "generated in DATA_DIR" },
  ),
  SMTP_KEY: variable(
    z.string().optional(),
    "PEM file with the STARTTLS key.",
    "the path of a PEM file, with SMTP_CERT",
    { fallback: "generated in DATA_DIR" },
  ),
  DKIM_KEY: variable(
    z.string().optional(),
    "PEM file with the DKIM key that signs mail from MAIL_DOMAIN.",
    "the path of a PEM file",
    { fallback: "made once and sealed in the database" },
  ),
  DKIM_SELECTOR: variable(
    Domain.default("letterslot"),
    "DKIM selector: the DNS name of that key.",
    "a DNS label such as letterslot",
  ),
  INBOUND_SECRET: variable(
    Secret.optional(),
    "Enables and authorizes POST /api/v1/internal/inbound.",
    "16 to 512 characters that are hard to guess",
    { fallback: "disabled", secret: true },
  ),
  REPORTS_SECRET: variable(
    Secret.optional(),
    "Enables and authorizes POST /api/v1/internal/delivery-reports.",
    "16 to 512 characters that are hard to guess",
    { fallback: "disabled", secret: true },
  ),
  CRON_SECRET: variable(
    Secret.optional(),
    "Enables and authorizes /api/v1/internal/digests/flush.",
    "16 to 512 characters that are hard to guess",
    { fallback: "disabled", secret: true },
  ),
  METRICS_TOKEN: variable(
    Secret.optional(),
    "Lets other machines read /metrics, with Authorization: Bearer.",
    "16 to 512 characters that are hard to guess",
    { fallback: "only this machine can", secret: true },
  ),
  ENCRYPTION_KEY: variable(
    EncryptionKeys.optional(),
    "Encrypts stored secrets. To rotate, list several: the first encrypts, all decrypt.",
    "32 bytes in hex or base64, or several separated by commas (try: openssl rand -hex 32)",
    { fallback: "generated in DATA_DIR", secret: true },
  ),
  ONBOARDING: variable(
    z.enum(["open", "claimed", "paired", "closed"]).default("open"),
    "Who can sign up: agents, agents whose owner then claims the account, people alone (agents pair with their codes), or nobody.",
    "open, claimed, paired or closed",
  ),
  DEFAULT_SEND_MODE: variable(
    z.enum(["direct", "guarded"]).default("direct"),
    "The send mode of new inboxes that are created without one.",
    "direct or guarded",
  ),
  WEBHOOK_ALLOW: variable(
    Networks.default([]),
    "Private networks that webhooks can be sent to.",
    "networks such as 127.0.0.0/8, separated by commas",
  ),
  ATTACHMENT_URLS: variable(
    UrlPrefixes.default([]),
    "Where files may be attached from by their URL, in inboxes that send at once whatever it is. A fetch is a way out: list only what nobody else can read the logs of.",
    "beginnings of https URLs that end with /, such as https://files.example.com/reports/, separated by commas",
  ),
  WEBHOOK_RETRIES: variable(
    WebhookRetries.default("interface"),
    "How webhook deliveries are retried.",
    "interface, durable, or delays in seconds such as 5,30,300",
  ),
  DNS_SERVER: variable(
    HostPort.optional(),
    "DNS server for SPF, DKIM and DMARC records, and the records of custom domains.",
    "an address such as 1.1.1.1 or 127.0.0.1:5353",
    { fallback: "the system's; for custom domains their own name servers" },
  ),
  AUTOMATIC_DNS: variable(
    z.enum(["on", "off"]).optional(),
    "Whether the records of custom domains can be written to their DNS, which @letterslot/adapter-dns does.",
    "on or off",
    { fallback: "on if that package is installed" },
  ),
  AUTOMATIC_DNS_ALLOW: variable(
    Networks.default([]),
    "Private networks of name servers that the records of custom domains can be written to.",
    "networks such as 10.0.0.0/8, separated by commas",
  ),
  TRUSTED_PROXIES: variable(
    Networks.default([]),
    "Proxies whose X-Forwarded-For is trusted.",
    "networks such as 10.0.0.0/8, separated by commas",
  ),
  CORS_ORIGINS: variable(
    Origins.default([]),
    "Origins whose pages may call the API with an API key; never with an owner's cookie.",
    "origins such as https://app.example.com, separated by commas, or *",
  ),
  TRUSTED_SEALERS: variable(
    Domains.default([]),
    "Domains whose ARC seal is trusted when they forward mail.",
    "domains such as lists.example.net, separated by commas",
  ),
  TRUSTED_REPORTERS: variable(
    Reporters.optional(),
    "Who is believed about bounces of mail that they relayed: domains and networks.",
    "domains such as relay.example.net, *.relay.example.net and networks such as 192.0.2.0/24, separated by commas",
    { fallback: "what SMTP_URL's relay is known by" },
  ),
  TWILIO_ACCOUNT_SID: variable(
    TwilioAccountSid.optional(),
    "Twilio's account for phone numbers, text messages and calls, which @letterslot/adapter-twilio brings.",
    "AC and 32 hexadecimal digits, with TWILIO_AUTH_TOKEN and BASE_URL",
    { fallback: "telephony is simulated" },
  ),
  TWILIO_AUTH_TOKEN: variable(
    Secret.optional(),
    "The auth token of that account; requests to Twilio and its callbacks are checked with it.",
    "the auth token of Twilio's console, with TWILIO_ACCOUNT_SID",
    { fallback: "telephony is simulated", secret: true },
  ),
  TWILIO_API_URL: variable(
    HttpUrl.default("https://api.twilio.com"),
    "Where Twilio's API is, such as in another region. The auth token is sent there.",
    "a URL such as https://api.dublin.ie1.twilio.com",
  ),
  PLANS: variable(
    z.string().optional(),
    "JSON file with the quotas of plans, such as examples/plans.json.",
    "a JSON file with plans",
    { fallback: "no limits" },
  ),
  ATTACHMENT_TEXT: variable(
    z.enum(["on", "off"]).optional(),
    "Whether the text of attachments, and the QR codes of pictures, can be read, which @letterslot/text-extraction does.",
    "on or off",
    { fallback: "on if that package is installed" },
  ),
  CONTENT_SCAN: variable(
    z.enum(["on", "off"]).optional(),
    "Whether secrets and personal data are found in mail that is to leave, which @letterslot/content-scan does.",
    "on or off",
    { fallback: "on if that package is installed" },
  ),
  PASSKEYS: variable(
    z.enum(["on", "off"]).optional(),
    "Whether people sign in and decide with passkeys, which @letterslot/passkeys does.",
    "on or off",
    { fallback: "on if that package is installed" },
  ),
  OAUTH: variable(
    z.enum(["on", "off"]).optional(),
    "Whether people can let apps in over OAuth, which @letterslot/oauth does.",
    "on or off",
    { fallback: "on if that package is installed" },
  ),
  MCP: variable(
    z.enum(["on", "off"]).default("on"),
    "Whether language models reach the service at /mcp (Model Context Protocol), with a key or as an app.",
    "on or off",
  ),
  DB_POOL: variable(
    PoolSize.default(10),
    "Maximum number of PostgreSQL connections.",
    "a whole number from 1 to 1000",
  ),
  DB_STATEMENT_TIMEOUT_MS: variable(
    Milliseconds.default(15_000),
    "Timeout of a PostgreSQL statement, in milliseconds.",
    "milliseconds, from 1 to 3600000",
  ),
  DB_LOCK_TIMEOUT_MS: variable(
    Milliseconds.default(5_000),
    "How long a PostgreSQL statement waits for a lock, in milliseconds.",
    "milliseconds, from 1 to 3600000",
  ),
  LOG_LEVEL: variable(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "Minimum level of logged messages.",
    "trace, debug, info, warn, error, fatal or silent",
  ),
  POSTMASTER: variable(
    Address.optional(),
    "Who gets mail to postmaster@ and abuse@ of MAIL_DOMAIN: an inbox, or an address outside.",
    "an address such as ops@example.com",
    { fallback: "files in DATA_DIR/postmaster" },
  ),
  TRASH_DAYS: variable(
    Days.default(30),
    "Days after which deleted messages, threads and drafts leave the trash for good.",
    "a whole number from 1 to 3650",
  ),
  SCREENING_TIMEOUT_MS: variable(
    Milliseconds.default(1000),
    "Time limit for screening a mail, in milliseconds; after that only cheap signals count.",
    "milliseconds, from 1 to 3600000",
  ),
} satisfies Record<string, Variable>;

function variable<S extends z.ZodType>(
  schema: S,
  meaning: string,
  expects: string,
  { fallback = defaultOf(schema), secret = false }: { fallback?: string; secret?: boolean } = {},
) {
  return { schema, meaning, expects, fallback, secret };
}

/** A schema's default value as text. */
function defaultOf(schema: z.ZodType): string {
  return String(schema.parse(undefined)) || "none";
}
