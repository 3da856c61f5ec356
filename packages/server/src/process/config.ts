import { z } from "zod";
import {
  Domain,
  Domains,
  EncryptionKeys,
  HostPort,
  HttpUrl,
  Milliseconds,
  Networks,
  PoolSize,
  Port,
  PostgresUrl,
  RedisUrl,
  Secret,
  SmtpUrl,
  WebhookRetries,
} from "./config-fields.ts";

/** An environment variable. */
interface Variable {
  schema: z.ZodType;
  /** Its default, as text for people. */
  fallback: string;
  meaning: string;
  /** The allowed values, for error messages. */
  expects: string;
  /** Its value is never printed. */
  secret?: true;
}

/** Every environment variable that the server reads (decisions, section 13). */
export const VARIABLES = {
  HOST: variable(
    z.string().min(1).default("127.0.0.1"),
    "127.0.0.1",
    "Address to listen on for HTTP.",
    "an IP address or host name",
  ),
  PORT: variable(Port.default(8025), "8025", "Port to listen on for HTTP.", "a whole number from 0 to 65535"),
  BASE_URL: variable(
    HttpUrl.optional(),
    "http://localhost:$PORT",
    "Public URL, used in links and docs_url.",
    "a URL such as https://mail.example.com",
  ),
  MAIL_DOMAIN: variable(
    Domain.default("letterslot.localhost"),
    "letterslot.localhost",
    "Domain of inbox addresses.",
    "a domain such as agents.example.com",
  ),
  DATA_DIR: variable(
    z.string().min(1).default("./data"),
    "./data",
    "Folder for the database, generated secrets and captured mail.",
    "a folder that this user can write to",
  ),
  DATABASE_URL: variable(
    PostgresUrl.optional(),
    "SQLite in DATA_DIR",
    "PostgreSQL instead of SQLite; allows any number of processes.",
    "postgres://user:password@host:5432/name",
    true,
  ),
  REDIS_URL: variable(
    RedisUrl.optional(),
    "the database is used",
    "Redis, for the queue and signals.",
    "redis://user:password@host:6379/0, or rediss://… for TLS",
    true,
  ),
  ROLE: variable(
    z.enum(["all", "api", "worker", "smtp"]).default("all"),
    "all",
    "The part of the work that this process does.",
    "all, api, worker or smtp",
  ),
  SMTP_HOST: variable(
    z.string().min(1).default("127.0.0.1"),
    "127.0.0.1",
    "Address to listen on for incoming mail.",
    "an IP address or host name",
  ),
  SMTP_PORT: variable(
    z.union([z.literal("off"), Port]).default(2525),
    "2525",
    "Port to listen on for incoming mail, or off.",
    "a whole number from 0 to 65535, or off",
  ),
  SMTP_URL: variable(
    SmtpUrl.optional(),
    "mail is captured in DATA_DIR/outbox",
    "SMTP server that outgoing mail is sent through.",
    "smtp://user:password@host:587 or smtps://…",
    true,
  ),
  SMTP_CERT: variable(
    z.string().optional(),
    "generated in DATA_DIR",
    "PEM file with the STARTTLS certificate.",
    "the path of a PEM file, with SMTP_KEY",
  ),
  SMTP_KEY: variable(
    z.string().optional(),
    "generated in DATA_DIR",
    "PEM file with the STARTTLS key.",
    "the path of a PEM file, with SMTP_CERT",
  ),
  DKIM_KEY: variable(
    z.string().optional(),
    "generated in DATA_DIR",
    "PEM file with the DKIM key that signs mail from MAIL_DOMAIN.",
    "the path of a PEM file",
  ),
  DKIM_SELECTOR: variable(
    Domain.default("letterslot"),
    "letterslot",
    "DKIM selector: the DNS name of that key.",
    "a DNS label such as letterslot",
  ),
  INBOUND_SECRET: variable(
    Secret.optional(),
    "disabled",
    "Enables and authorizes POST /api/v1/internal/inbound.",
    "16 to 512 characters that are hard to guess",
    true,
  ),
  CRON_SECRET: variable(
    Secret.optional(),
    "disabled",
    "Enables and authorizes /api/v1/internal/digests/flush.",
    "16 to 512 characters that are hard to guess",
    true,
  ),
  ENCRYPTION_KEY: variable(
    EncryptionKeys.optional(),
    "generated in DATA_DIR",
    "Encrypts stored secrets. To rotate, list several: the first encrypts, all decrypt.",
    "32 bytes in hex or base64, or several separated by commas (try: openssl rand -hex 32)",
    true,
  ),
  ONBOARDING: variable(
    z.enum(["open", "claimed", "closed"]).default("open"),
    "open",
    "Who can sign up.",
    "open, claimed or closed",
  ),
  WEBHOOK_ALLOW: variable(
    Networks.default([]),
    "none",
    "Private networks that webhooks can be sent to.",
    "networks such as 127.0.0.0/8, separated by commas",
  ),
  WEBHOOK_RETRIES: variable(
    WebhookRetries.default("interface"),
    "interface",
    "How webhook deliveries are retried.",
    "interface, durable, or delays in seconds such as 5,30,300",
  ),
  DNS_SERVER: variable(
    HostPort.optional(),
    "the system's",
    "DNS server for SPF, DKIM and DMARC records.",
    "an address such as 1.1.1.1 or 127.0.0.1:5353",
  ),
  TRUSTED_PROXIES: variable(
    Networks.default([]),
    "none",
    "Proxies whose X-Forwarded-For is trusted.",
    "networks such as 10.0.0.0/8, separated by commas",
  ),
  TRUSTED_SEALERS: variable(
    Domains.default([]),
    "none",
    "Domains whose ARC seal is trusted when they forward mail.",
    "domains such as lists.example.net, separated by commas",
  ),
  PLANS: variable(
    z.string().optional(),
    "no limits",
    "JSON file with the quotas of plans; not supported yet.",
    "nothing: this version has no plans",
  ),
  DB_POOL: variable(
    PoolSize.default(10),
    "10",
    "Maximum number of PostgreSQL connections.",
    "a whole number from 1 to 1000",
  ),
  DB_STATEMENT_TIMEOUT_MS: variable(
    Milliseconds.default(15_000),
    "15000",
    "Timeout of a PostgreSQL statement, in milliseconds.",
    "milliseconds, from 1 to 3600000",
  ),
  DB_LOCK_TIMEOUT_MS: variable(
    Milliseconds.default(5_000),
    "5000",
    "How long a PostgreSQL statement waits for a lock, in milliseconds.",
    "milliseconds, from 1 to 3600000",
  ),
  LOG_LEVEL: variable(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "info",
    "Minimum level of logged messages.",
    "trace, debug, info, warn, error, fatal or silent",
  ),
  SCREENING_TIMEOUT_MS: variable(
    Milliseconds.default(1000),
    "1000",
    "Time limit for screening a mail, in milliseconds; after that only cheap signals count.",
    "milliseconds, from 1 to 3600000",
  ),
} satisfies Record<string, Variable>;

type Values = { [N in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[N]["schema"]> };

/** The server's configuration: the variables by their lower-case names. */
export type Config = { [N in keyof Values as Lowercase<N>]: Values[N] };

/** An invalid configuration: each line of the message names a variable and says what to do. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
  }
}

const UNSUPPORTED = ["PLANS"] as const;

/** Reads the configuration. Empty variables count as unset. Throws `ConfigError`. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(VARIABLES).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const shape = Object.fromEntries(
    Object.entries<Variable>(VARIABLES).map(([name, { schema }]) => [name, schema]),
  );
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success)
    throw new ConfigError([
      ...new Set(parsed.error.issues.map(({ path: [name] }) => problemOf(String(name), given[String(name)]))),
    ]);
  const values = parsed.data as Values;
  const unsupported = UNSUPPORTED.filter((name) => values[name] !== undefined);
  if (unsupported.length > 0)
    throw new ConfigError(
      unsupported.map((name) => `${name} is set, but this version does not support it yet. Leave it out.`),
    );
  if ((values.SMTP_CERT === undefined) !== (values.SMTP_KEY === undefined)) {
    throw new ConfigError([
      "SMTP_CERT and SMTP_KEY belong together. Set both, or neither to generate a certificate.",
    ]);
  }
  const missingShared = missingSharedVariables(values);
  if (missingShared.length > 0) throw new ConfigError(missingShared);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]),
  ) as unknown as Config;
}

/** A single process can generate or guess these values; several processes must be given the same ones. */
function missingSharedVariables({
  DATABASE_URL,
  ENCRYPTION_KEY,
  SMTP_URL,
  DKIM_KEY,
  ROLE,
  BASE_URL,
}: Values): string[] {
  if (DATABASE_URL === undefined) return [];
  const missing = {
    ENCRYPTION_KEY: ENCRYPTION_KEY === undefined,
    DKIM_KEY: SMTP_URL !== undefined && DKIM_KEY === undefined,
    BASE_URL: ROLE !== "all" && BASE_URL === undefined,
  };
  return (Object.keys(missing) as (keyof typeof missing)[])
    .filter((name) => missing[name])
    .map(
      (name) =>
        `${name} must be set, to the same value in every process that uses DATABASE_URL. Set it to ${VARIABLES[name].expects}.`,
    );
}

function problemOf(name: string, value: string | undefined): string {
  const { secret, expects }: Variable = VARIABLES[name as keyof typeof VARIABLES];
  return `${name}${secret || value === undefined ? "" : ` is ${JSON.stringify(value)}, which`} is not valid. Set it to ${expects}.`;
}

function variable<S extends z.ZodType>(
  schema: S,
  fallback: string,
  meaning: string,
  expects: string,
  secret?: true,
) {
  return { schema, fallback, meaning, expects, ...(secret === undefined ? {} : { secret }) };
}
