import type { SmtpFailure, SmtpSent } from "../send-result.ts";

/** A connection to a mail host that has been greeted, and encrypted if that is demanded. */
export interface HostConnection {
  /** Hands over one mail. Rejects with an `SmtpFailure` unless a recipient accepts it. */
  send(
    envelope: { from: string; to: string[] },
    raw: Parameters<SmtpConnection["send"]>[1],
  ): Promise<SmtpSent>;
  /** Keeps the connection for the next mail if it is still good, and closes it otherwise. */
  give(): void;
}

/** The connection settings for one address of a mail host. */
export interface HostAddress {
  host: string;
  address: string;
  port: number;
  /** `verified`: only over TLS with a certificate for the host's name; `opportunistic`: as the host can. */
  tls: "verified" | "opportunistic";
}

export interface HostConnections {
  /** A connection to that address, waiting for one if too many are in use. Rejects with why there is none. */
  take(to: HostAddress): Promise<HostConnection>;
  /** Closes idle connections; those in use are closed when they are returned. */
  close(): void;
}

/** Connections to one host at a time. */
const MAX_CONNECTIONS_PER_HOST = 20;
/** Mails waiting for a connection to one host. */
const MAX_WAITING_PER_HOST = 200;
const MAX_WAIT_MS = 60_000;
const MAILS_PER_CONNECTION = 100;
const IDLE_MS = 10_000;
const CONNECT_TIMEOUT_MS = 15_000;
const GREETING_TIMEOUT_MS = 60_000;
const SOCKET_TIMEOUT_MS = 120_000;

type SmtpConnection = InstanceType<Awaited<ReturnType<typeof loadSmtp>>>;

/** Loads nodemailer on the first send: a server that sends nothing never needs it. */
const loadSmtp = async () => (await import("nodemailer/lib/smtp-connection")).default;

interface Pooled {
  smtp: SmtpConnection;
  mails: number;
  timer: NodeJS.Timeout | undefined;
}

/** The connections to one address. */
interface Pool {
  open: number;
  idle: Pooled[];
  waiting: (() => void)[];
}

/**
 * A pool of connections for each host, of 20 at most. A connection that was idle for 10 s, or carried 100 mails, is
 * closed. `name` is the name in EHLO; `ca` are PEM certificates to trust in place of the system's.
 */
export function createHostConnections(options: { name: string | undefined; ca?: string }): HostConnections {
  const pools = new Map<string, Pool>();
  let closed = false;

  const poolOf = (key: string): Pool => {
    const pool = pools.get(key) ?? { open: 0, idle: [], waiting: [] };
    pools.set(key, pool);
    return pool;
  };

  function drop(key: string, pool: Pool, { smtp, timer }: Partial<Pooled>): void {
    clearTimeout(timer);
    smtp?.close();
    pool.open -= 1;
    pool.waiting.shift()?.();
    if (pool.open === 0 && pool.waiting.length === 0) pools.delete(key);
  }

  async function take(to: HostAddress): Promise<HostConnection> {
    const key = JSON.stringify(to);
    const pool = poolOf(key);
    for (;;) {
      const idle = pool.idle.pop();
      if (idle !== undefined) {
        clearTimeout(idle.timer);
        if (await isAlive(idle.smtp)) return borrowed(key, pool, idle);
        drop(key, pool, idle);
      } else if (pool.open < MAX_CONNECTIONS_PER_HOST) {
        // A pool that became empty meanwhile was forgotten.
        pools.set(key, pool);
        pool.open += 1;
        try {
          return borrowed(key, pool, { smtp: await connect(to), mails: 0, timer: undefined });
        } catch (error) {
          drop(key, pool, {});
          throw error;
        }
      } else await place(pool, to);
    }
  }

  function borrowed(key: string, pool: Pool, pooled: Pooled): HostConnection {
    let broken = false;
    return {
      send: (envelope, raw) =>
        new Promise((resolve, reject) => {
          pooled.mails += 1;
          pooled.smtp.send(envelope, raw, (error, info) => {
            broken = error !== null;
            if (info === undefined || error !== null) reject(error ?? new Error("no answer"));
            else resolve(info);
          });
        }),
      give() {
        if (broken || closed || pooled.mails >= MAILS_PER_CONNECTION) return drop(key, pool, pooled);
        pool.idle.push(pooled);
        pooled.timer = setTimeout(() => {
          pool.idle.splice(pool.idle.indexOf(pooled), 1);
          drop(key, pool, pooled);
        }, IDLE_MS);
        pooled.timer.unref();
        pool.waiting.shift()?.();
      },
    };
  }

  async function connect({ host, address, port, tls }: HostAddress): Promise<SmtpConnection> {
    const Smtp = await loadSmtp();
    const common = {
      host: address,
      servername: host,
      port,
      secure: false,
      ...(options.name === undefined ? {} : { name: options.name }),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    };
    if (tls === "verified") {
      const trust = options.ca === undefined ? {} : { ca: options.ca };
      const verified = { rejectUnauthorized: true, minVersion: "TLSv1.2" as const, ...trust };
      return greeted(new Smtp({ ...common, requireTLS: true, tls: verified }));
    }
    try {
      return await greeted(
        new Smtp({ ...common, opportunisticTLS: true, tls: { rejectUnauthorized: false } }),
      );
    } catch (error) {
      // Mail that may go unencrypted isn't held back by a handshake that fails (RFC 7435).
      if (!isTlsFailure(error as SmtpFailure)) throw error;
      return greeted(new Smtp({ ...common, ignoreTLS: true }));
    }
  }

  return {
    take,
    close() {
      closed = true;
      for (const [key, pool] of pools) for (const idle of pool.idle.splice(0)) drop(key, pool, idle);
    },
  };
}

/** Whether a connection failed at its encryption, or at the certificate. */
export const isTlsFailure = ({ code, originalCode = "" }: SmtpFailure): boolean =>
  code === "ETLS" || /TLS|SSL|CERT|SIGNATURE|EPROTO/.test(originalCode);

/** Resolves when a connection is given back. */
function place(pool: Pool, { host }: HostAddress): Promise<void> {
  const busy = new Error(`451 4.3.2 too many connections to ${host} are in use`);
  if (pool.waiting.length >= MAX_WAITING_PER_HOST) return Promise.reject(busy);
  return new Promise((resolve, reject) => {
    const resume = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      pool.waiting.splice(pool.waiting.indexOf(resume), 1);
      reject(busy);
    }, MAX_WAIT_MS);
    pool.waiting.push(resume);
  });
}

function greeted(smtp: SmtpConnection): Promise<SmtpConnection> {
  return new Promise((resolve, reject) => {
    // Errors of a connection that nobody waits for are found when it is used next.
    smtp.on("error", reject);
    smtp.connect((error) => (error ? reject(error) : resolve(smtp)));
  });
}

/** Whether an idle connection still answers. */
function isAlive(smtp: SmtpConnection): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const ended = () => resolve(false);
  smtp.once("end", ended);
  smtp.reset((error) => resolve(!error));
  return promise.finally(() => smtp.off("end", ended));
}
