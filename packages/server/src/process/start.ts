import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createWebhookHttp } from "@letterslot/adapter-http";
import {
  type Certificate,
  createCaptureTransport,
  createDirectTransport,
  createDns,
  createMailParser,
  createSenderAuth,
  createSmtpListener,
  createSmtpTransport,
  createZoneDns,
  dkimRecord,
  generateCertificate,
  readDirectUrl,
  verifySmtpServer,
} from "@letterslot/adapter-smtp";
import {
  createSqliteBlobs,
  createSqliteQueue,
  createSqliteSignals,
  createSqliteStorage,
} from "@letterslot/adapter-sqlite";
import {
  createSigningKeys,
  type Dns,
  LetterslotError,
  type Log,
  type Objects,
  type SigningKeys,
  type Storage,
  type Transport,
} from "@letterslot/core";
import { ACCOUNTS_USAGE, AccountsCommandError, runAccountsCommand } from "./accounts-command.ts";
import { type Config, ConfigError, readS3, type S3Config } from "./config.ts";
import { createContentWorker } from "./content-thread.ts";
import { type DataDir, DataDirUnusable } from "./data-dir.ts";
import { DataDirInUse } from "./data-lock.ts";
import { DoctorUsageError, runDoctor } from "./doctor/command.ts";
import { helpText } from "./help.ts";
import { readCertificate, readDkimKey, readEarlierDkimKey, readGeneratedKey } from "./key-files.ts";
import { MigrateStorageError, type StorageAddress } from "./migrate-storage/arguments.ts";
import { migrateStorage, type OpenedStore } from "./migrate-storage/command.ts";
import { optionalPackage, PackageMissing } from "./optional-package.ts";
import { type DatabaseFacts, type MailTaker, readEnvironment, run, withService } from "./run.ts";

/**
 * A database often starts together with the server, so opening it is retried, at this interval, for so long.
 */
const DATABASE_RETRY_MS = 1_000;
const DATABASE_TIMEOUT_MS = 30_000;

const COMMANDS = ["migrate-storage", "accounts", "doctor"];
const OPTIONS = ["--help", "-h", "--version"];

/**
 * Runs the command line of letterslot-server. Prints what prevents it to stderr and exits with status 1, or the
 * command's own. `manifest` is the package.json that has the version.
 */
export async function start(args: string[], manifest: URL): Promise<void> {
  try {
    process.exitCode = await runCommand(args, manifest);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(error instanceof AccountsCommandError ? error.status : 1);
  }
}

async function runCommand(args: string[], manifest: URL): Promise<number> {
  const [command = "", ...words] = args;
  if (command !== "" && !command.startsWith("-") && !COMMANDS.includes(command))
    throw new ConfigError([
      `There is no command ${JSON.stringify(command)}. Use migrate-storage, accounts, doctor, or none to run the server; see letterslot-server --help.`,
    ]);
  if (command === "migrate-storage") return runMigrateStorage(words);
  if (command === "accounts") return runAccounts(words);
  if (command === "doctor") return examineSetUp(words);
  const unknown = args.find((argument) => !OPTIONS.includes(argument));
  if (unknown !== undefined)
    throw new ConfigError([
      `There is no option ${JSON.stringify(unknown)}. The server is configured with environment variables; see letterslot-server --help.`,
    ]);
  if (args.includes("--help") || args.includes("-h")) process.stdout.write(helpText());
  else if (args.includes("--version")) process.stdout.write(`${versionIn(manifest)}\n`);
  else await runServer();
  return 0;
}

/** Runs the server that the environment configures; resolves when it has started. Throws if it can't. */
export const runServer = (): Promise<void> => run({ open, listenSmtp });

/** Where the operator's commands write. */
export interface CommandStreams {
  stdout: { isTTY?: boolean; write(text: string): unknown };
  stderr: { isTTY?: boolean; write(text: string): unknown };
}

/** Runs `migrate-storage` with the words after it. Resolves to the exit status. */
export const runMigrateStorage = (words: string[], streams: CommandStreams = process): Promise<number> =>
  migrateStorage(words, { openStore, output: streams.stdout, progress: streams.stderr });

/** Runs `accounts` with the words after it. Throws `AccountsCommandError`. */
export async function runAccounts(words: string[], streams: CommandStreams = process): Promise<number> {
  if (words.includes("--help") || words.includes("-h")) streams.stdout.write(ACCOUNTS_USAGE);
  else
    await withService({ open, listenSmtp }, (service) =>
      runAccountsCommand(words, service, streams.stdout, streams.stderr),
    );
  return 0;
}

/** Runs `doctor` with the words after it. Resolves to the exit status: 1 when something failed. */
export const examineSetUp = (words: string[], streams: CommandStreams = process): Promise<number> =>
  runDoctor(
    words,
    {
      open: (config, dataDir, log) => open(config, dataDir, log, 0),
      listenSmtp,
      verifyRelay: verifySmtpServer,
      createRelay: (url) => createSmtpTransport({ url }),
      directPort: (url) => readDirectUrl(url).port,
      // Of an unexpected error the words are enough: where it was thrown helps nobody to mend a set-up.
      describe: (error) =>
        explain(error)
          .replace(/\n +at .*$/s, "")
          .replace(/^Error: /, ""),
    },
    streams,
  );

function versionIn(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

/** Whether a command failed because there is no such account. */
export const isUnknownAccount = (error: unknown): boolean =>
  error instanceof AccountsCommandError && error.status !== 1;

export { settingsText } from "./help.ts";
export { limitYoungSpace } from "./young-space.ts";

/** An expected error as a line or two that say what to do; only unexpected ones keep their stack. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirInUse || error instanceof MigrateStorageError)
    return error.message;
  if (error instanceof DataDirUnusable) return error.message;
  if (error instanceof AccountsCommandError || error instanceof PackageMissing) return error.message;
  if (error instanceof DoctorUsageError) return error.message;
  if (isStorageUnavailable(error))
    return `The database cannot be used: ${error.cause instanceof Error ? error.cause.message : error.message}. Check DATABASE_URL.`;
  const { code, port, path } = error as { code?: string; port?: number; path?: string };
  if (code === "EADDRINUSE")
    return `Port ${port} is already in use. Stop the process that uses it, or set PORT or SMTP_PORT to another.`;
  if (code === "EACCES" || code === "EROFS")
    return `This user may not use ${path ?? `port ${port}`}. Set DATA_DIR, PORT or SMTP_PORT.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const isStorageUnavailable = (error: unknown): error is LetterslotError =>
  error instanceof LetterslotError && error.code === "storage_unavailable";

async function open(config: Config, dataDir: DataDir, log: Log, patience_ms = DATABASE_TIMEOUT_MS) {
  if (config.smtp_cert !== undefined && config.smtp_key !== undefined)
    readCertificate(config.smtp_cert, config.smtp_key);
  const own_key = config.dkim_key === undefined ? undefined : readDkimKey(config.dkim_key);
  const objects = await openObjects(config);
  const { exclusive, database, ...stores } =
    config.database_url === undefined
      ? openSqlite(dataDir)
      : await openPostgres(config, config.database_url, { objects, log, patience_ms });
  const redis = config.redis_url === undefined ? undefined : await openRedis(config.redis_url, log);
  const encryption_keys = await encryptionKeys(config, dataDir);
  const keys = signingKeys(config, dataDir, { storage: stores.storage, encryption_keys, own_key });
  const dns = createDns(config.dns_server === undefined ? {} : { server: config.dns_server });
  const captured_mail =
    config.smtp_url === undefined
      ? createCaptureTransport({ directory: dataDir.file("outbox"), dkim: keys.find })
      : undefined;
  const transport = captured_mail ?? sendingTransport(config, config.smtp_url ?? "", dns, keys);
  const parser = createMailParser();
  const attachmentReaders = await openAttachmentReaders(config);
  const dnsZones = await openDnsZones(config, dns);
  const createOAuth = await loadOAuth(config);
  const { telephony, phone_simulator } = await openTelephony(config);
  const ports = {
    ...stores,
    queue: redis?.queue ?? stores.queue,
    signals: redis?.signals ?? stores.signals,
    transport,
    senderAuth: createSenderAuth({ dns, workers: parser.workers }),
    parser,
    webhookHttp: createWebhookHttp({ allow: config.webhook_allow }),
    dns: config.dns_server === undefined ? createZoneDns({ system: dns }) : dns,
    ...attachmentReaders,
    ...(dnsZones === undefined ? {} : { dnsZones }),
    contentWorker: createContentWorker(),
    telephony,
    encryption_keys,
  };
  const close = async () => {
    const { queue, signals, webhookHttp } = ports;
    const closing = [
      queue,
      signals,
      stores.queue,
      stores.signals,
      transport,
      webhookHttp,
      telephony,
      attachmentReaders?.textExtraction,
      attachmentReaders?.pictureCodes,
      parser,
    ];
    await Promise.all(closing.map(async (port) => port?.close()));
    redis?.link.close();
    await stores.storage.close();
  };
  const degraded = () => (redis === undefined || redis.link.isUp() ? [] : ["redis"]);
  const dkim = async () => {
    const key = await keys.own();
    return { selector: key.selector, value: dkimRecord({ key, domain: config.mail_domain }).value };
  };
  return {
    ports,
    createOAuth,
    captured_mail,
    phone_simulator,
    dkim,
    exclusive,
    database,
    objects,
    degraded,
    close,
  };
}

/** The embedded default, for one process: SQLite in DATA_DIR. Exclusive, because `run` locks DATA_DIR. */
function openSqlite(dataDir: DataDir) {
  const exclusive = true;
  const storage = createSqliteStorage({ path: dataDir.file("letterslot.db"), exclusive });
  const blobs = createSqliteBlobs({ storage, folder: dataDir.file("blobs") });
  const database = async (): Promise<DatabaseFacts> => {
    const row = await storage.read((connection) => connection.row("select sqlite_version() as version"));
    return { version: `SQLite ${String(row?.["version"])}`, unsafe: null, now: null };
  };
  const [queue, signals] = [createSqliteQueue(), createSqliteSignals()];
  return { storage, blobs, queue, signals, exclusive, database };
}

const loadPostgres = () =>
  optionalPackage(
    "@letterslot/adapter-postgres",
    "DATABASE_URL",
    () => import("@letterslot/adapter-postgres"),
  );

/** PostgreSQL, for any number of processes. */
async function openPostgres(
  config: Config,
  connection_string: string,
  { objects, log, patience_ms }: { objects: Objects | undefined; log: Log; patience_ms: number },
) {
  const postgres = await loadPostgres();
  const {
    db_pool: pool_size,
    db_statement_timeout_ms: statement_timeout_ms,
    db_lock_timeout_ms: lock_timeout_ms,
  } = config;
  const options = { connection_string, pool_size, statement_timeout_ms, lock_timeout_ms };
  const storage = await retryWhileUnavailable(
    () => postgres.createPostgresStorage(options),
    log,
    patience_ms,
  );
  const [queue, signals] = [
    postgres.createPostgresQueue({ storage }),
    postgres.createPostgresSignals({ storage }),
  ];
  const blobs = postgres.createPostgresBlobs({ storage, ...(objects && { objects }) });
  const database = async (): Promise<DatabaseFacts> => {
    const { rows } = await storage.database.run({ sql: POSTGRES_FACTS, parameters: [] });
    const { version, now, ...settings } = rows[0] as Record<string, string>;
    const unsafe = Object.keys(settings).find((name) => settings[name] === "off") ?? null;
    return { version: `PostgreSQL ${version}`, unsafe, now: new Date(Number(now)) };
  };
  return { storage, blobs, queue, signals, exclusive: false, database };
}

const POSTGRES_FACTS = `select current_setting('server_version') as version, (extract(epoch from clock_timestamp()) * 1000)::text as now,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit`;

async function retryWhileUnavailable<T>(
  openStorage: () => Promise<T>,
  log: Log,
  patience_ms: number,
): Promise<T> {
  const deadline = performance.now() + patience_ms;
  for (;;) {
    try {
      return await openStorage();
    } catch (error) {
      if (!isStorageUnavailable(error) || performance.now() > deadline) throw error;
      log.warn({ error }, "the database does not answer; retrying");
    }
    await new Promise((resolve) => setTimeout(resolve, DATABASE_RETRY_MS));
  }
}

/** The bucket for large blobs, if one is configured. */
async function openObjects(config: S3Config): Promise<Objects | undefined> {
  const { s3_url: url, s3_access_key_id: access_key_id, s3_secret_access_key: secret_access_key } = config;
  if (url === undefined || access_key_id === undefined || secret_access_key === undefined) return undefined;
  const s3 = await optionalPackage(
    "@letterslot/adapter-s3",
    "S3_URL",
    () => import("@letterslot/adapter-s3"),
  );
  try {
    return s3.createS3Objects({ url, access_key_id, secret_access_key });
  } catch (error) {
    throw new ConfigError([`S3_URL is not valid. ${error instanceof Error ? error.message : String(error)}`]);
  }
}

async function openRedis(url: string, log: Log) {
  const redis = await optionalPackage(
    "@letterslot/adapter-redis-queue",
    "REDIS_URL",
    () => import("@letterslot/adapter-redis-queue"),
  );
  const link = redis.createRedisLink({ url, log });
  return { link, queue: redis.createRedisQueue(link), signals: redis.createRedisSignals(link) };
}

/** The readers of attachments, for their text and for the QR codes of pictures, as ATTACHMENT_TEXT says. */
async function openAttachmentReaders({ attachment_text }: Config) {
  const loaded = await whereInstalled(attachment_text, () =>
    optionalPackage(
      "@letterslot/text-extraction",
      "ATTACHMENT_TEXT",
      () => import("@letterslot/text-extraction"),
    ),
  );
  return (
    loaded && { textExtraction: loaded.createTextExtraction(), pictureCodes: loaded.createPictureCodes() }
  );
}

/** Zones that records are written to, as AUTOMATIC_DNS says. */
async function openDnsZones({ automatic_dns, automatic_dns_allow }: Config, dns: Dns) {
  const loaded = await whereInstalled(automatic_dns, () =>
    optionalPackage("@letterslot/adapter-dns", "AUTOMATIC_DNS", () => import("@letterslot/adapter-dns")),
  );
  return loaded?.createDnsZones({ allow: automatic_dns_allow, dns });
}

/** Telephony by Twilio if that is configured; otherwise one that stays on this machine. */
async function openTelephony(config: Config) {
  const { twilio_account_sid: account_sid, twilio_auth_token: auth_token, base_url = "" } = config;
  if (account_sid === undefined || auth_token === undefined) {
    const { createPhoneSimulator } = await import("@letterslot/core/testing");
    const phone_simulator = createPhoneSimulator({ automatic: true });
    return { telephony: phone_simulator, phone_simulator };
  }
  const { createTwilioTelephony } = await optionalPackage(
    "@letterslot/adapter-twilio",
    "TWILIO_ACCOUNT_SID",
    () => import("@letterslot/adapter-twilio"),
  );
  const callbacks_url = `${base_url}/api/v1/internal/telephony/twilio`;
  const options = { account_sid, auth_token, callbacks_url, api_url: config.twilio_api_url };
  const telephony = await optionalPackage("twilio", "TWILIO_ACCOUNT_SID", () =>
    createTwilioTelephony(options),
  );
  return { telephony, phone_simulator: undefined };
}

/** What makes the authorization server, as OAUTH says. */
async function loadOAuth({ oauth }: Config) {
  const loaded = await whereInstalled(oauth, () =>
    optionalPackage("@letterslot/oauth", "OAUTH", () => import("@letterslot/oauth")),
  );
  return loaded?.createOAuth;
}

/** A package that a setting turns on or off; unset, it is used where it is installed. */
async function whereInstalled<T>(
  setting: "on" | "off" | undefined,
  load: () => Promise<T>,
): Promise<T | undefined> {
  if (setting === "off") return undefined;
  try {
    return await load();
  } catch (error) {
    if (setting === undefined && error instanceof PackageMissing) return undefined;
    throw error;
  }
}

/** The keys that sign mail: MAIL_DOMAIN's is in storage, unless DKIM_KEY names one. */
function signingKeys(
  { mail_domain, dkim_selector: selector }: Config,
  dataDir: DataDir,
  given: { storage: Storage; encryption_keys: Uint8Array[]; own_key: string | undefined },
): SigningKeys {
  const { storage, encryption_keys, own_key } = given;
  // Versions before kept the key in this file.
  const path = dataDir.file("dkim.pem");
  const earlierKey = async () => (existsSync(path) ? readEarlierDkimKey(path) : undefined);
  const options = { storage, encryption_keys, mail_domain, selector, earlierKey };
  return createSigningKeys(own_key === undefined ? options : { ...options, own_key });
}

/** Sends as SMTP_URL says: through a mail server, or straight to the recipients' hosts. Throws `ConfigError`. */
function sendingTransport({ mail_domain }: Config, url: string, dns: Dns, { find }: SigningKeys): Transport {
  if (!url.startsWith("mx:")) return createSmtpTransport({ url, dkim: find });
  try {
    return createDirectTransport({ url, dns, dkim: find, mail_domain });
  } catch (error) {
    throw new ConfigError([
      `SMTP_URL is not valid. ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

/** The configured keys that encrypt stored secrets, or one generated for this DATA_DIR and kept in it. */
async function encryptionKeys(config: Config, dataDir: DataDir): Promise<Uint8Array[]> {
  if (config.encryption_key !== undefined) return config.encryption_key;
  const hex = await dataDir.secret("encryption.key", () => `${randomBytes(32).toString("hex")}\n`);
  return [readGeneratedKey(dataDir.file("encryption.key"), hex)];
}

async function listenSmtp(config: Config, port: number, dataDir: DataDir, takes: MailTaker, log: Log) {
  return createSmtpListener({
    host: config.smtp_host,
    port,
    name: config.mail_domain,
    tls: await certificate(config, dataDir),
    logger: log,
    ...takes,
  });
}

async function certificate(
  { smtp_cert, smtp_key, mail_domain }: Config,
  dataDir: DataDir,
): Promise<Certificate> {
  if (smtp_cert !== undefined && smtp_key !== undefined) return readCertificate(smtp_cert, smtp_key);
  const generate = async () =>
    JSON.stringify(await generateCertificate({ host: mail_domain, now: new Date() }));
  return JSON.parse(await dataDir.secret("smtp-certificate.json", generate)) as Certificate;
}

/** Opens a storage for `migrate-storage`. */
async function openStore(address: StorageAddress): Promise<OpenedStore> {
  if (address.kind === "postgres") {
    const postgres = await loadPostgres();
    const objects = await openObjects(readS3(readEnvironment()));
    const storage = await postgres.createPostgresStorage({ connection_string: address.url });
    const blobs = postgres.createPostgresBlobs({ storage, ...(objects && { objects }) });
    return { storage, blobs, close: storage.close };
  }
  const file = (name: string) => join(address.folder, name);
  const storage = createSqliteStorage({ path: file("letterslot.db") });
  return { storage, blobs: createSqliteBlobs({ storage, folder: file("blobs") }), close: storage.close };
}
