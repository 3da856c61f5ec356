import { hkdfSync, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
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
import { createSigningKeys, LetterslotError, type SigningKeys } from "@letterslot/core";
import type { Dns, Log, Objects, Storage, Transport } from "@letterslot/core/ports";
import { type Config, ConfigError, readS3, type S3Config } from "./config.ts";
import { createContentWorker } from "./content-thread.ts";
import type { DataDir } from "./data-dir.ts";
import { untilItAnswers } from "./database/until-it-answers.ts";
import { readCertificate, readDkimKey, readEarlierDkimKey, readGeneratedKey } from "./key-files.ts";
import type { StorageAddress } from "./migrate-storage/arguments.ts";
import type { OpenedStore } from "./migrate-storage/command.ts";
import { createOperatorFiles } from "./operator-files.ts";
import { optionalPackage, PackageMissing } from "./optional-package.ts";
import { type DatabaseFacts, type MailTaker, readEnvironment } from "./run.ts";

/** A database often starts together with the server, so opening it is retried for so long. */
const DATABASE_TIMEOUT_MS = 30_000;

/** Opens the adapters that the configuration names: the one place that knows which there are. */
export async function open(config: Config, dataDir: DataDir, log: Log, patience_ms = DATABASE_TIMEOUT_MS) {
  if (config.smtp_cert !== undefined && config.smtp_key !== undefined)
    readCertificate(config.smtp_cert, config.smtp_key);
  const own_key = config.dkim_key === undefined ? undefined : readDkimKey(config.dkim_key);
  const objects = await openObjects(config);
  const { exclusive, database, ...stores } =
    config.database_url === undefined
      ? openSqlite(dataDir)
      : await openPostgres(config, config.database_url, { objects, log, patience_ms });
  const redis = config.redis_url === undefined ? undefined : await openRedis(config.redis_url, log);
  const encryptionKeys = await readEncryptionKeys(config, dataDir);
  const keys = signingKeys(config, dataDir, { storage: stores.storage, encryptionKeys, own_key });
  const dns = createDns(config.dns_server === undefined ? {} : { server: config.dns_server });
  const captured_mail =
    config.smtp_url === undefined
      ? createCaptureTransport({ directory: dataDir.file("outbox"), dkim: keys.find })
      : undefined;
  const transport = captured_mail ?? sendingTransport(config, config.smtp_url ?? "", dns, keys);
  const parser = createMailParser();
  const attachmentReaders = await openAttachmentReaders(config);
  const contentScanner = await openContentScanner(config, encryptionKeys);
  const passkeys = await openPasskeys(config);
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
    ...(contentScanner === undefined ? {} : { contentScanner }),
    ...(passkeys === undefined ? {} : { passkeys }),
    ...(dnsZones === undefined ? {} : { dnsZones }),
    contentWorker: createContentWorker(),
    operatorMail: createOperatorFiles(dataDir.file("postmaster")),
    telephony,
    encryptionKeys,
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
      attachmentReaders?.reportReader,
      contentScanner,
      parser,
    ];
    await Promise.all(closing.map(async (port) => port?.close()));
    redis?.link.close();
    await stores.storage.close();
  };
  const degraded = () => (redis === undefined || redis.link.isUp() ? [] : ["redis"]);
  const takes_mail = ["all", "smtp"].includes(config.role) && config.smtp_port !== "off";
  const checking = takes_mail ? parser.workers.start() : undefined;
  const warmUp = async () => {
    await parser.warmUp();
    if (["all", "worker"].includes(config.role)) await ports.webhookHttp.warmUp();
    await checking;
  };
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
    warmUp,
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
  connectionString: string,
  { objects, log, patience_ms }: { objects: Objects | undefined; log: Log; patience_ms: number },
) {
  const postgres = await loadPostgres();
  const options = {
    connectionString,
    poolSize: config.db_pool,
    statementTimeoutMs: config.db_statement_timeout_ms,
    lockTimeoutMs: config.db_lock_timeout_ms,
  };
  const storage = await untilItAnswers(() => postgres.createPostgresStorage(options), {
    isAway: isStorageUnavailable,
    log,
    patience_ms,
  });
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
    return s3.createS3Objects({ url, accessKeyId: access_key_id, secretAccessKey: secret_access_key });
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
    loaded && {
      textExtraction: loaded.createTextExtraction(),
      pictureCodes: loaded.createPictureCodes(),
      reportReader: loaded.createReportReader(),
    }
  );
}

/** Opens the scanner for secrets and personal data in mail that is to leave, as CONTENT_SCAN says. */
async function openContentScanner({ content_scan }: Config, encryptionKeys: readonly Uint8Array[]) {
  const loaded = await whereInstalled(content_scan, () =>
    optionalPackage("@letterslot/content-scan", "CONTENT_SCAN", () => import("@letterslot/content-scan")),
  );
  const [key = new Uint8Array()] = encryptionKeys;
  const fingerprintKey = new Uint8Array(hkdfSync("sha256", key, "", FINGERPRINT_KEY, FINGERPRINT_KEY_BYTES));
  return loaded?.createContentScanner({ fingerprintKey });
}

/** The name under which the key of fingerprints is derived from that of the stored secrets. */
const FINGERPRINT_KEY = "letterslot content fingerprints";
const FINGERPRINT_KEY_BYTES = 32;

/** Zones that records are written to, as AUTOMATIC_DNS says. */
async function openDnsZones({ automatic_dns, automatic_dns_allow }: Config, dns: Dns) {
  const loaded = await whereInstalled(automatic_dns, () =>
    optionalPackage("@letterslot/adapter-dns", "AUTOMATIC_DNS", () => import("@letterslot/adapter-dns")),
  );
  return loaded?.createDnsZones({ allow: automatic_dns_allow, dns });
}

/** Telephony by Twilio if that is configured; otherwise one that stays on this machine. */
async function openTelephony(config: Config) {
  const { twilio_account_sid: accountSid, twilio_auth_token: authToken, base_url = "" } = config;
  if (accountSid === undefined || authToken === undefined) {
    const { createPhoneSimulator } = await import("@letterslot/core/testing");
    const phone_simulator = createPhoneSimulator({ automatic: true });
    return { telephony: phone_simulator, phone_simulator };
  }
  const { createTwilioTelephony } = await optionalPackage(
    "@letterslot/adapter-twilio",
    "TWILIO_ACCOUNT_SID",
    () => import("@letterslot/adapter-twilio"),
  );
  const callbacksUrl = `${base_url}/api/v1/internal/telephony/twilio`;
  const options = { accountSid, authToken, callbacksUrl, apiUrl: config.twilio_api_url };
  const telephony = await optionalPackage("twilio", "TWILIO_ACCOUNT_SID", () =>
    createTwilioTelephony(options),
  );
  return { telephony, phone_simulator: undefined };
}

/** Opens the verifier of passkeys, as PASSKEYS says. */
async function openPasskeys({ passkeys }: Config) {
  const loaded = await whereInstalled(passkeys, () =>
    optionalPackage("@letterslot/passkeys", "PASSKEYS", () => import("@letterslot/passkeys")),
  );
  return loaded?.createPasskeys();
}

/** Loads the package that makes the authorization server, if OAUTH is set. */
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
  given: { storage: Storage; encryptionKeys: Uint8Array[]; own_key: string | undefined },
): SigningKeys {
  const { storage, encryptionKeys, own_key } = given;
  // Versions before kept the key in this file.
  const path = dataDir.file("dkim.pem");
  const earlierKey = async () => (existsSync(path) ? readEarlierDkimKey(path) : undefined);
  const options = { storage, encryptionKeys, mailDomain: mail_domain, selector, earlierKey };
  return createSigningKeys(own_key === undefined ? options : { ...options, ownKey: own_key });
}

/** Sends as SMTP_URL says: through a mail server, or straight to the recipients' hosts. Throws `ConfigError`. */
function sendingTransport({ mail_domain }: Config, url: string, dns: Dns, { find }: SigningKeys): Transport {
  if (!url.startsWith("mx:")) return createSmtpTransport({ url, dkim: find });
  try {
    return createDirectTransport({ url, dns, dkim: find, mailDomain: mail_domain });
  } catch (error) {
    throw new ConfigError([
      `SMTP_URL is not valid. ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

/** The configured keys that encrypt stored secrets, or one generated for this DATA_DIR and kept in it. */
async function readEncryptionKeys(config: Config, dataDir: DataDir): Promise<Uint8Array[]> {
  if (config.encryption_key !== undefined) return config.encryption_key;
  const hex = await dataDir.secret("encryption.key", () => `${randomBytes(32).toString("hex")}\n`);
  return [readGeneratedKey(dataDir.file("encryption.key"), hex)];
}

/** Listens for mail. */
export async function listenSmtp(config: Config, port: number, dataDir: DataDir, takes: MailTaker, log: Log) {
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

/** The doctor's checks of the server that mail is sent through. */
export const RELAY = {
  verifyRelay: verifySmtpServer,
  createRelay: (url: string) => createSmtpTransport({ url }),
  directPort: (url: string) => readDirectUrl(url).port,
};

/** Opens a storage for `migrate-storage`. */
export async function openStore(address: StorageAddress): Promise<OpenedStore> {
  if (address.kind === "postgres") {
    const postgres = await loadPostgres();
    const objects = await openObjects(readS3(readEnvironment()));
    const storage = await postgres.createPostgresStorage({ connectionString: address.url });
    const blobs = postgres.createPostgresBlobs({ storage, ...(objects && { objects }) });
    return { storage, blobs, close: storage.close };
  }
  const file = (name: string) => join(address.folder, name);
  const storage = createSqliteStorage({ path: file("letterslot.db") });
  return { storage, blobs: createSqliteBlobs({ storage, folder: file("blobs") }), close: storage.close };
}

/** Whether a database could not be used. */
export const isStorageUnavailable = (error: unknown): error is LetterslotError =>
  error instanceof LetterslotError && error.code === "storage_unavailable";
