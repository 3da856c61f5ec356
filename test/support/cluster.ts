import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnPostgres, ownPostgres } from "./postgres-server.ts";
import { createRedisServer, type RedisServer } from "./redis-server.ts";
import { type ServerHome, type ServerProcess, serverHome } from "./server-process.ts";
import { startTcpFront } from "./tcp-front.ts";

export interface ClusterOptions {
  /** How many processes of each role; 2, 2 and 1 unless stated. */
  api?: number;
  worker?: number;
  smtp?: number;
  /** Where the fronts listen; free ports unless stated. */
  port?: number;
  smtp_port?: number;
  /** What every process has in its environment besides, such as SMTP_URL. */
  environment?: Record<string, string>;
  /** Hears what is done. */
  log?(line: string): void;
}

/** One process of the cluster, over all of its restarts. */
export interface ClusterMember {
  /** `api-1`, `worker-2` and so on. */
  name: string;
  role: "api" | "worker" | "smtp";
  /** Where it answers `/readyz` and `/metrics` by itself, past the front. */
  home: ServerHome;
  /** The process that runs, or ran last. */
  process: ServerProcess;
  /** Ends it with the signal and starts it again; resolves when it is ready. */
  restart(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** The whole service as it runs on several machines, on this one. */
export interface Cluster {
  /** The front of the api processes. */
  base_url: string;
  /** The front of the smtp processes. */
  smtp_port: number;
  database_url: string;
  data_dir: string;
  members: ClusterMember[];
  postgres: OwnPostgres;
  redis: RedisServer;
  /** Stops every process in order, then what they stood on, and removes the data. */
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL, Redis, the processes and their fronts. Resolves when all are ready; whatever fails,
 * nothing stays behind.
 */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const log = options.log ?? (() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "letterslot-cluster-"));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    log("PostgreSQL …");
    const postgres = await ownPostgres();
    undo.push(postgres.end);
    log("Redis …");
    const redis = await createRedisServer();
    undo.push(redis.close);
    await redis.start();

    const homes = { api: [], worker: [], smtp: [] } as Record<ClusterMember["role"], ServerHome[]>;
    const environment: Record<string, string> = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      DATA_DIR: join(folder, "data"),
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      ...options.environment,
    };
    const counts = { api: options.api ?? 2, worker: options.worker ?? 2, smtp: options.smtp ?? 1 };
    for (const role of roles) {
      for (let index = 0; index < counts[role]; index++)
        homes[role].push(await serverHome({ ...environment, ROLE: role }));
      for (const home of homes[role]) undo.push(home.remove);
    }
    const front = await startTcpFront(
      options.port ?? 0,
      homes.api.map((home) => Number(new URL(home.base_url).port)),
    );
    undo.push(front.close);
    const smtpFront = await startTcpFront(
      options.smtp_port ?? 0,
      homes.smtp.map((home) => home.smtp_port),
    );
    undo.push(smtpFront.close);
    const base_url = options.environment?.["BASE_URL"] ?? `http://localhost:${front.port}`;

    const members: ClusterMember[] = [];
    undo.push(() => Promise.all(members.map(({ process }) => process.end("SIGTERM"))));
    const starting = roles.flatMap((role) =>
      homes[role].map((home, index) => ({ name: `${role}-${index + 1}`, role, home })),
    );
    for (const { name, role, home } of starting) {
      log(`${name} …`);
      members.push(await startMember(name, role, home, { BASE_URL: base_url }));
    }
    const { data_dir } = members[0]?.home ?? { data_dir: folder };
    return {
      base_url,
      smtp_port: smtpFront.port,
      database_url: postgres.url,
      data_dir,
      members,
      postgres,
      redis,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const roles = ["api", "worker", "smtp"] as const;

async function startMember(
  name: string,
  role: ClusterMember["role"],
  home: ServerHome,
  environment: Record<string, string>,
): Promise<ClusterMember> {
  const member: ClusterMember = {
    name,
    role,
    home,
    process: await home.start(environment),
    async restart(signal) {
      await member.process.end(signal);
      member.process = await home.start(environment);
    },
  };
  return member;
}
