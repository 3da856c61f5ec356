import { existsSync } from "node:fs";
import { createLetterslot, type Letterslot, type LetterslotConfig, type Log } from "@letterslot/core";
import { createServer } from "../http/app.ts";
import { type HttpListener, listenHttp } from "../http/listen.ts";
import { createMetrics } from "../http/metrics.ts";
import type { CapturedMail } from "../internal/outbox.ts";
import { banner } from "./banner.ts";
import { type Config, readConfig } from "./config.ts";
import { coreOptions } from "./core-options.ts";
import { type DataDir, openDataDir } from "./data-dir.ts";
import { lockDataDir } from "./data-lock.ts";
import { createLog } from "./log.ts";
import { createProbes } from "./probes.ts";
import { stopOnSignal } from "./stop.ts";
import { startSweeper } from "./sweeper.ts";

/**
 * What the process is made of, as the configuration names it. Opened once; `close` finishes what is under
 * way.
 */
export interface Adapters {
  open(
    config: Config,
    dataDir: DataDir,
    log: Log,
  ): Promise<{
    ports: Omit<LetterslotConfig, "options" | "log">;
    captured_mail: CapturedMail | undefined;
    /** No other process works on this storage, so what is leased at the start is held by nobody. */
    exclusive: boolean;
    /** Names what is away although the work goes on, such as `redis`. */
    degraded(): readonly string[];
    close(): Promise<void>;
  }>;
  listenSmtp(
    config: Config,
    port: number,
    dataDir: DataDir,
    letterslot: Letterslot,
    log: Log,
  ): Promise<SmtpAddress>;
}

interface SmtpAddress {
  host: string;
  port: number;
  close(): Promise<void>;
}

/** For requests under way, and for everything; a process manager often waits 30 seconds before it kills. */
const requestsWithinMs = 20_000;
const stopWithinMs = 25_000;

/** Runs the server as the environment says until a signal stops it. Throws what keeps it from starting. */
export async function run(adapters: Adapters): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const config = readConfig(process.env);
  const log = createLog(config.log_level);
  const dataDir = openDataDir(config.data_dir);
  // With a database elsewhere, processes on one machine may share the folder: it holds files that are each
  // written once.
  const unlock = config.database_url === undefined ? lockDataDir(dataDir) : () => undefined;

  const does = (role: Config["role"]) => config.role === "all" || config.role === role;
  const http = await listenHttp(config.host, config.port);
  const base_url = config.base_url ?? `http://localhost:${http.port}`;
  const { ports, captured_mail, exclusive, degraded, close } = await adapters.open(config, dataDir, log);
  const service = createLetterslot({ ...ports, log, options: coreOptions(config, base_url) });
  if (exclusive) await service.reclaim();
  const metrics = createMetrics();
  const letterslot = { ...service, receive: metrics.countInbound(service.receive) };
  const outbox = isLocal(base_url) ? captured_mail : undefined;

  const stopping = new AbortController();
  const { inbound_secret, cron_secret, trusted_proxies } = config;
  const common = { letterslot, log, metrics, degraded, stopping: stopping.signal };
  // Every role says how it is, to whoever watches over it.
  http.serve(
    does("api")
      ? createServer({ ...common, inbound_secret, cron_secret, trusted_proxies, captured_mail: outbox })
      : createProbes(common),
  );
  const stopWorker = does("worker") ? letterslot.work() : undefined;
  const stopSweeper = does("worker") ? startSweeper(letterslot, log) : undefined;
  const takesMail = does("smtp") && config.smtp_port !== "off";
  const smtp = takesMail
    ? await adapters.listenSmtp(config, Number(config.smtp_port), dataDir, letterslot, log)
    : undefined;

  const finish = async () => {
    stopping.abort();
    await Promise.all([http.close(requestsWithinMs), smtp?.close()]);
    await Promise.all([stopWorker?.(), stopSweeper?.()]);
    await close();
    unlock();
  };
  stopOnSignal(log, finish, stopWithinMs);
  warn(config, base_url, log);
  announce({ config, base_url, http, smtp, dataDir, outbox: outbox !== undefined }, log);
}

function warn(config: Config, base_url: string, log: Log): void {
  if (config.smtp_url !== undefined && config.onboarding === "open") {
    log.warn(
      {},
      "SMTP_URL is set and ONBOARDING is open: strangers who reach this server can send mail through it. Set ONBOARDING to claimed or closed.",
    );
  }
  if (config.role !== "all" && config.database_url === undefined)
    log.warn(
      { role: config.role },
      "DATA_DIR belongs to one process, so with SQLite the other roles run nowhere.",
    );
  if (
    config.base_url === undefined &&
    !isLocal(`http://${config.host.includes(":") ? `[${config.host}]` : config.host}`)
  ) {
    log.warn({ base_url }, "HOST is reachable from elsewhere, but links begin with localhost. Set BASE_URL.");
  }
}

interface Started {
  config: Config;
  base_url: string;
  http: HttpListener;
  smtp: SmtpAddress | undefined;
  dataDir: DataDir;
  outbox: boolean;
}

function announce({ config, base_url, http, smtp, dataDir, outbox }: Started, log: Log): void {
  const smtpAddress = smtp === undefined ? null : `${smtp.host}:${smtp.port}`;
  const { role, mail_domain } = config;
  log.info(
    { role, base_url, http_port: http.port, smtp_port: smtp?.port ?? null, data_dir: dataDir.path, outbox },
    "started",
  );
  if (!process.stdout.isTTY) return;
  process.stdout.write(banner({ base_url, data_dir: dataDir.path, smtp: smtpAddress, mail_domain, outbox }));
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}
