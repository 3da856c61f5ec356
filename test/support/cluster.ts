import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SeparatePostgres, startSeparatePostgres } from "./postgres-server.ts";
import { createRedisServer, type RedisServer } from "./redis-server.ts";
import { createServerHome, type ServerHome, type ServerProcess } from "./server-process.ts";
import { startLoadBalancer } from "./tcp-front.ts";

export interface ClusterOptions {
  /** The number of processes per role; default 2, 2 and 1. */
  api?: number;
  worker?: number;
  smtp?: number;
  /** The ports of the load balancers; free ports by default. */
  port?: number;
  smtp_port?: number;
  /** Additional environment variables for every process, such as SMTP_URL. */
  environment?: Record<string, string>;
  /** Prints progress. */
  log?(line: string): void;
}

/** One process of the cluster, across restarts. */
export interface ClusterMember {
  /** `api-1`, `worker-2` and so on. */
  name: string;
  role: "api" | "worker" | "smtp";
  /** Its own address, for `/readyz` and `/metrics`, bypassing the load balancer. */
  home: ServerHome;
  /** The current or last process. */
  process: ServerProcess;
  /** Stops it with the signal and starts it again; resolves when it is ready. */
  restart(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** The multi-process setup on this machine. */
export interface Cluster {
  /** The load balancer of the api processes. */
  base_url: string;
  /** The load balancer of the smtp processes. */
  smtp_port: number;
  database_url: string;
  data_dir: string;
  members: ClusterMember[];
  postgres: SeparatePostgres;
  redis: RedisServer;
  /** Stops every process gracefully, then PostgreSQL and Redis, and removes the data. */
  close(): Promise<void>;
}

/** Starts PostgreSQL, Redis, the processes and their load balancers. Resolves when all are ready; cleans up on error. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const log = options.log ?? (() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "letterslot-cluster-"));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    log("PostgreSQL …");
    const postgres = await startSeparatePostgres();
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
    for (const role of ROLES) {
      for (let index = 0; index < counts[role]; index++)
        homes[role].push(await createServerHome({ ...environment, ROLE: role }));
      for (const home of homes[role]) undo.push(home.remove);
    }
    const balancer = await startLoadBalancer(
      options.port ?? 0,
      homes.api.map((home) => Number(new URL(home.base_url).port)),
    );
    undo.push(balancer.close);
    const smtpBalancer = await startLoadBalancer(
      options.smtp_port ?? 0,
      homes.smtp.map((home) => home.smtp_port),
    );
    undo.push(smtpBalancer.close);
    const base_url = options.environment?.["BASE_URL"] ?? `http://localhost:${balancer.port}`;

    const members: ClusterMember[] = [];
    undo.push(() => Promise.all(members.map(({ process }) => process.end("SIGTERM"))));
    const starting = ROLES.flatMap((role) =>
      homes[role].map((home, index) => ({ name: `${role}-${index + 1}`, role, home })),
    );
    for (const { name, role, home } of starting) {
      log(`${name} …`);
      members.push(await startMember(name, role, home, { BASE_URL: base_url }));
    }
    const { data_dir } = members[0]?.home ?? { data_dir: folder };
    return {
      base_url,
      smtp_port: smtpBalancer.port,
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

const ROLES = ["api", "worker", "smtp"] as const;

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
