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

interface Variable {
  schema: z.ZodType;
  /** What it is when nothing is said, for people. */
  fallback: string;
  meaning: string;
  /** What to write, said when a value is wrong. */
  expects: string;
  /** Its value is never printed. */
  secret?: true;
}

/** Every variable of the environment that the server reads (decisions, section 13). */
export const variables = {
  HOST: v(
    z.string().min(1).default("127.0.0.1"),
    "127.0.0.1",
    "The address to listen on for HTTP.",
    "an IP address or host name",
  ),
  PORT: v(Port.default(8025), "8025", "The port to listen on for HTTP.", "a whole number from 0 to 65535"),
  BASE_URL: v(
    HttpUrl.optional(),
    "http://localhost:$PORT",
    "What links and docs_url begin with.",
    "an address such as https://mail.example.com",
  ),
  MAIL_DOMAIN: v(
    Domain.default("letterslot.localhost"),
    "letterslot.localhost",
    "The domain of inbox addresses.",
    "a domain such as agents.example.com",
  ),
  DATA_DIR: v(
    z.string().min(1).default("./data"),
    "./data",
    "Database, generated secrets and captured mail.",
    "a folder that this user may write",
  ),
  DATABASE_URL: v(
    PostgresUrl.optional(),
    "SQLite in DATA_DIR",
    "PostgreSQL instead of SQLite; then any number of processes can work together.",
    "postgres://user:password@host:5432/name",
    true,
  ),
  REDIS_URL: v(
    RedisUrl.optional(),
    "the database's",
    "Redis for queue and signals.",
    "redis://user:password@host:6379/0, or rediss://… for TLS",
    true,
  ),
  ROLE: v(
    z.enum(["all", "api", "worker", "smtp"]).default("all"),
    "all",
    "What this process does.",
    "all, api, worker or smtp",
  ),
  SMTP_HOST: v(
    z.string().min(1).default("127.0.0.1"),
    "127.0.0.1",
    "The address to listen on for mail.",
    "an IP address or host name",
  ),
  SMTP_PORT: v(
    z.union([z.literal("off"), Port]).default(2525),
    "2525",
    "The port to listen on for mail, or off.",
    "a whole number from 0 to 65535, or off",
  ),
  SMTP_URL: v(
    SmtpUrl.optional(),
    "mail is captured in outbox/",
    "Where outgoing mail is handed in.",
    "smtp://user:password@host:587 or smtps://…",
    true,
  ),
  SMTP_CERT: v(
    z.string().optional(),
    "generated in DATA_DIR",
    "PEM file of the STARTTLS certificate.",
    "the path of a PEM file, with SMTP_KEY",
  ),
  SMTP_KEY: v(
    z.string().optional(),
    "generated in DATA_DIR",
    "PEM file of the STARTTLS key.",
    "the path of a PEM file, with SMTP_CERT",
  ),
  DKIM_KEY: v(
    z.string().optional(),
    "generated in DATA_DIR",
    "PEM file of the key that signs mail from MAIL_DOMAIN.",
    "the path of a PEM file",
  ),
  DKIM_SELECTOR: v(
    Domain.default("letterslot"),
    "letterslot",
    "The DNS name of that key.",
    "a DNS label such as letterslot",
  ),
  INBOUND_SECRET: v(
    Secret.optional(),
    "the path answers 404",
    "Opens POST /api/v1/internal/inbound.",
    "16 to 512 characters that can't be guessed",
    true,
  ),
  CRON_SECRET: v(
    Secret.optional(),
    "the path answers 404",
    "Opens the operator's digest flush.",
    "16 to 512 characters that can't be guessed",
    true,
  ),
  ENCRYPTION_KEY: v(
    EncryptionKeys.optional(),
    "generated in DATA_DIR",
    "Seals secrets at rest; a list rotates, the first one seals.",
    "32 bytes in hex or base 64, several with commas between (try: openssl rand -hex 32)",
    true,
  ),
  ONBOARDING: v(
    z.enum(["open", "claimed", "closed"]).default("open"),
    "open",
    "Who may sign up.",
    "open, claimed or closed",
  ),
  WEBHOOK_ALLOW: v(
    Networks.default([]),
    "none",
    "Private networks that webhooks may reach.",
    "networks such as 127.0.0.0/8, with commas between",
  ),
  WEBHOOK_RETRIES: v(
    WebhookRetries.default("interface"),
    "interface",
    "How deliveries are retried.",
    "interface, durable, or seconds such as 5,30,300",
  ),
  DNS_SERVER: v(
    HostPort.optional(),
    "the system's",
    "Who is asked for SPF, DKIM and DMARC records.",
    "an address such as 1.1.1.1 or 127.0.0.1:5353",
  ),
  TRUSTED_PROXIES: v(
    Networks.default([]),
    "none",
    "Networks whose X-Forwarded-For is believed.",
    "networks such as 10.0.0.0/8, with commas between",
  ),
  TRUSTED_SEALERS: v(
    Domains.default([]),
    "none",
    "Domains whose ARC seal is believed when they pass mail on.",
    "domains such as lists.example.net, with commas between",
  ),
  PLANS: v(
    z.string().optional(),
    "no limit",
    "A JSON file with the plans' quotas.",
    "nothing: this build has no plans",
  ),
  DB_POOL: v(
    PoolSize.default(10),
    "10",
    "Connections to PostgreSQL at most.",
    "a whole number from 1 to 1000",
  ),
  DB_STATEMENT_TIMEOUT_MS: v(
    Milliseconds.default(15_000),
    "15000",
    "PostgreSQL ends a statement that takes longer.",
    "milliseconds, from 1 to 3600000",
  ),
  DB_LOCK_TIMEOUT_MS: v(
    Milliseconds.default(5_000),
    "5000",
    "PostgreSQL ends a statement that waits longer for a lock.",
    "milliseconds, from 1 to 3600000",
  ),
  LOG_LEVEL: v(
    z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    "info",
    "How much is logged.",
    "trace, debug, info, warn, error, fatal or silent",
  ),
  SCREENING_TIMEOUT_MS: v(
    Milliseconds.default(1000),
    "1000",
    "Then a mail is judged by the cheap signals alone.",
    "milliseconds, from 1 to 3600000",
  ),
} satisfies Record<string, Variable>;

type Values = { [N in keyof typeof variables]: z.output<(typeof variables)[N]["schema"]> };

/** The server's configuration: the variables under their own names in lower case. */
export type Config = { [N in keyof Values as Lowercase<N>]: Values[N] };

/** A configuration that can't be: each line names a variable and says what to do. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
  }
}

const notYet = ["PLANS"] as const;

/** Reads the configuration. An empty variable counts as not set. Throws `ConfigError`. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(variables).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const shape = Object.fromEntries(
    Object.entries<Variable>(variables).map(([name, { schema }]) => [name, schema]),
  );
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success)
    throw new ConfigError([
      ...new Set(parsed.error.issues.map(({ path: [name] }) => complaint(String(name), given[String(name)]))),
    ]);
  const values = parsed.data as Values;
  const unserved = notYet.filter((name) => values[name] !== undefined);
  if (unserved.length > 0)
    throw new ConfigError(
      unserved.map((name) => `${name} is set, but this build can't use it yet. Leave it out.`),
    );
  if ((values.SMTP_CERT === undefined) !== (values.SMTP_KEY === undefined)) {
    throw new ConfigError([
      "SMTP_CERT and SMTP_KEY go together. Set both, or neither for a generated certificate.",
    ]);
  }
  const missing = neededByAllProcesses(values);
  if (missing.length > 0) throw new ConfigError(missing);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]),
  ) as unknown as Config;
}

/** What a process alone can make up or guess, and several have to be told: else each would have its own. */
function neededByAllProcesses({
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
        `${name} has to be given, the same to every process on DATABASE_URL. Set it to ${variables[name].expects}.`,
    );
}

function complaint(name: string, value: string | undefined): string {
  const { secret, expects }: Variable = variables[name as keyof typeof variables];
  return `${name}${secret || value === undefined ? "" : ` is ${JSON.stringify(value)}, which`} can't be used. Set it to ${expects}.`;
}

function v<S extends z.ZodType>(
  schema: S,
  fallback: string,
  meaning: string,
  expects: string,
  secret?: true,
) {
  return { schema, fallback, meaning, expects, ...(secret === undefined ? {} : { secret }) };
}
