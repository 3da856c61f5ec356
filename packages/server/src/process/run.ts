import { existsSync } from "node:fs";
import { createConsole } from "@letterslot/console";
import {
  createLetterslot,
  DURABLE_RETRIES,
  INTERFACE_RETRIES,
  type Letterslot,
  type LetterslotConfig,
  type Options,
  type ReceivedMail,
  type ReceiveReport,
  startSweeping,
} from "@letterslot/core";
import {
  acceptsRecipient,
  inboxesOfPersons,
  type OAuth,
  takeServiceAddresses,
} from "@letterslot/core/internal";
import type { Log, Objects } from "@letterslot/core/ports";
import type { PhoneSimulator } from "@letterslot/core/testing";
import { Hono } from "hono";
import { createApp } from "../http/app.ts";
import { mountHealth } from "../http/health.ts";
import { listenHttp } from "../http/listen.ts";
import { createMetrics } from "../http/metrics.ts";
import type { CapturedMail } from "../internal/outbox.ts";
import type { ServerEnv } from "../request/context.ts";
import { announce, isLocal, warn } from "./announce.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { type DataDir, openDataDir } from "./data-dir.ts";
import { doubtOfDisk, tryDisk } from "./data-disk.ts";
import { lockDataDir } from "./data-lock.ts";
import { createLog } from "./log.ts";
import { returnMemory } from "./memory.ts";
import { runOperatorCommand } from "./operator/commands.ts";
import { listenForOperator } from "./operator/socket.ts";
import { createOwnDomain, logOwnDomain, type PublishedKey } from "./own-domain.ts";
import { readPlans } from "./plans-file.ts";
import { believedReporters } from "./relay-reporters.ts";
import { stopOnSignal } from "./stop.ts";
import { VARIABLES } from "./variables.ts";

/** Opens the adapters that the configuration selects. */
export interface Adapters {
  open(config: Config, dataDir: DataDir, log: Log): Promise<Opened>;
  listenSmtp(config: Config, port: number, dataDir: DataDir, takes: MailTaker, log: Log): Promise<SmtpServer>;
}

/** The adapters of a service. */
export interface Opened {
  ports: Omit<LetterslotConfig, keyof Options | "log">;
  /** Makes the authorization server; undefined: people can't let apps in. */
  createOAuth: ((letterslot: Letterslot) => OAuth) | undefined;
  captured_mail: CapturedMail | undefined;
  /** The telephony among `ports`, where it is a simulator. */
  phone_simulator: PhoneSimulator | undefined;
  /** The key of MAIL_DOMAIN as its DKIM record publishes it. */
  dkim(): Promise<PublishedKey>;
  /** No other process uses this storage, so leases found at the start belong to a dead process. */
  exclusive: boolean;
  /** Returns the database's facts about itself. */
  database(): Promise<DatabaseFacts>;
  /** The store for large blobs; undefined: they are kept with the others. */
  objects: Objects | undefined;
  /** Names dependencies that are down although the server still works, such as `redis`. */
  degraded(): readonly string[];
  /** Does once what the first mail and the first webhook would wait for, and brings nothing about. */
  warmUp(): Promise<void>;
  /** Finishes work in progress. */
  close(): Promise<void>;
}

/** A database's facts about itself. */
export interface DatabaseFacts {
  /** Product and version, such as `PostgreSQL 18.1`. */
  version: string;
  /** The setting by which it answers before a commit is on the disk; null when there is none. */
  unsafe: string | null;
  /** Its clock; null where that is this machine's. */
  now: Date | null;
}

/** The receiver of a listener's mail. */
export interface MailTaker {
  /** Called at RCPT: does this address exist, and is its mail taken now or only later? */
  accept(recipient: string): Promise<"ok" | "unknown" | "expired" | "deferred">;
  /** Resolves when the mail is on disk. */
  receive(mail: Omit<ReceivedMail, "origin">): Promise<ReceiveReport>;
}

/** A listener for mail. */
export interface SmtpServer {
  host: string;
  port: number;
  close(): Promise<void>;
}

/** Returns the environment, including a `.env` file in the working directory. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/** Shutdown deadlines, for requests and for everything: process managers often kill after 30 seconds. */
const REQUESTS_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 25_000;

/** Whoever waits for the server to be ready is answered first. */
const WARM_UP_AFTER_MS = 50;

/** Runs the server configured by the environment until a signal stops it. Throws if it cannot start. */
export async function run(adapters: Adapters): Promise<void> {
  const config = readConfig(readEnvironment());
  const log = createLog(config.log_level);
  const server = await startServer(adapters, config, log);
  const { base_url } = server;
  stopOnSignal(log, server.close, STOP_TIMEOUT_MS);
  warn(config, base_url, log);
  const doubt = config.database_url === undefined ? doubtOfDisk(config.data_dir) : undefined;
  if (doubt !== undefined) log.warn({}, `${doubt.says} ${doubt.fix}`);
  announce({ config, ...server }, log);
  // It holds the event loop for a moment: what was announced goes out before.
  setTimeout(() => {
    server.warmUp().catch((error: unknown) => log.error({ error }, "warming up failed"));
  }, WARM_UP_AFTER_MS).unref();
  // Without SMTP_URL mail doesn't leave, so its records don't matter.
  if (config.smtp_url !== undefined && (config.role === "all" || config.role === "worker"))
    await logOwnDomain(server.ownDomain, log);
}

/** Takes the folder for this process, if its file system can hold the data. */
function lockForSqlite(dataDir: DataDir): () => void {
  tryDisk(dataDir);
  return lockDataDir(dataDir);
}

/** Starts the server that `config` describes. Says nothing of it, and heeds no signal. Throws if it cannot start. */
export async function startServer(adapters: Adapters, config: Config, log: Log) {
  const plans = readPlans(config.plans);
  const dataDir = openDataDir(config.data_dir);
  // With PostgreSQL, processes on one machine may share the folder: each of its files is written only once.
  const unlock = config.database_url === undefined ? lockForSqlite(dataDir) : () => undefined;

  const hasRole = (role: Config["role"]) => config.role === "all" || config.role === role;
  const { trusted_proxies } = config;
  const http = await onHost("HOST", config.host, () =>
    listenHttp(config.host, config.port, { log, trusted_proxies }),
  );
  const base_url = config.base_url ?? `http://localhost:${http.port}`;
  const opened = await adapters.open(config, dataDir, log);
  const { ports, createOAuth, captured_mail, phone_simulator, exclusive, degraded } = opened;
  const service = createLetterslot({ ...ports, log, ...optionsOf(config, base_url, plans) });
  await checkServiceAddresses(service);
  for (const { address, inbox_id } of await inboxesOfPersons(service.services))
    log.warn(
      { inbox_id },
      `${inbox_id} has the address ${address}, which is a person's too: ${WHOSE_ADDRESS}`,
    );
  await checkEncryptionKey(service);
  // Made at the first start, so that whoever wants to verify receipts later can note it from the beginning.
  await service.operator.approvalKeys.list();
  if (exclusive) await service.releaseLeasesOfDeadProcess();
  const metrics = createMetrics();
  const letterslot = {
    ...service,
    receive: metrics.countInbound(service.receive),
    receiveCallback: metrics.countCallbacks(service.receiveCallback),
    refusals: { ...service.refusals, note: metrics.countDropped(service.refusals.note) },
  };
  phone_simulator?.connect(letterslot);
  const outbox = isLocal(base_url) ? captured_mail : undefined;
  const ownDomain = createOwnDomain(letterslot, opened.dkim);

  returnMemory();
  const stopping = new AbortController();
  const { inbound_secret, cron_secret, cors_origins, metrics_token } = config;
  const common = {
    letterslot,
    log,
    metrics,
    metricsToken: metrics_token,
    degraded,
    ownDomain,
    stopping: stopping.signal,
  };
  if (hasRole("api")) {
    http.serve(
      createApp({
        ...common,
        oauth: createOAuth?.(letterslot),
        inboundSecret: inbound_secret,
        cronSecret: cron_secret,
        reportsSecret: config.reports_secret,
        trustedProxies: trusted_proxies,
        corsOrigins: cors_origins,
        mcp: config.mcp === "on",
        console: createConsole({
          outbox: outbox !== undefined,
          phone: isLocal(base_url) && phone_simulator !== undefined,
          passkeys: ports.passkeys !== undefined,
        }),
        capturedMail: outbox,
        phoneSimulator: isLocal(base_url) ? phone_simulator : undefined,
        settings: Object.entries(VARIABLES).map(([name, variable]) => ({ name, ...variable })),
      }),
    );
  } else {
    // The other roles serve only health and metrics.
    const app = new Hono<ServerEnv>();
    mountHealth(app, common);
    metrics.mount(app, { token: metrics_token });
    http.serve(app);
  }
  const stopWorker = hasRole("worker") ? letterslot.work(metrics.countJob) : undefined;
  const stopSweeping = hasRole("worker") ? startSweeping(letterslot) : undefined;
  const acceptsMail = hasRole("smtp") && config.smtp_port !== "off";
  const smtp = acceptsMail
    ? await onHost("SMTP_HOST", config.smtp_host, () =>
        adapters.listenSmtp(config, Number(config.smtp_port), dataDir, mailTakerOf(letterslot), log),
      )
    : undefined;

  // With PostgreSQL a command has connections of its own.
  const operator =
    config.database_url === undefined
      ? await listenForOperator(
          dataDir,
          (command, streams) => runOperatorCommand(command, service, streams),
          log,
        )
      : undefined;

  const close = async () => {
    stopping.abort();
    await Promise.all([http.close(REQUESTS_TIMEOUT_MS), smtp?.close(), operator?.close(REQUESTS_TIMEOUT_MS)]);
    await Promise.all([stopWorker?.(), stopSweeping?.(), letterslot.refusals.write()]);
    await opened.close();
    unlock();
  };
  const telephony = {
    name: service.services.telephony.name,
    page: isLocal(base_url) && phone_simulator !== undefined,
  };
  const [shows_outbox, oauth] = [outbox !== undefined, createOAuth !== undefined];
  const { warmUp } = opened;
  return { base_url, http, smtp, dataDir, outbox: shows_outbox, oauth, telephony, ownDomain, warmUp, close };
}

const mailTakerOf = (letterslot: Letterslot): MailTaker => ({
  accept: (recipient) => acceptsRecipient(letterslot.services, recipient),
  receive: (mail) => letterslot.receive({ ...mail, origin: "smtp" }),
});

/** The error codes for binding to an address that this machine doesn't have. */
const HOST_ERRORS = new Set(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EINVAL", "EAFNOSUPPORT"]);

/** Listens on an address. Throws `ConfigError` with the variable's name when this machine has no such address. */
async function onHost<T>(name: string, host: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    if (!HOST_ERRORS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new ConfigError([
      `${name} is ${JSON.stringify(host)}, which is no address of this machine. Set it to an IP address or host name of this machine, such as 127.0.0.1 or 0.0.0.0.`,
    ]);
  }
}

/** Throws when the stored secrets were encrypted with a key that isn't configured: the oldest and newest tell. */
export async function checkEncryptionKey({ services: { storage, seal } }: Letterslot): Promise<void> {
  const ends = (["asc", "desc"] as const).map((direction) => ({ by: "id", direction }) as const);
  const [webhooks, owners, keys] = await Promise.all([
    Promise.all(ends.map((order) => storage.find("webhooks", { where: {}, order, limit: 1 }))),
    Promise.all(ends.map((order) => storage.find("owners", { where: {}, order, limit: 1 }))),
    storage.find("service_keys", { where: {}, order: { by: "name", direction: "asc" }, limit: 10 }),
  ]);
  const sealed = [
    ...webhooks.flat().map(({ sealed_secret }) => sealed_secret),
    ...owners.flat().flatMap(({ code_hash }) => code_hash ?? []),
    ...keys.map(({ sealed_key }) => sealed_key),
  ];
  try {
    for (const secret of sealed) seal.open(secret);
  } catch {
    throw new ConfigError([
      "ENCRYPTION_KEY is not the key that the stored secrets were encrypted with. Set it to that key, or list both, the new one first.",
    ]);
  }
}

/** The advice to an operator about an inbox at the address of a person, which an older version allowed. */
export const WHOSE_ADDRESS =
  "the person keeps every right, and mail of the inbox counts as theirs nowhere. Delete the inbox, or end the person's rights.";

/** Throws when an inbox of an older version has an address that the service itself uses now. */
async function checkServiceAddresses({ services }: Letterslot): Promise<void> {
  const [taken] = await takeServiceAddresses(services);
  if (taken === undefined) return;
  throw new ConfigError([
    `The inbox ${taken} has an address that the service itself needs now: delete it with the earlier version, then start this one.`,
  ]);
}

/** Runs a command on the storage that the environment configures, and closes it again. Serves nothing. */
export async function withService(
  adapters: Adapters,
  command: (service: Letterslot) => Promise<void>,
): Promise<void> {
  const config = readConfig(readEnvironment());
  const plans = readPlans(config.plans);
  // The command's output is its answer, so only problems are logged.
  const log = createLog("error");
  const dataDir = openDataDir(config.data_dir);
  const unlock = config.database_url === undefined ? lockDataDir(dataDir) : () => undefined;
  const { ports, close } = await adapters.open(config, dataDir, log);
  try {
    const base_url = config.base_url ?? `http://localhost:${config.port}`;
    await command(createLetterslot({ ...ports, log, ...optionsOf(config, base_url, plans) }));
  } finally {
    await close();
    unlock();
  }
}

/** The options of the service itself. */
export function optionsOf(config: Config, base_url: string, plans: Options["plans"]): Options {
  const {
    mail_domain,
    onboarding,
    default_send_mode,
    screening_timeout_ms,
    trusted_sealers,
    webhook_retries,
  } = config;
  const { postmaster = null } = config;
  const delays = { interface: INTERFACE_RETRIES, durable: DURABLE_RETRIES };
  return {
    baseUrl: base_url,
    mailDomain: mail_domain,
    onboarding,
    defaultSendMode: default_send_mode,
    screeningTimeoutMs: screening_timeout_ms,
    trustedSealers: trusted_sealers,
    trustedReporters: believedReporters(config).reporters,
    postmaster,
    trashDays: config.trash_days,
    plans,
    attachmentUrls: config.attachment_urls,
    webhookProfile: webhook_retries === "durable" ? "durable" : "interface",
    webhookRetries: typeof webhook_retries === "string" ? delays[webhook_retries] : webhook_retries,
  };
}
